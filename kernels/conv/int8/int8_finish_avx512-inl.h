// Rows of sums made into 8-bit elements one by one, between the products of another tile: the post-ops of
// kernels/conv/int8/int8_post_ops.h in AVX-512. It is compiled for the CPUs of the file that includes it.
//
//   int8_dot_columns<Dot, 12, 2, false>(args, 0, FinishRows<Int8Residual::none, false>(earlier));
//   tile.overlapped = overlapped_by<ThatTile>;
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <limits>

#include "kernels/common/limits.h"
#include "kernels/conv/int8/int8_post_ops.h"
#include "kernels/conv/int8/int8_tile.h"

namespace mxinfer::kernels {

enum class Int8Residual : std::uint8_t { none, s8, u8 };

/// Step i finishes row i of `earlier`, of kInt8PanelColumns columns, to int8 or uint8. Without kGeneral,
/// has_plain_post_ops() is true.
template <Int8Residual kResidual, bool kGeneral>
class FinishRows {
 public:
  explicit FinishRows(const Int8PostOpsArgs& earlier)
      : rows_(earlier.rows),
        stride_(earlier.dst_stride),
        sums_(earlier.sums),
        bias_(earlier.bias != nullptr ? earlier.bias : kNoBias),
        scale_(earlier.scale != nullptr ? earlier.scale : kNoScale),
        residual_(earlier.residual),
        dst_(earlier.dst),
        before_(limits_of(earlier.conv->before)),
        after_(limits_of(earlier.conv->after)),
        residual_scale_(earlier.conv->residual_scale),
        factor_(earlier.conv->dst_factor),
        lowest_(earlier.conv->dst_type == Int8Type::u8 ? 0 : std::numeric_limits<std::int8_t>::min()),
        highest_(earlier.conv->dst_type == Int8Type::u8 ? std::numeric_limits<std::uint8_t>::max()
                                                        : std::numeric_limits<std::int8_t>::max()) {}

  std::int64_t count() const { return rows_; }

  void operator()(std::int64_t row) const {
    for (std::int64_t column = 0; column < kInt8PanelColumns; column += kLanes) {
      const __m128i bytes = _mm512_cvtepi32_epi8(elements(row, column));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(dst_ + row * stride_ + column), bytes);
    }
  }

 private:
  static constexpr std::int64_t kLanes = 16;
  static constexpr std::int32_t kNoBias[kInt8PanelColumns] = {};
  static constexpr float kNoScale[kInt8PanelColumns] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

  static __m512 as_floats(const std::int32_t* from) { return _mm512_cvtepi32_ps(_mm512_loadu_si512(from)); }
  static __m512 residual_at(const std::byte* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm512_cvtepi32_ps(kResidual == Int8Residual::u8 ? _mm512_cvtepu8_epi32(bytes)
                                                            : _mm512_cvtepi8_epi32(bytes));
  }
  /// A NaN stays NaN: these instructions give their second operand then.
  static __m512 limit(__m512 x, const Limits& to) {
    return _mm512_min_ps(_mm512_set1_ps(to.high), _mm512_max_ps(_mm512_set1_ps(to.low), x));
  }

  __m512i elements(std::int64_t row, std::int64_t column) const {
    __m512 x = as_floats(sums_ + row * kInt8PanelColumns + column);
    x = _mm512_mul_ps(_mm512_add_ps(x, as_floats(bias_ + column)), _mm512_loadu_ps(scale_ + column));
    if constexpr (kGeneral) x = limit(x, before_);
    if constexpr (kResidual != Int8Residual::none) {
      const __m512 residual = residual_at(residual_ + row * stride_ + column);
      x = _mm512_fmadd_ps(residual, _mm512_set1_ps(residual_scale_), x);
    }
    if constexpr (kGeneral) x = _mm512_mul_ps(_mm512_set1_ps(factor_), limit(x, after_));
    // What is below -2^31 is negative as an integer, too. A NaN becomes the highest.
    x = _mm512_min_ps(x, _mm512_set1_ps(highest_));
    return _mm512_max_epi32(_mm512_cvtps_epi32(x), _mm512_set1_epi32(lowest_));
  }

  const std::int64_t rows_, stride_;
  const std::int32_t *sums_, *bias_;
  const float* scale_;
  const std::byte* residual_;
  std::byte* dst_;
  const Limits before_, after_;
  const float residual_scale_, factor_;
  const std::int32_t lowest_;
  const float highest_;
};

/// Int8Tile::overlapped of tiles with AVX-512: Tile::multiply<Finish>(args, earlier) multiplies while it runs
/// the steps of Finish(earlier).
template <class Tile, Int8Residual kResidual>
Int8OverlappedFn with_activation(const Int8ConvArgs& conv) {
  return has_plain_post_ops(conv) ? Tile::template multiply<FinishRows<kResidual, false>>
                                  : Tile::template multiply<FinishRows<kResidual, true>>;
}

template <class Tile>
Int8OverlappedFn overlapped_by(const Int8ConvArgs& conv) {
  if (!limits_of(conv.before).exist || !limits_of(conv.after).exist) return nullptr;
  if (conv.dst_type != Int8Type::u8 && conv.dst_type != Int8Type::s8) return nullptr;
  if (conv.residual == nullptr) return with_activation<Tile, Int8Residual::none>(conv);
  if (conv.residual_type == Int8Type::u8) return with_activation<Tile, Int8Residual::u8>(conv);
  if (conv.residual_type == Int8Type::s8) return with_activation<Tile, Int8Residual::s8>(conv);
  return nullptr;
}

}  // namespace mxinfer::kernels

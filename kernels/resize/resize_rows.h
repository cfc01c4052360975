// Shared by the plain and the vector kernels of the taps form: which source rows are summed when, and the
// rounding of uint8 linear.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/resize/resize.h"

namespace mxinfer::kernels {

/// Weights of uint8 are multiples of 1 / kResizeOne.
inline constexpr int kResizeBits = 11;
inline constexpr std::int32_t kResizeOne = 1 << kResizeBits;

/// Values from one row of sums to the next: whole cache lines, with room for three values past the last.
inline std::int64_t resize_row_stride(std::int64_t count) {
  return (count + 3 + 31) / 32 * 32;
}

/// Values [begin, end) of a row of uint8 linear.
inline void combine_linear_u8(const std::int32_t* const* rows, const std::int16_t* weight, std::uint8_t* out,
                              std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const int upper = (weight[0] * (rows[0][i] >> 4)) >> 16;
    const int lower = (weight[1] * (rows[1][i] >> 4)) >> 16;
    out[i] = static_cast<std::uint8_t>((upper + lower + 2) >> 2);
  }
}

/// Sums source rows along x with sum_row(args, src_row, sums), each at most once in a run of destination
/// rows, and makes each destination row with combine(rows, weights, dst_row, count). The sums of the kTaps
/// newest source rows are kept, row r in slot r % kTaps: a destination row needs kTaps neighbours, which have
/// different slots.
template <typename T, typename Sum, int kTaps, typename W, typename SumRow, typename Combine>
void run_tap_rows(const ResizeArgs& args, const T* src, T* dst, std::int64_t row_begin, std::int64_t row_end,
                  Sum* sums, const W* y_weight, const SumRow& sum_row, const Combine& combine) {
  const std::int64_t count = args.shape.dst_width * args.shape.channels;
  const std::int64_t stride = resize_row_stride(count);
  std::int64_t held[kTaps];
  std::fill(held, held + kTaps, std::int64_t{-1});
  for (std::int64_t y = row_begin; y < row_end; ++y) {
    const Sum* rows[kTaps];
    for (int k = 0; k < kTaps; ++k) {
      const std::int64_t row = std::clamp<std::int64_t>(args.y_first[y] + k, 0, args.shape.src_height - 1);
      const std::int64_t slot = row % kTaps;
      if (held[slot] != row) {
        sum_row(args, src + row * args.src_stride, sums + slot * stride);
        held[slot] = row;
      }
      rows[k] = sums + slot * stride;
    }
    combine(rows, y_weight + y * kTaps, dst + (y - row_begin) * count, count);
  }
}

/// The vector kernel of uint8 linear; bitwise equal to the plain one.
ResizeKernel<std::uint8_t> resize_linear_u8_simd(Target target);

}  // namespace mxinfer::kernels

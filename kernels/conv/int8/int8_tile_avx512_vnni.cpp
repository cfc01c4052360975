// vpdpbusd on vectors of 512 bits, which Highway 1.0.3 does not have.
#include "kernels/common/cpu_products.h"
#include "kernels/conv/int8/int8_tile.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>
#include <utility>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))), \
                             apply_to = function)
#else
#pragma GCC push_options
// Of GCC 12's own intrinsics, whose unused operands are undefined.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vnni")
#endif

#include "kernels/conv/int8/int8_finish_avx512-inl.h"
#include "kernels/conv/int8/int8_tile_dot-inl.h"

namespace mxinfer::kernels {
namespace {

struct Avx512Vnni {
  static constexpr int kLanes = 16, kRows = 12;
  static constexpr bool kSignedRows = false;
  using Vector = __m512i;
  static Vector load(const void* from) { return _mm512_loadu_si512(from); }
  static Vector broadcast(std::uint32_t quad) { return _mm512_set1_epi32(static_cast<int>(quad)); }
  static Vector shift(Vector quads) {
    return _mm512_xor_si512(quads, _mm512_set1_epi32(static_cast<int>(0x80808080u)));
  }
  static Vector add(Vector sums, Vector row_quads, Vector weight_quads) {
    return _mm512_dpbusd_epi32(sums, row_quads, weight_quads);
  }
  static void store(Vector sums, std::int32_t* to) { _mm512_storeu_si512(to, sums); }
};

void multiply_avx512_vnni(const Int8TileArgs& args) {
  int8_dot_multiply<Avx512Vnni>(args);
}

template <int kRows, class Finish>
void multiply_rows(const Int8TileArgs& t, const Int8PostOpsArgs& earlier) {
  t.is_signed ? int8_dot_columns<Avx512Vnni, kRows, 2, true>(t, 0, Finish(earlier))
              : int8_dot_columns<Avx512Vnni, kRows, 2, false>(t, 0, Finish(earlier));
}

struct OverlappedAvx512Vnni {
  /// Nearly all tiles have 10 rows or more (tile_step()); for others the earlier sums are finished first.
  template <class Finish>
  static void multiply(const Int8TileArgs& t, const Int8PostOpsArgs& earlier) {
    constexpr int kRows = Avx512Vnni::kRows;
    if (t.width == kInt8PanelColumns) {
      if (t.row_count == kRows) return multiply_rows<kRows, Finish>(t, earlier);
      if (t.row_count == kRows - 1) return multiply_rows<kRows - 1, Finish>(t, earlier);
      if (t.row_count == kRows - 2) return multiply_rows<kRows - 2, Finish>(t, earlier);
    }
    const Finish finish(earlier);
    for (std::int64_t row = 0; row < finish.count(); ++row) finish(row);
    int8_dot_multiply<Avx512Vnni>(t);
  }
};

}  // namespace
}  // namespace mxinfer::kernels

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // __x86_64__

namespace mxinfer::kernels {

const Int8Tile* int8_tile_avx512_vnni() {
#if defined(__x86_64__)
  static constexpr Int8Tile kTile{.name = "int8_conv_avx512_vnni",
                                  .rows = Avx512Vnni::kRows,
                                  .reads_whole = false,
                                  .shifts = ShiftedRows::signed_ones,
                                  .multiply = multiply_avx512_vnni,
                                  .overlapped = overlapped_by<OverlappedAvx512Vnni>};
  return has_avx512_vnni() ? &kTile : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace mxinfer::kernels

// vpdpbusd on vectors of 256 bits, which Highway 1.0.3 does not have.
#include "kernels/common/cpu_products.h"
#include "kernels/conv/int8/int8_tile.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>
#include <utility>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,avxvnni"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,avxvnni")
#endif

#include "kernels/conv/int8/int8_tile_dot-inl.h"

namespace mxinfer::kernels {
namespace {

struct AvxVnni {
  static constexpr int kLanes = 8, kRows = 6;
  static constexpr bool kSignedRows = false;
  using Vector = __m256i;
  static Vector load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
  static Vector broadcast(std::uint32_t quad) { return _mm256_set1_epi32(static_cast<int>(quad)); }
  static Vector shift(Vector quads) {
    return _mm256_xor_si256(quads, _mm256_set1_epi32(static_cast<int>(0x80808080u)));
  }
  static Vector add(Vector sums, Vector row_quads, Vector weight_quads) {
    return _mm256_dpbusd_avx_epi32(sums, row_quads, weight_quads);
  }
  static void store(Vector sums, std::int32_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), sums);
  }
};

void multiply_avx_vnni(const Int8TileArgs& args) {
  int8_dot_multiply<AvxVnni>(args);
}

}  // namespace
}  // namespace mxinfer::kernels

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // __x86_64__

namespace mxinfer::kernels {

const Int8Tile* int8_tile_avx_vnni() {
#if defined(__x86_64__)
  static constexpr Int8Tile kTile{"int8_conv_avx_vnni", 6, false, ShiftedRows::signed_ones,
                                  multiply_avx_vnni};
  return has_avx_vnni() ? &kTile : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace mxinfer::kernels

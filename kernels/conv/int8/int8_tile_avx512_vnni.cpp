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
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vnni")
#endif

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
  static constexpr Int8Tile kTile{"int8_conv_avx512_vnni", 12,      false,  ShiftedRows::signed_ones,
                                  multiply_avx512_vnni,    nullptr, nullptr};
  return has_avx512_vnni() ? &kTile : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace mxinfer::kernels

// vdpbf16ps, which Highway 1.0.3 does not have.
#include "kernels/common/cpu_products.h"
#include "kernels/conv/bf16/bf16_tile.h"
#include "kernels/speed/cpu_model.h"

#if defined(__x86_64__)

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512bf16")
#endif

#include "kernels/conv/bf16/bf16_tile_dot-inl.h"

namespace mxinfer::kernels {
namespace {

struct Vdpbf16ps {
  using Sums = __m512;
  using Pairs = __m512i;
  static Sums zero() { return _mm512_setzero_ps(); }
  static Pairs load(const std::uint32_t* from) { return _mm512_loadu_si512(from); }
  static Pairs broadcast(std::uint32_t pair) { return _mm512_set1_epi32(static_cast<int>(pair)); }
  static Sums add(Sums sum, Pairs a, Pairs b) {
    return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }
  static void store(Sums sum, float* to) { _mm512_storeu_ps(to, sum); }
  /// The order of operands passes a NaN on. Masks of all lanes, because GCC warns of what the instructions
  /// without one leave undefined.
  static Sums limit(Sums sum, const float* bias, float low, float high) {
    const Sums x = _mm512_add_ps(sum, _mm512_loadu_ps(bias));
    constexpr __mmask16 kAll = 0xffff;
    return _mm512_maskz_min_ps(kAll, _mm512_set1_ps(high), _mm512_maskz_max_ps(kAll, _mm512_set1_ps(low), x));
  }
};

void multiply(const Bf16TileArgs& args) {
  bf16_dot_multiply<Vdpbf16ps>(args);
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

const Bf16Tile* bf16_tile_dot() {
#if defined(__x86_64__)
  // Xeon processors multiply pairs half as often as they multiply float32, AMD's as often.
  static const bool is_slow = this_cpu().vendor == CpuVendor::intel;
  static constexpr Bf16Tile kTile{12, 2.0, false, true, multiply, nullptr, nullptr};
  static constexpr Bf16Tile kSlowTile{12, 0.5, false, true, multiply, nullptr, nullptr};
  if (!has_avx512_bf16()) return nullptr;
  return is_slow ? &kSlowTile : &kTile;
#else
  return nullptr;
#endif
}

}  // namespace mxinfer::kernels

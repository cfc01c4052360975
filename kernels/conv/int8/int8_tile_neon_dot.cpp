// sdot, which NEON has since Armv8.2 where the CPU says so, and Highway 1.0.3 does not have.
#include "kernels/conv/int8/int8_tile.h"

#if defined(__aarch64__) && defined(__linux__)

#include <arm_neon.h>
#include <sys/auxv.h>

#include <array>
#include <utility>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")
#endif

#include "kernels/conv/int8/int8_tile_dot-inl.h"

namespace mxinfer::kernels {
namespace {

struct NeonDot {
  static constexpr int kLanes = 4, kRows = 12;
  static constexpr bool kSignedRows = true;
  using Vector = int32x4_t;
  static Vector load(const void* from) { return vld1q_s32(static_cast<const std::int32_t*>(from)); }
  static Vector broadcast(std::uint32_t quad) { return vdupq_n_s32(static_cast<std::int32_t>(quad)); }
  static Vector shift(Vector quads) {
    return veorq_s32(quads, vdupq_n_s32(static_cast<std::int32_t>(0x80808080u)));
  }
  static Vector add(Vector sums, Vector row_quads, Vector weight_quads) {
    return vdotq_s32(sums, vreinterpretq_s8_s32(row_quads), vreinterpretq_s8_s32(weight_quads));
  }
  static void store(Vector sums, std::int32_t* to) { vst1q_s32(to, sums); }
};

void multiply_neon_dot(const Int8TileArgs& args) {
  int8_dot_multiply<NeonDot>(args);
}

}  // namespace
}  // namespace mxinfer::kernels

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // __aarch64__

namespace mxinfer::kernels {

const Int8Tile* int8_tile_neon_dot() {
#if defined(__aarch64__) && defined(__linux__)
  constexpr unsigned long kDotProducts = 1UL << 20;  // HWCAP_ASIMDDP
  static constexpr Int8Tile kTile{"int8_conv_neon_dot", 12, false, ShiftedRows::unsigned_ones,
                                  multiply_neon_dot};
  static const bool has = (getauxval(AT_HWCAP) & kDotProducts) != 0;
  return has ? &kTile : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace mxinfer::kernels

// Target: the instruction set that kernels are chosen for.
//
// Every family has a plain reference kernel (Target::ref) and kernels written once with Highway and compiled
// for the other targets. MXINFER_TABLE (dispatch.h) lists those of a family, and MXINFER_DISPATCH picks one,
// without any global state.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

enum class Target : std::uint8_t {
  ref,       ///< the plain scalar reference kernels
  baseline,  ///< instructions of every CPU of the architecture: NEON on AArch64, one lane at a time on x86-64
  avx2,      ///< AVX2 and FMA
  avx512,    ///< AVX-512 F, BW, CD, DQ, VL
};

/// "ref", "baseline", "avx2", "avx512".
const char* to_string(Target target) noexcept;

/// The best target of this CPU.
Target best_target() noexcept;
/// Whether this CPU can run kernels of that target.
bool is_supported(Target target) noexcept;

}  // namespace mxinfer::kernels

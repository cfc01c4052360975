// Whether this CPU multiplies bfloat16, and its system saves the registers that it does so in.
#pragma once

#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// vdpbf16ps and vcvtneps2bf16 on vectors of 512 bits.
bool has_avx512_bf16() noexcept;

/// Whether kernels of the target may round to bfloat16 by an instruction.
inline bool rounds_at_once(Target target) noexcept {
  return target == Target::avx512 && has_avx512_bf16();
}

/// tdpbf16ps. Linux hands out the tiles' registers on request, for the whole process; the first call asks.
bool has_amx_bf16() noexcept;

}  // namespace mxinfer::kernels

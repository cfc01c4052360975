// Whether this CPU has instructions for products of bfloat16 and of 8-bit integers, and its system saves
// their registers.
#pragma once

#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// vdpbf16ps and vcvtneps2bf16 on vectors of 512 bits.
bool has_avx512_bf16() noexcept;

/// Whether kernels of the target may round to bfloat16 by an instruction.
inline bool rounds_at_once(Target target) noexcept {
  return target == Target::avx512 && has_avx512_bf16();
}

/// vpdpbusd on vectors of 512 bits, and on vectors of 256 bits.
bool has_avx512_vnni() noexcept;
bool has_avx_vnni() noexcept;

/// tdpbf16ps, and tdpbusd and tdpbssd. Linux grants the tile registers to a process on request; the first
/// call requests them.
bool has_amx_bf16() noexcept;
bool has_amx_int8() noexcept;

}  // namespace mxinfer::kernels

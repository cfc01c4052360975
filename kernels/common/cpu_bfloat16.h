// Whether this CPU multiplies bfloat16, and its system saves the registers that it does so in.
#pragma once

namespace mxinfer::kernels {

/// vdpbf16ps on vectors of 512 bits.
bool has_avx512_bf16() noexcept;

/// tdpbf16ps. Linux hands out the tiles' registers on request, for the whole process; the first call asks.
bool has_amx_bf16() noexcept;

}  // namespace mxinfer::kernels

// How much of this CPU's instruction set kernels may use.
//
// The environment variable MXINFER_MAX_ISA limits it, so that a CPU with more computes as one with less
// would: with the same kernels, the same tuning candidates and the same results, bit for bit. Unlike a
// target, the limit tells CPUs of one target apart: AVX-512 with and without instructions for bfloat16, with
// and without tiles.
#pragma once

#include <cstdint>
#include <optional>

namespace mxinfer::kernels {

/// In ascending order: each includes those before it.
enum class Isa : std::uint8_t {
  baseline,     ///< instructions of every CPU of the architecture
  avx2,         ///< AVX2 and FMA
  avx512,       ///< AVX-512 F, BW, CD, DQ, VL
  avx512_bf16,  ///< and vdpbf16ps and vpdpbusd
  amx,          ///< and tiles of bfloat16 and 8-bit integers
};

inline constexpr const char* kIsaLimitVariable = "MXINFER_MAX_ISA";

/// "baseline", "avx2", "avx512", "avx512_bf16", "amx".
const char* to_string(Isa isa) noexcept;
/// Empty if there is none of that name.
std::optional<Isa> isa_of_name(const char* name) noexcept;

/// What MXINFER_MAX_ISA says when the process asks first; `amx`, no limit, where it says nothing or names
/// none. A predictor refuses a name that there is none of (runtime/plan_options).
Isa isa_limit() noexcept;

}  // namespace mxinfer::kernels

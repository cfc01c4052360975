// Along: which dimension of an operand of a product lies innermost in memory.
#pragma once

#include <cstdint>

namespace mxinfer::kernels::cuda {

enum class Along : std::uint8_t { depth, rows };

}  // namespace mxinfer::kernels::cuda

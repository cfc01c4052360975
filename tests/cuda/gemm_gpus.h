// GPUs, as plans of products see them: multiprocessors, and the shared memory of a block.
#pragma once

#include <cstddef>

#include "kernels/gemm/gemm_cuda.h"

namespace mxinfer::test {

inline constexpr kernels::cuda::GemmGpu kT4{40, std::size_t{64} << 10};
inline constexpr kernels::cuda::GemmGpu kA100{108, std::size_t{163} << 10};

}  // namespace mxinfer::test

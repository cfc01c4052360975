// GPUs, as plans of products see them: multiprocessors, the shared memory of a block, and compute capability.
#pragma once

#include <cstddef>

#include "device/cuda/cuda_device.h"
#include "kernels/gemm/gemm_cuda.h"

namespace mxinfer::test {

inline constexpr kernels::cuda::GemmGpu kT4{40, std::size_t{64} << 10, 7, 5};
inline constexpr kernels::cuda::GemmGpu kA100{108, std::size_t{163} << 10, 8, 0};

/// cuda:0.
inline kernels::cuda::GemmGpu gpu_of_tests() {
  const auto device = device::CudaDevice::open(0);
  const auto& gpu = device->properties();
  return {gpu.multiprocessors, gpu.shared_bytes, gpu.major, gpu.minor};
}

}  // namespace mxinfer::test

// The backend of NVIDIA GPUs: its implementations of operators stand in this folder.
//
//   const auto device = device::CudaDevice::open(0);
//   plan_options.device = device;
//   plan_options.backend = &cuda_backend(*device);
#pragma once

#include "device/cuda/cuda_device.h"
#include "ops/backend.h"

namespace mxinfer::ops {

/// The operators that GPUs have kernels for, sorted.
std::vector<std::string> cuda_operators();

/// Lives as long as the process. Thread-safe.
const Backend& cuda_backend(const device::CudaDevice& device);

}  // namespace mxinfer::ops

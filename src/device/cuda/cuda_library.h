// The library of CUDA kernels, libmxinfer_cuda.so: opened when a CUDA device is first requested. It contains
// CUDA's runtime; the driver comes from the machine.
//
//   const kernels::cuda::Library& cuda = open_cuda_library();
//   int devices = 0;
//   cuda.runtime.device_count(&devices);
#pragma once

#include "kernels/cuda_library/library.h"

namespace mxinfer::device {

/// Opens the library that the environment variable MXINFER_CUDA_LIBRARY names, else the one beside this
/// library, else the one that the loader finds. Throws Error(device) if there is none, or if its version
/// differs. Once opened, it stays open; after a failure, the next call tries again. Thread-safe.
const kernels::cuda::Library& open_cuda_library();

}  // namespace mxinfer::device

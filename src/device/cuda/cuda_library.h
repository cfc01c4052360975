// The library of CUDA kernels, libmxinfer_cuda.so: opened when a CUDA device is first asked for. It brings
// CUDA's runtime along; the driver is the machine's.
//
//   const kernels::cuda::Library& cuda = open_cuda_library();
//   int devices = 0;
//   cuda.runtime.device_count(&devices);
#pragma once

#include "kernels/cuda_library/library.h"

namespace mxinfer::device {

/// The one that the environment variable MXINFER_CUDA_LIBRARY names, else the one beside this library, else
/// the one that the loader finds. Throws Error(device) if there is none, or one of another version. Once
/// opened it stays; a failure is tried again. Thread-safe.
const kernels::cuda::Library& open_cuda_library();

}  // namespace mxinfer::device

#include <mxinfer/version.h>

#include <cstring>

#include "kernels/cuda_library/library.h"

#define MXINFER_EXPORT extern "C" __attribute__((visibility("default")))

MXINFER_EXPORT const char* mxinfer_cuda_version() {
  return MXINFER_VERSION;
}

MXINFER_EXPORT const mxinfer::kernels::cuda::Library* mxinfer_cuda_library(const char* version,
                                                                           std::size_t bytes) {
  namespace cuda = mxinfer::kernels::cuda;
  if (std::strcmp(version, MXINFER_VERSION) != 0 || bytes != sizeof(cuda::Library)) return nullptr;
  static const cuda::Library library{
      cuda::runtime(),
#define MXINFER_CUDA_KERNEL(function) &cuda::function,
#include "kernels/cuda_library/kernel_list.inc"
#undef MXINFER_CUDA_KERNEL
  };
  return &library;
}

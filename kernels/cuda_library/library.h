// Library: what libmxinfer_cuda.so gives the library that opens it, one table of functions. Both are built
// from the same tree: the table has a version, and is refused if it is another one.
//
//   const Library* library = mxinfer_cuda_library(MXINFER_VERSION, sizeof(Library));   // found with dlsym
//   library->runtime.device_count(&count);
//   library->strided_copy(args, 4, src, dst, stream);
#pragma once

#include "kernels/cuda/runtime.h"
#include "kernels/cuda_library/kernels.h"

namespace mxinfer::kernels::cuda {

struct Library {
  Runtime runtime;
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name, of a member
#define MXINFER_CUDA_KERNEL(function) decltype(&cuda::function) function;
#include "kernels/cuda_library/kernel_list.inc"
#undef MXINFER_CUDA_KERNEL
};

/// The names of the exported functions. const Library* (const char* version, std::size_t bytes): null unless
/// version and size are its own.
inline constexpr const char* kLibraryFunction = "mxinfer_cuda_library";
/// const char* ()
inline constexpr const char* kVersionFunction = "mxinfer_cuda_version";

}  // namespace mxinfer::kernels::cuda

// What a launcher of kernels gets and gives: the stream that it enqueues them in, and a status.
//
//   Status softmax(const SoftmaxArgs& args, const float* src, float* dst, const Stream& stream);
#pragma once

namespace mxinfer::kernels::cuda {

/// A cudaError_t; 0 is success. Runtime::error_text says what the others mean.
using Status = int;
inline constexpr Status kSuccess = 0;

/// A cudaStream_t and the device that it is of.
struct Stream {
  int device = 0;
  void* handle = nullptr;
};

}  // namespace mxinfer::kernels::cuda

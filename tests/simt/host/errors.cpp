#include "simt/host/errors.h"

#include <cstdio>
#include <deque>
#include <mutex>

namespace mxinfer::simt {
namespace {

struct Messages {
  std::mutex mutex;
  std::deque<std::string> all;  ///< which do not move when one is added
};

Messages& messages() {
  static Messages& all = *new Messages;
  return all;
}

struct Known {
  cudaError_t error;
  const char *name, *text;
};

constexpr Known kKnown[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState",
     "the operation cannot be performed in the present state"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
};

thread_local cudaError_t last_error = cudaSuccess;

}  // namespace

cudaError_t report(const std::string& message) {
  std::fprintf(stderr, "SIMT emulator: %s\n", message.c_str());
  Messages& all = messages();
  const std::lock_guard lock(all.mutex);
  all.all.push_back(message);
  return static_cast<cudaError_t>(cudaErrorSimtCheck + static_cast<int>(all.all.size()) - 1);
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

}  // namespace mxinfer::simt

const char* cudaGetErrorName(cudaError_t error) {
  for (const auto& known : mxinfer::simt::kKnown) {
    if (known.error == error) return known.name;
  }
  return error >= cudaErrorSimtCheck ? "cudaErrorSimtCheck" : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  for (const auto& known : mxinfer::simt::kKnown) {
    if (known.error == error) return known.text;
  }
  auto& all = mxinfer::simt::messages();
  const std::lock_guard lock(all.mutex);
  const int index = error - cudaErrorSimtCheck;
  const bool is_ours = index >= 0 && index < static_cast<int>(all.all.size());
  return is_ours ? all.all[static_cast<std::size_t>(index)].c_str() : "unrecognized error code";
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = mxinfer::simt::last_error;
  mxinfer::simt::last_error = cudaSuccess;
  return error;
}

// What the tests of the emulator share: options for a while, memory of the device, and kernels run at once.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "kernels/cuda/dialect.h"
#include "simt/host/options.h"

namespace mxinfer::simt {

/// Sets options; the destructor sets those of before.
class ScopedOptions {
 public:
  explicit ScopedOptions(const char* text) : before_(options()) { mxinfer_simt_set_options(text); }
  ~ScopedOptions() { set_options(before_); }
  ScopedOptions(const ScopedOptions&) = delete;
  ScopedOptions& operator=(const ScopedOptions&) = delete;

 private:
  Options before_;
};

/// The schedules that a result must not depend on.
inline constexpr const char* kSchedules[] = {"order=forward,late=0,multiply_late=1", "order=reverse,late=1",
                                             "order=random,late=1,seed=7", "order=random,late=0,threads=3"};

/// An array of the device. read() is what it holds.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), cudaSuccess);
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    EXPECT_EQ(cudaMemcpyAsync(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice, nullptr),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  }
  ~DeviceArray() { EXPECT_EQ(cudaFree(data_), cudaSuccess); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaMemcpyAsync(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost, nullptr),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// Runs a kernel and waits for it. What its check says; "no error".
template <class... P, class... A>
std::string run_kernel(void (*kernel)(P...), const Grid& grid, dim3 block, std::size_t shared_bytes,
                       A... args) {
  const Status launched = launch(kernel, grid, block, shared_bytes, Stream{}, args...);
  const cudaError_t done = cudaStreamSynchronize(nullptr);
  cudaGetLastError();
  return cudaGetErrorString(launched != cudaSuccess ? static_cast<cudaError_t>(launched) : done);
}

inline constexpr const char* kNoError = "no error";

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

}  // namespace mxinfer::simt

// DeviceScope: which GPU a thread works on, by CUDA's functions or those of the tests' emulator, which the
// includer has declared.
#pragma once

namespace mxinfer::simt {

/// The device of the calling thread for as long as it lives.
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    status_ = cudaGetDevice(&before_);
    if (status_ == cudaSuccess && before_ != device) {
      status_ = cudaSetDevice(device);
      changed_ = status_ == cudaSuccess;
    }
  }
  ~DeviceScope() {
    if (changed_) cudaSetDevice(before_);
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  cudaError_t status() const { return status_; }

 private:
  cudaError_t status_;
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace mxinfer::simt

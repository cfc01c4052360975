// Memory of a layer, which its candidates share: random numbers, each of which the layer reads or writes
// once.
//
//   Memory memory(gpu, kernels::FloatType::float16);
//   const void* src = memory.take(elements);
//   candidate.bytes = memory.bytes();
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/gpu.h"

namespace mxinfer::bench {

class Memory {
 public:
  Memory(Gpu& gpu, kernels::FloatType type) : gpu_(&gpu), type_(type) {}

  void* take(std::int64_t elements) { return take(elements, type_); }
  float* take_floats(std::int64_t elements) {
    return static_cast<float*>(take(elements, kernels::FloatType::float32));
  }
  kernels::FloatType type() const { return type_; }
  double bytes() const { return bytes_; }
  /// Element `at` of values that take() has given.
  const void* element(const void* values, std::int64_t at) const {
    return static_cast<const char*>(values) + at * static_cast<std::int64_t>(kernels::bytes_of(type_));
  }

 private:
  void* take(std::int64_t elements, kernels::FloatType type) {
    bytes_ += static_cast<double>(kernels::bytes_of(type)) * static_cast<double>(elements);
    buffers_->push_back(gpu_->random_values(elements, type));
    return buffers_->back()->data();
  }

  Gpu* gpu_;
  kernels::FloatType type_;
  double bytes_ = 0;
  std::shared_ptr<std::vector<std::unique_ptr<device::Buffer>>> buffers_ =
      std::make_shared<std::vector<std::unique_ptr<device::Buffer>>>();
};

}  // namespace mxinfer::bench

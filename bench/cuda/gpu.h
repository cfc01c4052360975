// A GPU, a stream of it, and the time of what is enqueued there, by events.
//
//   Gpu gpu(0);
//   const auto memory = gpu.random_floats(1 << 20, -1, 1);
//   const double us = gpu.microseconds([&] { gpu.check(launch(gpu.native())); }, {.calls = 10, .rounds = 9});
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "device/cuda/cuda_device.h"
#include "kernels/common/float_type.h"
#include "kernels/common/precision.h"

namespace mxinfer::bench {

/// How long to measure: rounds of so many calls, at least so many rounds and so many seconds.
struct Effort {
  int calls = 10;
  int rounds = 9;
  double seconds = 0;
};

/// What values are in memory for products of a precision.
constexpr kernels::FloatType stored_type(kernels::Precision precision) {
  switch (precision) {
    case kernels::Precision::float16:
      return kernels::FloatType::float16;
    case kernels::Precision::bfloat16:
      return kernels::FloatType::bfloat16;
    default:
      return kernels::FloatType::float32;
  }
}

class Gpu {
 public:
  explicit Gpu(int index);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const kernels::cuda::Library& kernels() const { return device_->kernels(); }
  const kernels::cuda::DeviceProperties& properties() const { return device_->properties(); }
  const kernels::cuda::Stream& native() const {
    return static_cast<const device::CudaStream&>(*stream_).native();
  }
  device::CudaDevice& device() { return *device_; }
  device::Stream& stream() { return *stream_; }
  void check(kernels::cuda::Status status, const char* doing) const { device_->check(status, doing); }

  /// Memory whose floats are uniformly distributed: GPUs multiply zeros faster than other numbers.
  std::unique_ptr<device::Buffer> random_floats(std::int64_t count, float least, float most);
  /// From -1 to 1, in that type.
  std::unique_ptr<device::Buffer> random_values(std::int64_t count, kernels::FloatType type);

  /// The median, over rounds, of what one call of a round takes. `call` enqueues work in stream().
  double microseconds(const std::function<void()>& call, const Effort& effort);

 private:
  void* new_timer() const;
  std::unique_ptr<device::Buffer> repeated(const void* values, std::int64_t different, std::int64_t count,
                                           std::size_t bytes);
  double round(const std::function<void()>& call, int calls);

  std::shared_ptr<device::CudaDevice> device_;
  std::unique_ptr<device::Stream> stream_;
  void *begin_, *end_;
};

}  // namespace mxinfer::bench

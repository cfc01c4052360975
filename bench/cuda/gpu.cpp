#include "cuda/gpu.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "kernels/common/bfloat16.h"
#include "kernels/common/float16.h"

namespace mxinfer::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// As many different numbers as this lie behind one another, over and over.
constexpr std::int64_t kDifferent = std::int64_t{1} << 20;

std::vector<float> random_numbers(std::int64_t count, float least, float most) {
  std::vector<float> values(static_cast<std::size_t>(std::min(count, kDifferent)));
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> distribution(least, most);
  for (float& value : values) value = distribution(generator);
  return values;
}

}  // namespace

Gpu::Gpu(int index)
    : device_(device::CudaDevice::open(index)),
      stream_(device_->new_stream()),
      begin_(new_timer()),
      end_(new_timer()) {}

Gpu::~Gpu() {
  kernels().runtime.destroy_event(begin_);
  kernels().runtime.destroy_event(end_);
}

void* Gpu::new_timer() const {
  void* timer = nullptr;
  check(kernels().runtime.new_timer(device_->index(), &timer), "making an event");
  return timer;
}

std::unique_ptr<device::Buffer> Gpu::repeated(const void* values, std::int64_t different, std::int64_t count,
                                              std::size_t bytes) {
  auto memory = device_->allocate(static_cast<std::size_t>(count) * bytes);
  for (std::int64_t at = 0; at < count; at += different) {
    const auto part = static_cast<std::size_t>(std::min(count - at, different));
    stream_->copy_to_device(memory->data() + static_cast<std::size_t>(at) * bytes, values, part * bytes);
  }
  stream_->synchronize();
  return memory;
}

std::unique_ptr<device::Buffer> Gpu::random_floats(std::int64_t count, float least, float most) {
  const std::vector<float> values = random_numbers(count, least, most);
  return repeated(values.data(), kDifferent, count, sizeof(float));
}

std::unique_ptr<device::Buffer> Gpu::random_values(std::int64_t count, kernels::FloatType type) {
  if (type == kernels::FloatType::float32) return random_floats(count, -1, 1);
  std::vector<std::uint16_t> halves;
  for (const float value : random_numbers(count, -1, 1)) {
    halves.push_back(type == kernels::FloatType::float16 ? kernels::Float16(value).bits
                                                         : kernels::BFloat16(value).bits);
  }
  return repeated(halves.data(), kDifferent, count, sizeof(std::uint16_t));
}

double Gpu::microseconds(const std::function<void()>& call, const Effort& effort) {
  round(call, effort.calls);  // kernels are loaded, clocks rise
  std::vector<double> times;
  const auto end = Clock::now() + std::chrono::duration<double>(effort.seconds);
  while (static_cast<int>(times.size()) < effort.rounds || Clock::now() < end)
    times.push_back(round(call, effort.calls));
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

double Gpu::round(const std::function<void()>& call, int calls) {
  check(kernels().runtime.record_event(begin_, native()), "recording an event");
  for (int i = 0; i < calls; ++i) call();
  check(kernels().runtime.record_event(end_, native()), "recording an event");
  stream_->synchronize();
  float ms = 0;
  check(kernels().runtime.elapsed_ms(begin_, end_, &ms), "reading the time of events");
  return 1e3 * static_cast<double>(ms) / calls;
}

}  // namespace mxinfer::bench

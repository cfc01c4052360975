#include "cuda/gpu.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

namespace mxinfer::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// As many different numbers as this lie behind one another, over and over.
constexpr std::int64_t kDifferent = std::int64_t{1} << 20;

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

std::unique_ptr<device::Buffer> Gpu::random_floats(std::int64_t count, float least, float most) {
  std::vector<float> values(static_cast<std::size_t>(std::min(count, kDifferent)));
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> distribution(least, most);
  for (float& value : values) value = distribution(generator);
  auto memory = device_->allocate(static_cast<std::size_t>(count) * sizeof(float));
  auto* const floats = reinterpret_cast<float*>(memory->data());
  for (std::int64_t at = 0; at < count; at += kDifferent) {
    const auto part = static_cast<std::size_t>(std::min(count - at, kDifferent));
    stream_->copy_to_device(floats + at, values.data(), part * sizeof(float));
  }
  stream_->synchronize();
  return memory;
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

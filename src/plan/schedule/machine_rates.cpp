#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/files/aligned_memory.h"
#include "base/threads/thread_arena.h"
#include "kernels/speed/speed.h"
#include "plan/schedule/machine.h"

namespace mxinfer::plan {
namespace {

using Clock = std::chrono::steady_clock;
using kernels::MachineRates;
using kernels::SpeedKernel;

// Other programs and a slow clock can only make a run longer, so the best of several runs counts.
constexpr int kRuns = 6;
constexpr std::int64_t kRounds = 20'000;
constexpr std::int64_t kCacheFloats = 32 * 1024;   // 128 KiB: more than a first-level cache
constexpr std::int64_t kMemoryFloats = 64 * 1024;  // 256 KiB, flushed from all caches before

template <typename Body>
double seconds_of(const Body& body) {
  const Clock::time_point start = Clock::now();
  body();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <typename Body>
double best_seconds(const Body& body) {
  double best = 1;
  for (int run = 0; run < kRuns; ++run) best = std::min(best, body());
  // A clock that stands still must not divide by zero.
  return std::max(best, 1e-9);
}

// Receives the results of the loops, so that they are not optimised away.
void use(float value) {
  static std::atomic<float> sink;
  sink.store(value, std::memory_order_relaxed);
}

struct Buffer {
  Buffer() : memory(kMemoryFloats * sizeof(float)) {
    std::fill_n(data(), kMemoryFloats, 1.0f);  // every page exists
  }
  float* data() { return reinterpret_cast<float*>(memory.data()); }
  AlignedBuffer memory;
};

MachineRates of_one_core(const SpeedKernel& kernel) {
  Buffer buffer;
  const float* data = buffer.data();
  MachineRates rates;
  const double multiply = best_seconds([&] { return seconds_of([&] { use(kernel.multiply(kRounds)); }); });
  const double cache =
      best_seconds([&] { return seconds_of([&] { use(kernel.read(data, kCacheFloats)); }); });
  const double memory = best_seconds([&] {
    kernels::flush_from_caches(data, kMemoryFloats);
    return seconds_of([&] { use(kernel.read(data, kMemoryFloats)); });
  });
  rates.flops = static_cast<double>(kRounds) * kernel.round_flops / multiply;
  rates.cache_bytes = static_cast<double>(kCacheFloats * sizeof(float)) / cache;
  rates.memory_bytes = static_cast<double>(kMemoryFloats * sizeof(float)) / memory;
  return rates;
}

// Bytes per second that `threads` threads read from memory together; 0 if the system refuses threads. Uses
// its own threads, because the pool of a predictor starts with its first predict.
double all_memory_bytes(const SpeedKernel& kernel, int threads) {
  std::vector<Buffer> buffers(static_cast<std::size_t>(threads));
  std::size_t readers_there = 0;
  const double seconds = best_seconds([&] {
    std::atomic<std::size_t> ready{0};
    std::atomic<bool> go{false};
    std::vector<double> took(buffers.size());
    std::vector<std::thread> readers;
    readers.reserve(buffers.size());
    try {
      for (std::size_t i = 0; i < buffers.size(); ++i) {
        readers.emplace_back([&, i] {
          kernels::flush_from_caches(buffers[i].data(), kMemoryFloats);
          ++ready;
          while (!go.load()) std::this_thread::yield();
          took[i] = seconds_of([&] { use(kernel.read(buffers[i].data(), kMemoryFloats)); });
        });
      }
    } catch (const std::system_error&) {
      // Those that are there read.
    }
    while (ready.load() < readers.size()) std::this_thread::yield();
    go = true;
    for (std::thread& reader : readers) reader.join();
    readers_there = readers.size();
    return *std::max_element(took.begin(), took.end());
  });
  return static_cast<double>(static_cast<std::size_t>(kMemoryFloats) * sizeof(float) * readers_there) /
         seconds;
}

}  // namespace

const MachineRates& machine_rates(kernels::Target target, int threads) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::pair<kernels::Target, int>, MachineRates>;
  const int cores = std::min(threads, usable_cores());
  const std::lock_guard lock(mutex);
  const auto found = known.find({target, cores});
  if (found != known.end()) return found->second;
  const SpeedKernel& kernel = kernels::speed_kernel(target);
  const auto single = known.find({target, 1});
  MachineRates rates = single != known.end() ? single->second : of_one_core(kernel);
  rates.cores = cores;
  rates.all_memory_bytes =
      cores > 1 ? std::max(all_memory_bytes(kernel, cores), rates.memory_bytes) : rates.memory_bytes;
  return known.emplace(std::pair(target, cores), rates).first->second;
}

}  // namespace mxinfer::plan

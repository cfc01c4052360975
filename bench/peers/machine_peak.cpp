// What the machine can do at most, without any of the libraries that are compared: float32 multiply-adds on
// registers, and reading memory that no cache holds. Prints a line of JSON for each number of threads that it
// is given.
//
//   c++ -O3 -march=native -pthread machine_peak.cpp -o machine_peak && ./machine_peak 1 2
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#else
constexpr int kLanes = 8;
#endif
typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));

constexpr int kChains = 12;  // enough to fill two pipes of any latency up to 6
constexpr long kRounds = 20'000'000;
constexpr std::size_t kFloats = std::size_t{64} << 20;  // 256 MB for each thread

float multiply_adds() {
  Floats sum[kChains];
  for (int i = 0; i < kChains; ++i) sum[i] = Floats{} + static_cast<float>(i);
  const Floats factor = Floats{} + 0.999f, term = Floats{} + 0.001f;
  for (long r = 0; r < kRounds; ++r) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) sum[i] = sum[i] * factor + term;
  }
  float total = 0;
  for (const Floats& value : sum) total += value[0];
  return total;
}

float read_all(const std::vector<float>& memory) {
  constexpr std::size_t kSums = 4;
  Floats sum[kSums] = {};
  const float* end = memory.data() + memory.size();
  for (const float* p = memory.data(); p < end; p += kSums * kLanes) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kSums; ++i) {
      Floats value;
      __builtin_memcpy(&value, p + i * kLanes, sizeof value);
      sum[i] += value;
    }
  }
  return (sum[0] + sum[1] + sum[2] + sum[3])[0];
}

/// Seconds that `threads` threads take for one work each, the best of five tries.
double best_seconds(int threads, const std::function<float(int)>& work) {
  double best = 1e30;
  for (int attempt = 0; attempt < 5; ++attempt) {
    std::atomic<float> sink{0};
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t) running.emplace_back([&, t] { sink = work(t); });
    for (std::thread& thread : running) thread.join();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const int threads = std::max(1, std::atoi(argv[i]));
    const double flops = 2.0 * kChains * kLanes * kRounds * threads;
    const double gflops = flops / best_seconds(threads, [](int) { return multiply_adds(); }) / 1e9;
    std::vector<std::vector<float>> memory(static_cast<std::size_t>(threads),
                                           std::vector<float>(kFloats, 1.0f));
    const double bytes = static_cast<double>(kFloats * sizeof(float)) * threads;
    const auto read = [&](int t) { return read_all(memory[static_cast<std::size_t>(t)]); };
    const double read_gb = bytes / best_seconds(threads, read) / 1e9;
    std::printf("{\"threads\": %d, \"gflops\": %.1f, \"read_gb_s\": %.1f}\n", threads, gflops, read_gb);
  }
}

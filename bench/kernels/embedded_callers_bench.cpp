// Callers inside of other libraries' threads: what a program with oneTBB or OpenMP loops of its own gets,
// beside plain threads and one call after the other. Threads that both sides start and that then share the
// cores would show as a rate below that of plain threads, and as switches that the system forces.
//
//   mxinfer_bench --benchmark_filter=embedded --benchmark_min_time=2
#include <mxinfer/predictor.h>
#include <sys/resource.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "bench.h"

namespace mxinfer::bench {
namespace {

/// Calls of one iteration.
constexpr int kCalls = 64;
/// Images of a call: about a millisecond on one core.
constexpr std::int64_t kBatch = 16;

class Calls {
 public:
  Calls() : predictor_(std::string(MXINFER_SOURCE_DIR) + "/models/digits") {
    for (int i = 0; i < kCalls; ++i) {
      outputs_.emplace_back(DType::float32, Shape{kBatch, 10});
      call(i);
    }
  }
  void call(int i) { predictor_.predict_into({input_}, {outputs_[static_cast<std::size_t>(i)]}); }

 private:
  Predictor predictor_;
  Tensor input_{DType::float32, {kBatch, 1, 32, 32}};
  std::vector<Tensor> outputs_;
};

void in_turn(Calls& calls) {
  for (int i = 0; i < kCalls; ++i) calls.call(i);
}

void in_plain_threads(Calls& calls) {
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 2 * std::thread::hardware_concurrency(); ++t) {
    threads.emplace_back([&] {
      for (int i = next++; i < kCalls; i = next++) calls.call(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void in_tbb(Calls& calls) {
  tbb::parallel_for(0, kCalls, [&](int i) { calls.call(i); });
}

#ifdef _OPENMP
void in_openmp(Calls& calls) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kCalls; ++i) calls.call(i);
}
#endif

long forced_switches() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

void measure_callers(const std::string& name, void (*run)(Calls&)) {
  const auto body = [run](benchmark::State& state) {
    Calls calls;
    run(calls);
    const long before = forced_switches();
    for (auto _ : state) run(calls);
    report(state, {.items = kCalls});
    state.counters["forced switches a call"] = benchmark::Counter(
        static_cast<double>(forced_switches() - before) / kCalls, benchmark::Counter::kAvgIterations);
  };
  benchmark::RegisterBenchmark(("embedded/" + name).c_str(), body)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

const Family embedded([] {
  measure_callers("one_after_the_other", in_turn);
  measure_callers("plain_threads", in_plain_threads);
  measure_callers("tbb", in_tbb);
#ifdef _OPENMP
  measure_callers("openmp", in_openmp);
#endif
});

}  // namespace
}  // namespace mxinfer::bench

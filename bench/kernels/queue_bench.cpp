// Processor time of the queue: a request that is empty, and a network of about 100 microseconds with and
// without a queue.
//
//   mxinfer_bench --benchmark_filter=queue --benchmark_min_time=1 --benchmark_repetitions=5
//
// The column CPU is that of all threads of the process: what they spend on waking each other counts. The
// queue's own part of a call is the CPU of `async` less that of `sync`: of `sync` on each core where several
// are in flight.
#include <mxinfer/async/completion_queue.h>
#include <mxinfer/async/request_queue.h>
#include <mxinfer/predictor.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "dense_layers.h"

namespace mxinfer::bench {
namespace {

/// Runs the loop of the bench on warm memory and threads.
template <typename Call>
void run_loop(benchmark::State& state, const Call& call) {
  for (int i = 0; i < 100; ++i) call();
  for (auto _ : state) call();
}

/// Predictions in flight, taken in the order in which they were submitted.
class Window {
 public:
  explicit Window(std::size_t size) : slots_(size) {}
  /// Waits for the oldest if the window is full, and submits in its place.
  template <typename Submit>
  void next(const Submit& submit) {
    Prediction<void>& slot = slots_[at_];
    if (slot.valid()) slot.get();
    slot = submit(at_);
    at_ = (at_ + 1) % slots_.size();
  }
  void drain() {
    for (Prediction<void>& slot : slots_) {
      if (slot.valid()) slot.get();
    }
  }

 private:
  std::vector<Prediction<void>> slots_;
  std::size_t at_ = 0;
};

/// submit() of an empty function, and get().
void run_empty(benchmark::State& state, std::size_t window_size, int workers) {
  AsyncOptions options;
  options.workers = workers;
  RequestQueue queue(options);
  Window window(window_size);
  run_loop(state, [&] { window.next([&](std::size_t) { return queue.submit([] {}); }); });
  window.drain();
}

/// Outputs of its own for each call in flight.
class Network {
 public:
  Network(int threads, std::size_t in_flight) : predictor_(dense_layers::model(), with_threads(threads)) {
    for (std::size_t i = 0; i < in_flight; ++i)
      outputs_.emplace_back(DType::float32, Shape{dense_layers::kBatch, dense_layers::kWidth});
    for (std::int64_t i = 0; i < input_.elements(); ++i)
      input_.data<float>()[i] = static_cast<float>(i % 17) * 0.1f;
  }
  void call() { predictor_.predict_into({input_}, {outputs_[0]}); }
  Prediction<void> submit(std::size_t slot) {
    return predictor_.predict_into_async({input_}, {outputs_[slot]});
  }
  template <typename Callback>
  void submit(std::size_t slot, Callback&& callback) {
    predictor_.queue().submit([this, slot] { predictor_.predict_into({input_}, {outputs_[slot]}); },
                              std::forward<Callback>(callback));
  }

 private:
  static Options with_threads(int threads) {
    Options options;
    options.threads = threads;
    return options;
  }
  Tensor input_{DType::float32, {dense_layers::kBatch, dense_layers::kWidth}};
  std::vector<Tensor> outputs_;
  Predictor predictor_;  // ends first: it has the queue
};

void run_sync(benchmark::State& state, int threads) {
  Network network(threads, 1);
  run_loop(state, [&] { network.call(); });
}

void run_async(benchmark::State& state, int threads, std::size_t window_size) {
  Network network(threads, window_size);
  Window window(window_size);
  run_loop(state, [&] { window.next([&](std::size_t slot) { return network.submit(slot); }); });
  window.drain();
}

/// As async, taken as they end: one loop and a CompletionQueue.
void run_completions(benchmark::State& state, int threads, std::size_t window_size) {
  Network network(threads, window_size);
  CompletionQueue<void, std::size_t> ended;
  for (std::size_t i = 0; i < window_size; ++i) ended.add(i, network.submit(i));
  run_loop(state, [&] {
    auto next = ended.next();
    next->prediction.get();
    ended.add(next->tag, network.submit(next->tag));
  });
}

/// Chains of calls, each submitted by the callback of the one before it, on its worker: nobody waits, so that
/// no thread is woken, and what is left is the work of the queue itself.
class Chains {
 public:
  Chains(Network& network, std::size_t count) : network_(network), count_(count) {}

  void run(std::int64_t calls) {
    left_ = calls;
    ended_ = 0;
    for (std::size_t i = 0; i < count_; ++i) next(i);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ == count_; });
  }

 private:
  void next(std::size_t chain) {
    if (left_.fetch_sub(1, std::memory_order_relaxed) <= 0) {
      const std::lock_guard lock(mutex_);
      if (++ended_ == count_) changed_.notify_one();
      return;
    }
    network_.submit(chain, [this, chain](Prediction<void> done) {
      done.get();
      next(chain);
    });
  }

  Network& network_;
  std::size_t count_, ended_ = 0;
  std::atomic<std::int64_t> left_{0};
  std::mutex mutex_{};
  std::condition_variable changed_{};
};

void run_chains(benchmark::State& state, int threads, std::size_t in_flight) {
  Network network(threads, in_flight);
  Chains chains(network, in_flight);
  constexpr std::int64_t kCalls = 1000;  // of one measurement, so that to start and end them is nothing
  chains.run(kCalls);
  while (state.KeepRunningBatch(kCalls)) chains.run(kCalls);
}

benchmark::internal::Benchmark* add(const std::string& name,
                                    const std::function<void(benchmark::State&)>& run) {
  return benchmark::RegisterBenchmark(("queue/" + name).c_str(), run)
      ->Unit(benchmark::kMicrosecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

const Family queue([] {
  for (const std::size_t window : {1U, 16U}) {
    const std::string in_flight = std::to_string(window) + "_in_flight";
    add("empty_" + in_flight, [window](auto& state) { run_empty(state, window, 0); });
    // Workers have nobody to compete with.
    add("empty_" + in_flight + "_1_worker", [window](auto& state) { run_empty(state, window, 1); });
  }
  for (const int threads : {1, 0}) {
    const std::string of = threads == 1 ? "mlp" : "mlp_all_cores";
    const auto sync = [threads](auto& state) { run_sync(state, threads); };
    add(of + "_sync", sync);
    // What cores that are all busy take from each other is no part of the queue.
    if (threads == 1) add(of + "_sync_on_each_core", sync)->ThreadPerCpu();
    for (const std::size_t window : {1U, 16U}) {
      const std::string in_flight = std::to_string(window) + "_in_flight";
      add(of + "_async_" + in_flight, [=](auto& state) { run_async(state, threads, window); });
      add(of + "_completions_" + in_flight, [=](auto& state) { run_completions(state, threads, window); });
      add(of + "_callbacks_" + in_flight, [=](auto& state) { run_chains(state, threads, window); });
    }
  }
});

}  // namespace
}  // namespace mxinfer::bench

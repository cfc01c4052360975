// CallCounters: lock-free counters for CallMetrics.
//
//   counters.submitted(); ...; counters.started(queue_time); ...; counters.ended(RequestOutcome::done, run_time);
#pragma once

#include <mxinfer/async/async_options.h>
#include <mxinfer/async/call_metrics.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace mxinfer::runtime {

/// Thread-safe.
class CallCounters {
 public:
  using Time = std::chrono::nanoseconds;

  void submitted() noexcept { add(submitted_); }
  void refused() noexcept { add(refused_); }
  void started(Time queue_time) noexcept;
  /// A started call has ended, after this run time.
  void ended(RequestOutcome outcome, Time run_time) noexcept;
  /// A call has ended without having started.
  void ended_unstarted(RequestOutcome outcome) noexcept;
  /// So many calls ran as one batch.
  void ran_batch(int size) noexcept;
  void callback_failed() noexcept { add(failed_callbacks_); }

  CallMetrics read() const noexcept;

 private:
  using Counter = std::atomic<std::uint64_t>;
  struct Histogram {
    std::array<Counter, LatencyHistogram::bounds.size() + 1> counts{};
    Counter nanoseconds{0};
    void add(Time time) noexcept;
    LatencyHistogram read() const noexcept;
  };
  static void add(Counter& counter, std::uint64_t n = 1) noexcept {
    counter.fetch_add(n, std::memory_order_relaxed);
  }
  Counter& of(RequestOutcome outcome) noexcept;

  Counter submitted_{0}, started_{0}, ended_unstarted_{0}, ended_{0};
  Counter done_{0}, failed_{0}, cancelled_{0}, expired_{0}, refused_{0}, failed_callbacks_{0};
  Counter batches_{0}, batched_{0};
  Histogram queue_time_{}, run_time_{};
};

}  // namespace mxinfer::runtime

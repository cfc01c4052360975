#include "runtime/call_counters.h"

#include <algorithm>

namespace mxinfer::runtime {
namespace {

std::uint64_t read_counter(const std::atomic<std::uint64_t>& counter) noexcept {
  return counter.load(std::memory_order_relaxed);
}

/// Counters are read one after another while calls come and go.
std::uint64_t difference(std::uint64_t a, std::uint64_t b) noexcept {
  return a > b ? a - b : 0;
}

}  // namespace

void CallCounters::Histogram::add(Time time) noexcept {
  const double seconds = std::chrono::duration<double>(time).count();
  const auto& bounds = LatencyHistogram::bounds;
  const auto bucket = std::lower_bound(bounds.begin(), bounds.end(), seconds) - bounds.begin();
  CallCounters::add(counts[static_cast<std::size_t>(bucket)]);
  CallCounters::add(nanoseconds, static_cast<std::uint64_t>(std::max<Time::rep>(0, time.count())));
}

LatencyHistogram CallCounters::Histogram::read() const noexcept {
  LatencyHistogram histogram;
  for (std::size_t i = 0; i < counts.size(); ++i) histogram.counts[i] = read_counter(counts[i]);
  histogram.sum_seconds = static_cast<double>(read_counter(nanoseconds)) * 1e-9;
  return histogram;
}

CallCounters::Counter& CallCounters::of(RequestOutcome outcome) noexcept {
  switch (outcome) {
    case RequestOutcome::done:
      return done_;
    case RequestOutcome::cancelled:
      return cancelled_;
    case RequestOutcome::expired:
      return expired_;
    case RequestOutcome::refused:
      return refused_;
    default:
      return failed_;
  }
}

void CallCounters::started(Time queue_time) noexcept {
  add(started_);
  queue_time_.add(queue_time);
}

void CallCounters::ended(RequestOutcome outcome, Time run_time) noexcept {
  add(ended_);
  add(of(outcome));
  run_time_.add(run_time);
}

void CallCounters::ended_unstarted(RequestOutcome outcome) noexcept {
  add(ended_unstarted_);
  add(of(outcome));
}

void CallCounters::ran_batch(int size) noexcept {
  add(batches_);
  add(batched_, static_cast<std::uint64_t>(size));
}

CallMetrics CallCounters::read() const noexcept {
  CallMetrics metrics;
  const std::uint64_t ended = read_counter(ended_), unstarted = read_counter(ended_unstarted_);
  const std::uint64_t started = read_counter(started_);
  metrics.submitted = read_counter(submitted_);
  metrics.running = difference(started, ended);
  metrics.waiting = difference(metrics.submitted, started + unstarted);
  metrics.done = read_counter(done_);
  metrics.failed = read_counter(failed_);
  metrics.cancelled = read_counter(cancelled_);
  metrics.expired = read_counter(expired_);
  metrics.refused = read_counter(refused_);
  metrics.failed_callbacks = read_counter(failed_callbacks_);
  metrics.batches = read_counter(batches_);
  metrics.batched = read_counter(batched_);
  metrics.queue_time = queue_time_.read();
  metrics.run_time = run_time_.read();
  return metrics;
}

}  // namespace mxinfer::runtime

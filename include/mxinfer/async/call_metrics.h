// CallMetrics: counts and times of calls, for a service's metrics.
//
//   std::string page = mxinfer::prometheus_text(queue.metrics(), R"(model="resnet18")");
//   if (queue.metrics().waiting > 32) shed_load();
#pragma once

#include <mxinfer/export.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How many calls took how long.
struct LatencyHistogram {
  /// Upper bounds in seconds, inclusive, from 50 microseconds to 10 seconds.
  static constexpr std::array<double, 17> bounds{50e-6,  100e-6, 250e-6, 500e-6, 1e-3,   2.5e-3,
                                                 5e-3,   10e-3,  25e-3,  50e-3,  100e-3, 250e-3,
                                                 500e-3, 1.0,    2.5,    5.0,    10.0};
  /// Calls of each bucket alone, not of those below it; the last one is of those above all bounds.
  std::array<std::uint64_t, bounds.size() + 1> counts{};
  double sum_seconds = 0;

  [[nodiscard]] MXINFER_API std::uint64_t count() const noexcept;
  /// The time that a part of all calls, 0..1, stayed below: interpolated inside of its bucket; 0 without
  /// calls, the last bound if it is above all bounds.
  [[nodiscard]] MXINFER_API double quantile_seconds(double part) const noexcept;
};

/// Of a Predictor and its copies, or of a RequestQueue.
struct CallMetrics {
  std::uint64_t submitted =
      0;  ///< calls that were taken: waiting + running + done + failed + cancelled + expired
  std::uint64_t waiting = 0;  ///< now, for a worker or for a thread
  std::uint64_t running = 0;  ///< now
  std::uint64_t done = 0;     ///< with a result
  std::uint64_t failed = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t expired = 0;
  std::uint64_t refused = 0;           ///< not taken; none of submitted
  std::uint64_t failed_callbacks = 0;  ///< that threw
  std::uint64_t batches = 0;           ///< that calls ran together in (AsyncOptions::max_batch)
  std::uint64_t batched = 0;           ///< calls that ran in one
  LatencyHistogram queue_time{};       ///< of what started: from the submission to the start
  LatencyHistogram run_time{};         ///< of what started: from the start to the end
};

/// In Prometheus' text format, version 0.0.4: counters mxinfer_calls_total by outcome, gauges
/// mxinfer_calls_waiting and mxinfer_calls_running, histograms mxinfer_queue_seconds and mxinfer_run_seconds.
/// `labels` goes into the braces of each, as it is: model="resnet18",version="3". For several sources, give
/// each its labels and join the texts with `with_help` for the first alone. Predictor::prometheus_text gives
/// this and the memory of a predictor.
[[nodiscard]] MXINFER_API std::string prometheus_text(const CallMetrics& metrics,
                                                      std::string_view labels = {}, bool with_help = true);

}  // namespace MXINFER_ABI
}  // namespace mxinfer

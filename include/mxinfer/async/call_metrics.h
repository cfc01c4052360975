// CallMetrics: counts and times of calls, for a server's metrics.
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

/// A histogram of the durations of calls.
struct LatencyHistogram {
  /// Upper bounds in seconds, inclusive, from 50 microseconds to 10 seconds.
  static constexpr std::array<double, 17> bounds{50e-6,  100e-6, 250e-6, 500e-6, 1e-3,   2.5e-3,
                                                 5e-3,   10e-3,  25e-3,  50e-3,  100e-3, 250e-3,
                                                 500e-3, 1.0,    2.5,    5.0,    10.0};
  /// How many calls are in each bucket, not cumulated. The last bucket is above all bounds.
  std::array<std::uint64_t, bounds.size() + 1> counts{};
  double sum_seconds = 0;

  /// Returns how many calls there were.
  [[nodiscard]] MXINFER_API std::uint64_t count() const noexcept;
  /// Returns the time below which the fraction `part` (0 to 1) of all calls took, interpolated inside a
  /// bucket. Returns 0 if there were no calls, and the last bound if the time is above all bounds.
  [[nodiscard]] MXINFER_API double quantile_seconds(double part) const noexcept;
};

/// Counts and times of a Predictor and its copies, or of a RequestQueue.
struct CallMetrics {
  std::uint64_t submitted = 0;  ///< calls accepted: waiting + running + done + failed + cancelled + expired
  std::uint64_t waiting = 0;    ///< calls that wait now for a worker or a thread
  std::uint64_t running = 0;    ///< calls that run now
  std::uint64_t done = 0;       ///< calls that ended with a result
  std::uint64_t failed = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t expired = 0;
  std::uint64_t refused = 0;           ///< calls not accepted, and not part of `submitted`
  std::uint64_t failed_callbacks = 0;  ///< callbacks that threw
  std::uint64_t batches = 0;           ///< batches that calls ran in together (AsyncOptions::max_batch)
  std::uint64_t batched = 0;           ///< calls that ran in such a batch
  LatencyHistogram queue_time{};       ///< of calls that started: from submission to start
  LatencyHistogram run_time{};         ///< of calls that started: from start to end
};

/// Returns the metrics in Prometheus' text format, version 0.0.4: counters mxinfer_calls_total by outcome,
/// gauges mxinfer_calls_waiting and mxinfer_calls_running, and histograms mxinfer_queue_seconds and
/// mxinfer_run_seconds. `labels` goes unchanged into the braces of each line: model="resnet18",version="3".
/// For several sources, give each its own labels, set `with_help` for the first only, and concatenate the
/// texts. Predictor::prometheus_text returns this together with the memory of a predictor.
[[nodiscard]] MXINFER_API std::string prometheus_text(const CallMetrics& metrics,
                                                      std::string_view labels = {}, bool with_help = true);

}  // namespace MXINFER_ABI
}  // namespace mxinfer

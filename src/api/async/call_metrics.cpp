#include <mxinfer/async/call_metrics.h>

#include <array>
#include <charconv>
#include <numeric>
#include <string>

#include "api/async/prometheus_text.h"
#include "base/fail.h"

namespace mxinfer {
namespace {

using api::PrometheusText;

/// A time, with enough digits for a sum of many.
std::string seconds_text(double seconds) {
  std::array<char, 400> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed).ptr;
  return {text.data(), end};
}

void add_histogram(PrometheusText& text, const std::string& name, std::string_view help,
                   const LatencyHistogram& histogram) {
  text.family(name, "histogram", help);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    below += histogram.counts[i];
    const bool last = i == LatencyHistogram::bounds.size();
    text.sample(
        name + "_bucket", below,
        concat("le=\"", last ? std::string("+Inf") : seconds_text(LatencyHistogram::bounds[i]), "\""));
  }
  text.sample(name + "_sum", seconds_text(histogram.sum_seconds));
  text.sample(name + "_count", below);
}

}  // namespace

std::uint64_t LatencyHistogram::count() const noexcept {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double LatencyHistogram::quantile_seconds(double part) const noexcept {
  const double wanted = part * static_cast<double>(count());
  double below = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const auto here = static_cast<double>(counts[i]);
    if (here > 0 && below + here >= wanted) {
      const double from = i == 0 ? 0 : bounds[i - 1];
      return from + (bounds[i] - from) * (wanted > below ? (wanted - below) / here : 0);
    }
    below += here;
  }
  return count() == 0 ? 0 : bounds.back();
}

std::string MXINFER_ABI::prometheus_text(const CallMetrics& metrics, std::string_view labels,
                                         bool with_help) try {
  PrometheusText text(labels, with_help);
  text.family("mxinfer_calls_total", "counter", "Calls that ended or were refused, by outcome.");
  text.sample("mxinfer_calls_total", metrics.done, "outcome=\"done\"");
  text.sample("mxinfer_calls_total", metrics.failed, "outcome=\"failed\"");
  text.sample("mxinfer_calls_total", metrics.cancelled, "outcome=\"cancelled\"");
  text.sample("mxinfer_calls_total", metrics.expired, "outcome=\"expired\"");
  text.sample("mxinfer_calls_total", metrics.refused, "outcome=\"refused\"");
  text.family("mxinfer_calls_submitted_total", "counter", "Calls that were accepted.");
  text.sample("mxinfer_calls_submitted_total", metrics.submitted);
  text.family("mxinfer_failed_callbacks_total", "counter", "Callbacks of predictions that threw.");
  text.sample("mxinfer_failed_callbacks_total", metrics.failed_callbacks);
  text.family("mxinfer_batches_total", "counter", "Batches in which calls ran together.");
  text.sample("mxinfer_batches_total", metrics.batches);
  text.family("mxinfer_batched_calls_total", "counter", "Calls that ran in a batch with others.");
  text.sample("mxinfer_batched_calls_total", metrics.batched);
  text.family("mxinfer_calls_waiting", "gauge", "Calls that are waiting for a worker or a thread.");
  text.sample("mxinfer_calls_waiting", metrics.waiting);
  text.family("mxinfer_calls_running", "gauge", "Calls that are running.");
  text.sample("mxinfer_calls_running", metrics.running);
  add_histogram(text, "mxinfer_queue_seconds", "Time from the submission to the start.", metrics.queue_time);
  add_histogram(text, "mxinfer_run_seconds", "Time from the start to the end.", metrics.run_time);
  return text.take();
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer

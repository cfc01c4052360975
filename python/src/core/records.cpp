#include "core/records.h"

#include <mxinfer/error.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/arrays.h"
#include "core/errors.h"

namespace mxinfer::python {
namespace nb = nanobind;

nb::object to_python(const std::string& text) {
  return text_of(text);
}

nb::object to_python(std::vector<Tensor> tensors) {
  nb::list list;
  for (Tensor& tensor : tensors) list.append(to_numpy(std::move(tensor)));
  return list;
}

nb::object to_python(std::vector<std::vector<Tensor>> lists) {
  nb::list list;
  for (std::vector<Tensor>& tensors : lists) list.append(to_python(std::move(tensors)));
  return list;
}

nb::object to_python(const Shape& shape) {
  nb::list sizes;
  for (const std::int64_t size : shape) sizes.append(size);
  return nb::tuple(sizes);
}

nb::object to_python(const DataDesc& desc) {
  return nb::make_tuple(text_of(desc.name), to_python(desc.shape), to_string(desc.dtype),
                        text_of(desc.layout), to_string(desc.meaning), desc.is_guess, desc.is_optional,
                        desc.is_nullable);
}

nb::object to_python(const ModelMemory& memory) {
  return nb::make_tuple(memory.stored_weights, memory.packed_weights);
}

nb::object to_python(const PredictorMemory& memory) {
  nb::list devices;
  for (const DeviceMemory& of : memory.devices)
    devices.append(nb::make_tuple(of.device, of.weights, of.workspaces, of.staging, of.pooled));
  return nb::make_tuple(to_python(memory.weights), memory.plans, memory.workspaces, memory.idle_workspaces,
                        devices);
}

nb::object to_python(const PredictorStats& stats) {
  return nb::make_tuple(stats.calls, stats.plan_misses, stats.plans_made, stats.plans, stats.running,
                        stats.idle_executors, stats.executor_bytes, stats.weight_bytes);
}

namespace {

nb::object histogram(const LatencyHistogram& times) {
  nb::list counts;
  for (const std::uint64_t count : times.counts) counts.append(count);
  return nb::make_tuple(nb::tuple(counts), times.sum_seconds);
}

nb::object step(const StepInfo& info) {
  nb::list rejected;
  for (const RejectedImplementation& other : info.rejected)
    rejected.append(nb::make_tuple(text_of(other.name), text_of(other.reason)));
  return nb::make_tuple(text_of(info.node), text_of(info.op), text_of(info.output), text_of(info.kernel),
                        text_of(info.reason), text_of(info.device), rejected, to_python(info.notes),
                        info.flops, info.inner, info.predicted_ms);
}

}  // namespace

nb::object to_python(const CallMetrics& metrics) {
  return nb::make_tuple(metrics.submitted, metrics.waiting, metrics.running, metrics.done, metrics.failed,
                        metrics.cancelled, metrics.expired, metrics.refused, metrics.failed_callbacks,
                        metrics.batches, metrics.batched, histogram(metrics.queue_time),
                        histogram(metrics.run_time));
}

nb::object to_python(const PlanInfo& plan) {
  nb::list steps;
  for (const StepInfo& info : plan.steps) steps.append(step(info));
  return nb::make_tuple(steps, text_of(plan.target), text_of(plan.precision), plan.threads, plan.arena_bytes,
                        plan.intermediate_bytes, plan.packed_weight_bytes, to_python(plan.warnings),
                        text_of(to_string(plan)));
}

nb::object to_python(const NamedShape& shape) {
  return nb::make_tuple(text_of(shape.first), to_python(shape.second));
}

nb::object to_python(const Classification& found) {
  return nb::make_tuple(text_of(found.label), found.score, found.index);
}

nb::object to_python(const Detection& found) {
  nb::list landmarks;
  for (const Point& point : found.landmarks) landmarks.append(nb::make_tuple(point.x, point.y));
  return nb::make_tuple(text_of(found.label), found.score, found.index,
                        nb::make_tuple(found.box.left, found.box.top, found.box.right, found.box.bottom),
                        landmarks);
}

nb::object to_python(const DetectReport& report) {
  nb::list histogram;
  for (const std::int64_t count : report.histogram) histogram.append(count);
  const nb::tuple counts = nb::make_tuple(
      report.rows, report.candidates, report.nan_scores, report.other_classes, report.below_threshold,
      report.nan_boxes, report.empty_boxes, report.outside, report.suppressed, report.beyond_most);
  return nb::make_tuple(to_python(report.detections), counts, histogram, to_python(report.best),
                        text_of(to_string(report)));
}

nb::object to_python(const ItemError& error) {
  return nb::make_tuple(error.item, python_error_of(error.error));
}

nb::object to_python(const SettingInfo& setting) {
  return nb::make_tuple(setting.name, to_string(setting.group), setting.value, setting.default_text,
                        setting.help);
}

std::vector<NamedShape> named_shapes(const ShapePairs& shapes) {
  std::vector<NamedShape> result;
  for (const auto& [name, sizes] : shapes) result.emplace_back(name, Shape(sizes));
  return result;
}

Settings settings_of(const SettingPairs& pairs) {
  Settings settings;
  for (const auto& [name, value] : pairs) settings.set(name, value);
  return settings;
}

SubmitOptions submit_options(const nb::object& deadline, const std::string& priority) {
  SubmitOptions options;
  if (priority == "high") {
    options.priority = Priority::high;
  } else if (priority != "normal") {
    throw Error(ErrorCode::invalid_argument, "priority is '" + priority + "'; it can be normal or high");
  }
  if (deadline.is_none()) return options;
  const double seconds = nb::cast<double>(deadline);
  if (std::isnan(seconds)) {
    throw Error(
        ErrorCode::invalid_argument,
        "deadline is not a number; it is the seconds from now by which the prediction must have started");
  }
  options.deadline = deadline_after(std::chrono::duration<double>(seconds));
  return options;
}

std::string bytes_of(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

}  // namespace mxinfer::python

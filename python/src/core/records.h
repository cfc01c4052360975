// Structs of the library as tuples, from which mxinfer/records.py makes its classes: the same fields in the
// same order. What Python gives as tuples and lists, as structs.
#pragma once

#include <mxinfer/async/async_options.h>
#include <mxinfer/async/call_metrics.h>
#include <mxinfer/classifier.h>
#include <mxinfer/item_error.h>
#include <mxinfer/memory_use.h>
#include <mxinfer/plan_info.h>
#include <mxinfer/predictor_stats.h>
#include <mxinfer/settings.h>
#include <mxinfer/signature.h>
#include <mxinfer/tensor.h>
#include <mxinfer/vision/detect_report.h>
#include <mxinfer/vision/detections.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mxinfer::python {

nanobind::object to_python(const Shape& shape);
nanobind::object to_python(const DataDesc& desc);
nanobind::object to_python(const ModelMemory& memory);
nanobind::object to_python(const PredictorMemory& memory);
nanobind::object to_python(const PredictorStats& stats);
nanobind::object to_python(const CallMetrics& metrics);
nanobind::object to_python(const PlanInfo& plan);
nanobind::object to_python(const NamedShape& shape);
nanobind::object to_python(const Classification& found);
nanobind::object to_python(const Detection& found);
nanobind::object to_python(const DetectReport& report);
nanobind::object to_python(const ItemError& error);
nanobind::object to_python(const SettingInfo& setting);
nanobind::object to_python(const std::string& text);
/// Arrays that own them.
nanobind::object to_python(std::vector<Tensor> tensors);
nanobind::object to_python(std::vector<std::vector<Tensor>> lists);

template <typename T>
nanobind::object to_python(const std::vector<T>& values) {
  nanobind::list list;
  for (const T& value : values) list.append(to_python(value));
  return list;
}

/// Shapes by name, as Python gives them.
using ShapePairs = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;
std::vector<NamedShape> named_shapes(const ShapePairs& shapes);

/// Names and values of settings.
using SettingPairs = std::vector<std::pair<std::string, std::string>>;
Settings settings_of(const SettingPairs& pairs);

/// Seconds from now, or None; "normal" or "high".
SubmitOptions submit_options(const nanobind::object& deadline, const std::string& priority);

/// The bytes of a path.
std::string bytes_of(const nanobind::bytes& bytes);

}  // namespace mxinfer::python

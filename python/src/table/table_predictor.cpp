// TablePredictor: structs of the Arrow C Data Interface in capsules, as its PyCapsule protocol passes them.
#include <mxinfer/table/table_predictor.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/calls.h"
#include "core/handles.h"
#include "sequence/sequences.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

constexpr const char* kSchema = "arrow_schema";
constexpr const char* kArray = "arrow_array";

using Columns = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct TableHandle : Handle<TablePredictor> {
  using Handle::Handle;
};

template <typename P>
TableHandle make_table(const PredictorHandle& predictor, const TableOptions& options) {
  const WithoutGil released;
  return TableHandle(std::make_unique<TablePredictor>(predictor.as<P>(), options));
}

TableHandle make(const nb::object& predictor, const Columns& columns, int top_k, bool collect, int batch_rows,
                 float score_threshold, std::optional<int> max_detections) {
  TableOptions options;
  for (const auto& [input, names] : columns) options.columns.push_back({input, names});
  options.top_k = top_k;
  options.errors = collect ? RowErrors::column : RowErrors::fail;
  options.batch_rows = batch_rows;
  options.detect = {score_threshold, max_detections};
  const auto& native = nb::cast<const PredictorHandle&>(predictor);
  if (nb::isinstance<ImageClassifierHandle>(predictor)) return make_table<ImageClassifier>(native, options);
  if (nb::isinstance<ClassifierHandle>(predictor)) return make_table<Classifier>(native, options);
  if (nb::isinstance<TextClassifierHandle>(predictor)) return make_table<TextClassifier>(native, options);
  if (nb::isinstance<DetectorHandle>(predictor)) return make_table<ObjectDetector>(native, options);
  return make_table<Predictor>(native, options);
}

/// What a capsule of the protocol holds; its owner keeps it.
template <typename Struct>
const Struct& borrowed(const nb::object& capsule, const char* name) {
  void* const held = PyCapsule_GetPointer(capsule.ptr(), name);
  if (held == nullptr) throw nb::python_error();
  return *static_cast<const Struct*>(held);
}

template <typename Struct>
void end_capsule(PyObject* capsule) noexcept {
  auto* const held = static_cast<Struct*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (held == nullptr) return PyErr_Clear();
  if (held->release != nullptr) held->release(held);
  delete held;
}

/// A struct that the capsule owns until a consumer has moved it out.
template <typename Struct>
nb::object to_capsule(std::unique_ptr<Struct> held, const char* name) {
  PyObject* const capsule = PyCapsule_New(held.get(), name, end_capsule<Struct>);
  if (capsule == nullptr) {
    if (held->release != nullptr) held->release(held.get());
    throw nb::python_error();
  }
  static_cast<void>(held.release());
  return nb::steal(capsule);
}

nb::object result_schema(const TableHandle& self, const nb::object& schema) {
  auto result = std::make_unique<ArrowSchema>();
  self->result_schema(borrowed<ArrowSchema>(schema, kSchema), result.get());
  return to_capsule(std::move(result), kSchema);
}

nb::object predict(const TableHandle& self, const nb::object& schema, const nb::object& array) {
  const auto& of = borrowed<ArrowSchema>(schema, kSchema);
  const auto& batch = borrowed<ArrowArray>(array, kArray);
  auto result = std::make_unique<ArrowArray>();
  {
    const WithoutGil released;
    self->predict(of, batch, result.get());
  }
  return to_capsule(std::move(result), kArray);
}

}  // namespace

void bind_tables(nb::module_& module) {
  nb::class_<TableHandle>(module, "TablePredictor")
      .def_static("make", make, nb::arg("predictor"), nb::arg("columns"), nb::arg("top_k"),
                  nb::arg("collect"), nb::arg("batch_rows"), nb::arg("score_threshold"),
                  nb::arg("max_detections").none())
      .def("result_schema", result_schema)
      .def("predict", predict);
}

}  // namespace mxinfer::python

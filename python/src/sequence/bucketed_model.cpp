#include <mxinfer/sequence/bucketed_model.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/calls.h"
#include "core/handles.h"
#include "core/records.h"
#include "sequence/sequences.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

BucketedModelHandle make(const std::vector<std::pair<std::int64_t, const ModelHandle*>>& given) {
  std::vector<std::pair<std::int64_t, Model>> buckets;
  for (const auto& [key, model] : given) buckets.emplace_back(key, **model);
  const WithoutGil released;
  return BucketedModelHandle(std::make_unique<BucketedModel>(std::move(buckets)));
}

BucketedModelHandle load(const nb::bytes& uri, const SettingPairs& settings) {
  const std::string path = bytes_of(uri);
  const LoadOptions options = settings_of(settings).load_options();
  const WithoutGil released;
  return BucketedModelHandle(std::make_unique<BucketedModel>(BucketedModel::load(path, options)));
}

ModelHandle model(const BucketedModelHandle& self, std::int64_t key) {
  return ModelHandle(std::make_unique<Model>(self->model(key)));
}

}  // namespace

void bind_bucketed_model(nb::module_& module) {
  nb::class_<BucketedModelHandle>(module, "BucketedModel")
      .def_static("make", make)
      .def_static("load", load)
      .def("keys", [](const BucketedModelHandle& self) { return self->keys(); })
      .def("model", model)
      .def("name", [](const BucketedModelHandle& self) { return to_python(self->name()); })
      .def("memory", [](const BucketedModelHandle& self) { return to_python(self->memory()); });
}

}  // namespace mxinfer::python

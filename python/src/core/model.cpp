#include <mxinfer/load_options.h>
#include <mxinfer/model.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/handles.h"
#include "core/records.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

/// load(LoadOptions) without the interpreter's lock.
template <typename Load>
ModelHandle loaded(const SettingPairs& settings, Load&& load) {
  const LoadOptions options = settings_of(settings).load_options();
  const WithoutGil released;
  return ModelHandle(std::make_unique<Model>(load(options)));
}

ByteSpan span_of(const HeldArray& bytes) {
  const TensorView& view = bytes.view();
  return {view.raw(), static_cast<std::size_t>(view.shape().elements()) * size_of(view.dtype())};
}

ModelHandle load(const nb::bytes& uri, const SettingPairs& settings) {
  const std::string path = bytes_of(uri);
  return loaded(settings, [&](const LoadOptions& options) { return Model::load(path, options); });
}

ModelHandle load_files(const nb::bytes& symbol, const nb::bytes& params, const SettingPairs& settings) {
  const std::string symbol_path = bytes_of(symbol);
  const std::string params_path = bytes_of(params);
  return loaded(settings, [&](const LoadOptions& options) {
    return Model::load_files(symbol_path, params_path, options);
  });
}

ModelHandle load_memory(const nb::object& symbol, const nb::object& params, const SettingPairs& settings) {
  const HeldArray symbol_json = HeldArray::of_buffer(symbol, {"symbol_json", "", DType::uint8});
  const HeldArray parameters = HeldArray::of_buffer(params, {"params", "", DType::uint8});
  return loaded(settings, [&](const LoadOptions& options) {
    return Model::load_memory(span_of(symbol_json), span_of(parameters), options);
  });
}

ModelHandle load_archive(const nb::object& archive, const SettingPairs& settings) {
  const HeldArray bytes = HeldArray::of_buffer(archive, {"archive", "", DType::uint8});
  return loaded(settings,
                [&](const LoadOptions& options) { return Model::load_archive(span_of(bytes), options); });
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<ModelHandle>(module, "Model")
      .def_static("load", load)
      .def_static("load_files", load_files)
      .def_static("load_memory", load_memory, nb::arg("symbol").none(), nb::arg("params").none(),
                  nb::arg("settings"))
      .def_static("load_archive", load_archive, nb::arg("archive").none(), nb::arg("settings"))
      .def("name", [](const ModelHandle& self) { return to_python(self->name()); })
      .def("inputs", [](const ModelHandle& self) { return to_python(self->signature().inputs); })
      .def("outputs", [](const ModelHandle& self) { return to_python(self->signature().outputs); })
      .def("labels", [](const ModelHandle& self) { return to_python(self->labels()); })
      .def("warnings", [](const ModelHandle& self) { return to_python(self->warnings()); })
      .def("memory", [](const ModelHandle& self) { return to_python(self->memory()); });
}

}  // namespace mxinfer::python

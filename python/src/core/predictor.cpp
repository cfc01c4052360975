#include <mxinfer/async/call_metrics.h>
#include <mxinfer/memory_use.h>
#include <mxinfer/predictor.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/device_arrays.h"
#include "core/handles.h"
#include "core/records.h"
#include "core/submitted.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

using Names = std::optional<std::vector<std::string>>;

const DataDesc* find(const std::vector<DataDesc>& descs, const std::string& name) {
  for (const DataDesc& desc : descs) {
    if (desc.name == name) return &desc;
  }
  return nullptr;
}

/// Arrays of a call, in the order in which they were given, or with their names.
struct Inputs {
  std::vector<HeldArray> arrays;
  std::vector<TensorView> views;  ///< in the order of the signature; empty for those that are left out
  std::vector<const DataDesc*> descs;
};

ArrayUse use_of(const char* what, const DataDesc* desc, const std::string& name) {
  return {what, desc == nullptr ? name : desc->name, desc == nullptr ? DType::float32 : desc->dtype};
}

Inputs ordered_inputs(const Predictor& predictor, const nb::list& values) {
  const std::vector<DataDesc>& descs = predictor.model().signature().inputs;
  Inputs inputs;
  inputs.arrays.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const DataDesc* const desc = i < descs.size() ? &descs[i] : nullptr;
    const nb::object value = values[i];
    inputs.descs.push_back(desc);
    if (value.is_none()) {
      inputs.views.emplace_back();
      continue;
    }
    inputs.views.push_back(
        inputs.arrays.emplace_back(value, use_of("input", desc, std::to_string(i))).view());
  }
  return inputs;
}

Inputs named_inputs(const Predictor& predictor, const nb::list& values,
                    const std::vector<std::string>& names) {
  const std::vector<DataDesc>& descs = predictor.model().signature().inputs;
  Inputs inputs;
  inputs.arrays.reserve(values.size());
  std::map<std::string, TensorView> views;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const nb::object value = values[i];
    if (value.is_none()) continue;
    const ArrayUse use = use_of("input", find(descs, names[i]), names[i]);
    views.emplace(names[i], inputs.arrays.emplace_back(value, use).view());
  }
  inputs.views = predictor.order_inputs(views);
  for (const DataDesc& desc : descs) inputs.descs.push_back(&desc);
  return inputs;
}

Inputs inputs_of(const Predictor& predictor, const nb::list& values, const Names& names) {
  return names ? named_inputs(predictor, values, *names) : ordered_inputs(predictor, values);
}

/// How to convert inputs of another dtype than the model's; empty if there are none.
std::string conversions(const std::vector<TensorView>& views, const std::vector<const DataDesc*>& descs) {
  std::string text;
  for (std::size_t i = 0; i < views.size() && i < descs.size(); ++i) {
    if (descs[i] == nullptr || views[i].raw() == nullptr || views[i].dtype() == descs[i]->dtype) continue;
    text += std::string("; convert '") + descs[i]->name + "', as in array.astype(numpy." +
            to_string(descs[i]->dtype) + ")";
  }
  return text;
}

/// call(), whose errors say how to convert what has the wrong dtype.
template <typename Call>
auto with_conversions(const std::vector<TensorView>& views, const std::vector<const DataDesc*>& descs,
                      Call&& call) {
  try {
    return call();
  } catch (const Error& e) {
    if (e.code() != ErrorCode::invalid_argument && e.code() != ErrorCode::unsupported) throw;
    const std::string hint = conversions(views, descs);
    if (hint.empty()) throw;
    throw Error(e.code(), e.what() + hint);
  }
}

nb::object predict(const PredictorHandle& self, const nb::list& values, const Names& names) {
  const Inputs inputs = inputs_of(*self, values, names);
  return to_python(with_conversions(inputs.views, inputs.descs, [&] {
    const WithoutGil released;
    return self->predict(inputs.views);
  }));
}

/// Arrays to write to, in the order of the outputs.
std::vector<HeldOutput> outputs_of(const Predictor& predictor, const nb::list& values) {
  const std::vector<DataDesc>& descs = predictor.model().signature().outputs;
  std::vector<HeldOutput> outputs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const DataDesc* const desc = i < descs.size() ? &descs[i] : nullptr;
    outputs.emplace_back(values[i], use_of("output", desc, std::to_string(i)));
  }
  return outputs;
}

std::vector<MutableTensorView> views_of(const std::vector<HeldOutput>& outputs) {
  std::vector<MutableTensorView> views;
  for (const HeldOutput& output : outputs) views.push_back(output.view());
  return views;
}

void predict_into(const PredictorHandle& self, const nb::list& values, const Names& names,
                  const nb::list& to) {
  const Inputs inputs = inputs_of(*self, values, names);
  const std::vector<HeldOutput> outputs = outputs_of(*self, to);
  const std::vector<MutableTensorView> views = views_of(outputs);
  with_conversions(inputs.views, inputs.descs, [&] {
    const WithoutGil released;
    self->predict_into(inputs.views, views);
  });
}

void predict_on_device(const PredictorHandle& self, const std::vector<DeviceArray>& arrays,
                       const Names& names, const std::vector<DeviceArray>& targets, std::uintptr_t stream) {
  // If there are several, an array must say which it is of.
  const std::vector<Device> devices = parse_devices(self->options().device);
  const Device own = devices.size() == 1 ? devices[0] : Device{DeviceType::cuda, kAllDevices};
  std::vector<TensorView> inputs;
  for (const DeviceArray& array : arrays) inputs.push_back(view_of(array, own));
  if (names) {
    std::map<std::string, TensorView> named;
    for (std::size_t i = 0; i < inputs.size(); ++i) named.emplace((*names)[i], inputs[i]);
    inputs = self->order_inputs(named);
  }
  std::vector<MutableTensorView> outputs;
  for (const DeviceArray& target : targets) outputs.push_back(view_of(target, own));
  const WithoutGil released;
  self->predict_on_device(inputs, outputs, reinterpret_cast<void*>(stream));
}

struct Items {
  std::vector<HeldArray> arrays;
  std::vector<std::vector<TensorView>> views;  ///< one list for each input
};

/// `lists` has one list of arrays for each input.
Items items_of(const Predictor& predictor, const nb::list& lists) {
  const std::vector<DataDesc>& descs = predictor.model().signature().inputs;
  Items items;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const DataDesc* const desc = i < descs.size() ? &descs[i] : nullptr;
    const nb::list list = nb::cast<nb::list>(lists[i]);
    std::vector<TensorView>& views = items.views.emplace_back();
    for (std::size_t k = 0; k < list.size(); ++k) {
      const ArrayUse use{"item", std::to_string(k), desc == nullptr ? DType::float32 : desc->dtype};
      views.push_back(items.arrays.emplace_back(list[k], use).view());
    }
  }
  return items;
}

nb::object predict_list(const PredictorHandle& self, const nb::list& lists, bool collect) {
  const Items items = items_of(*self, lists);
  std::vector<ItemError> errors;
  std::vector<Tensor> outputs;
  {
    const WithoutGil released;
    outputs =
        self->predict_list(Span<const std::vector<TensorView>>(items.views), collect ? &errors : nullptr);
  }
  return nb::make_tuple(to_python(std::move(outputs)), to_python(errors));
}

Submitted predict_async(const PredictorHandle& self, const nb::object& future, const nb::list& values,
                        const Names& names, const nb::object& deadline, const std::string& priority) {
  const SubmitOptions options = submit_options(deadline, priority);
  return submit<std::vector<Tensor>>(future, inputs_of(*self, values, names), [&](const Inputs& inputs) {
    return self->predict_async(inputs.views, options);
  });
}

struct IntoCall {
  Inputs inputs;
  std::vector<HeldOutput> outputs;
};

Submitted predict_into_async(const PredictorHandle& self, const nb::object& future, const nb::list& values,
                             const Names& names, const nb::list& to, const nb::object& deadline,
                             const std::string& priority) {
  const SubmitOptions options = submit_options(deadline, priority);
  IntoCall call{inputs_of(*self, values, names), outputs_of(*self, to)};
  return submit<void>(future, std::move(call), [&](const IntoCall& held) {
    return self->predict_into_async(held.inputs.views, views_of(held.outputs), options);
  });
}

Submitted predict_list_async(const PredictorHandle& self, const nb::object& future, const nb::list& items,
                             const nb::object& deadline, const std::string& priority) {
  const SubmitOptions options = submit_options(deadline, priority);
  nb::list lists;
  lists.append(items);
  return submit<std::vector<Tensor>>(future, items_of(*self, lists), [&](const Items& held) {
    return self->predict_list_async(held.views.front(), options);
  });
}

PredictorHandle make(const ModelHandle& model, const SettingPairs& settings) {
  const Options options = settings_of(settings).options();
  const WithoutGil released;
  return PredictorHandle(std::make_unique<Predictor>(*model, options));
}

/// function(self, shapes) without the interpreter's lock.
template <typename Function>
auto of_shapes(Function function) {
  return [function](const PredictorHandle& self, const ShapePairs& shapes) {
    const std::vector<NamedShape> given = named_shapes(shapes);
    const auto result = [&] {
      const WithoutGil released;
      return function(*self, given);
    }();
    return to_python(result);
  };
}

void warmup(const PredictorHandle& self, const ShapePairs& shapes) {
  const std::vector<NamedShape> given = named_shapes(shapes);
  const WithoutGil released;
  self->warmup(given);
}

std::size_t trim(const PredictorHandle& self) {
  const WithoutGil released;
  return self->trim();
}

/// Of its queue, which must have been made.
void shut_down(const PredictorHandle& self) {
  const WithoutGil released(WithoutGil::AtExit::allow);
  self->queue().shut_down();
}

std::string page(const PredictorHandle& self, const std::string& labels, bool with_help) {
  return self->prometheus_text(labels, with_help);
}

}  // namespace

void bind_submitted(nb::module_& module) {
  nb::class_<Submitted>(module, "Submitted").def("cancel", &Submitted::cancel);
}

void bind_predictor(nb::module_& module) {
  nb::class_<PredictorHandle>(module, "Predictor")
      .def_static("make", make)
      .def("predict", predict, nb::arg("values"), nb::arg("names").none())
      .def("predict_into", predict_into, nb::arg("values"), nb::arg("names").none(), nb::arg("outputs"))
      .def("predict_on_device", predict_on_device, nb::arg("arrays"), nb::arg("names").none(),
           nb::arg("targets"), nb::arg("stream"))
      .def("predict_list", predict_list)
      .def("predict_async", predict_async, nb::arg("future"), nb::arg("values"), nb::arg("names").none(),
           nb::arg("deadline").none(), nb::arg("priority"))
      .def("predict_into_async", predict_into_async, nb::arg("future"), nb::arg("values"),
           nb::arg("names").none(), nb::arg("outputs"), nb::arg("deadline").none(), nb::arg("priority"))
      .def("predict_list_async", predict_list_async, nb::arg("future"), nb::arg("items"),
           nb::arg("deadline").none(), nb::arg("priority"))
      .def("input_shapes", of_shapes([](const Predictor& p, const auto& s) { return p.input_shapes(s); }))
      .def("output_shapes", of_shapes([](const Predictor& p, const auto& s) { return p.output_shapes(s); }))
      .def("explain", of_shapes([](const Predictor& p, const auto& s) { return p.explain(s); }))
      .def("warmup", warmup)
      .def("warnings", [](const PredictorHandle& self) { return to_python(self->warnings()); })
      .def("stats", [](const PredictorHandle& self) { return to_python(self->stats()); })
      .def("metrics", [](const PredictorHandle& self) { return to_python(self->metrics()); })
      .def("memory", [](const PredictorHandle& self) { return to_python(self->memory()); })
      .def("trim", trim)
      .def("shut_down", shut_down)
      .def("prometheus_text", page);
}

}  // namespace mxinfer::python

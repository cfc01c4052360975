// What is done with models beside running them: transforms and signatures put into files, arrays read from
// them.
#include <mxinfer/tools/arrays.h>
#include <mxinfer/tools/inspect.h>
#include <mxinfer/tools/model_builder.h>
#include <mxinfer/tools/quantize.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/errors.h"
#include "core/records.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

ByteSpan span_of(const HeldArray& bytes) {
  const TensorView& view = bytes.view();
  return {view.raw(), static_cast<std::size_t>(view.shape().elements()) * size_of(view.dtype())};
}

/// A network's files as one model, with transforms, signature, labels and samples; texts that are empty say
/// nothing.
struct Whole {
  std::string network;
  SettingPairs settings;
  std::string transforms, post;  ///< JSON
  std::string signature_file;    ///< its path
  std::vector<std::string> labels;
  std::vector<std::pair<std::string, std::string>> samples;  ///< input, or "", and the path of a file
  std::string to;
  bool is_bundle = false;
};

void save(const Whole& whole) {
  ModelBuilder builder(whole.network, settings_of(whole.settings).load_options());
  if (!whole.transforms.empty()) builder.set_transforms(parse_transforms(ByteSpan(whole.transforms)));
  if (!whole.post.empty()) builder.set_post(parse_transforms(ByteSpan(whole.post)));
  if (!whole.signature_file.empty()) builder.signature_file(whole.signature_file);
  if (!whole.labels.empty()) builder.labels(whole.labels);
  for (const auto& [input, file] : whole.samples) {
    if (input.empty()) {
      builder.sample(file);
    } else {
      builder.sample(input, file);
    }
  }
  if (whole.is_bundle) return builder.save_bundle(whole.to);
  builder.save(whole.to);
}

nb::object read(const nb::object& contents) {
  const HeldArray bytes = HeldArray::of_buffer(contents, {"contents", "", DType::uint8});
  std::vector<NamedTensor> arrays;
  {
    const WithoutGil released;
    arrays = read_arrays(span_of(bytes));
  }
  nb::list list;
  for (NamedTensor& each : arrays)
    list.append(nb::make_tuple(text_of(each.name), to_numpy(std::move(each.array))));
  return list;
}

/// Pairs of the name of a value and what MXNet calls it, which several may be called.
std::vector<std::pair<std::string, std::string>> inner_values(const nb::object& symbol,
                                                              const nb::object& params,
                                                              const SettingPairs& settings) {
  const HeldArray symbol_json = HeldArray::of_buffer(symbol, {"symbol_json", "", DType::uint8});
  const HeldArray parameters = HeldArray::of_buffer(params, {"params", "", DType::uint8});
  const LoadOptions options = settings_of(settings).load_options();
  std::vector<std::pair<std::string, std::string>> names;
  const WithoutGil released;
  for (const NodeInfo& node : inspect_memory(span_of(symbol_json), span_of(parameters), options).nodes) {
    for (const std::string& output : node.outputs)
      names.emplace_back(output, output.substr(0, output.find('#', node.name.size())));
  }
  return names;
}

/// What quantize() is given.
struct Quantize {
  std::string network;
  SettingPairs load, run;
  std::vector<std::string> images;
  std::vector<NamedTensor> arrays;  ///< if there are no images
  std::string to;
  QuantizeOptions options;
};

CalibrationMethod method_named(const std::string& name) {
  for (const auto method :
       {CalibrationMethod::minmax, CalibrationMethod::entropy, CalibrationMethod::percentile}) {
    if (name == to_string(method)) return method;
  }
  throw Error(ErrorCode::invalid_argument,
              "method is '" + name + "'; expected minmax, entropy or percentile");
}

QuantizeReport run_quantize(Quantize wanted) {
  const LoadOptions load = settings_of(wanted.load).load_options();
  ImageOptions images = settings_of(wanted.run).image_options();
  const Model model = Model::load(wanted.network, load);
  const CalibrationSamples samples = wanted.arrays.empty()
                                         ? calibration_images(model, std::move(wanted.images), images)
                                         : calibration_arrays(model, std::move(wanted.arrays));
  wanted.options.options = images.options;
  return quantize_model(wanted.network, samples, wanted.to, wanted.options, load);
}

nb::object optional_number(const std::optional<double>& number) {
  return number ? nb::object(nb::float_(*number)) : nb::none();
}

nb::object to_tuple(const QuantizeReport& report) {
  nb::list layers, warnings;
  for (const QuantizedLayer& layer : report.layers)
    layers.append(
        nb::make_tuple(text_of(layer.name), text_of(layer.op), layer.snr_db, text_of(layer.float_because)));
  for (const std::string& warning : report.warnings) warnings.append(text_of(warning));
  return nb::make_tuple(to_string(report.method), report.samples, layers,
                        optional_number(report.top1_agreement), optional_number(report.output_snr_db),
                        report.parameter_bytes_before, report.parameter_bytes_after, report.ms_before,
                        report.ms_after, warnings);
}

/// `images` are paths; `arrays` pairs of a name and an array; `how` is the method, the percentile and
/// max_drop.
nb::object quantize(const nb::bytes& network, const std::pair<SettingPairs, SettingPairs>& settings,
                    const std::vector<nb::bytes>& images,
                    const std::vector<std::pair<std::string, nb::object>>& arrays, const nb::bytes& to,
                    const std::tuple<std::string, double, double>& how,
                    const std::vector<std::string>& keep_float) {
  Quantize wanted{bytes_of(network), settings.first, settings.second, {}, {}, bytes_of(to), {}};
  for (const nb::bytes& image : images) wanted.images.push_back(bytes_of(image));
  for (const auto& [name, array] : arrays)
    wanted.arrays.push_back({name, Tensor::copy_of(HeldArray(array, {"array", name}).view())});
  wanted.options.method = method_named(std::get<0>(how));
  wanted.options.percentile = std::get<1>(how);
  wanted.options.max_drop = std::get<2>(how);
  wanted.options.keep_float = keep_float;
  QuantizeReport report;
  {
    const WithoutGil released;
    report = run_quantize(std::move(wanted));
  }
  return to_tuple(report);
}

}  // namespace

void bind_tools(nb::module_& module) {
  module.def(
      "save_whole",
      [](const nb::bytes& network, const SettingPairs& settings, const std::string& transforms,
         const std::string& post, const nb::bytes& signature_file, const std::vector<std::string>& labels,
         const std::vector<std::pair<std::string, nb::bytes>>& samples, const nb::bytes& to, bool is_bundle) {
        Whole whole{bytes_of(network), settings, transforms, post, bytes_of(signature_file), labels, {},
                    bytes_of(to),      is_bundle};
        for (const auto& [input, file] : samples) whole.samples.emplace_back(input, bytes_of(file));
        const WithoutGil released;
        save(whole);
      });
  module.def("quantize", quantize);
  module.def("read_arrays", read, nb::arg("contents").none());
  module.def("inner_values", inner_values, nb::arg("symbol").none(), nb::arg("params").none(),
             nb::arg("settings"));
}

}  // namespace mxinfer::python

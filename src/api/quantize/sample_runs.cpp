#include "api/quantize/sample_runs.h"

#include <algorithm>

#include "base/fail.h"
#include "load/load_model.h"

namespace mxinfer::api {

SampleRuns::SampleRuns(const ModelData& model, const LoadOptions& load, const CalibrationSamples& samples,
                       const QuantizeOptions& options)
    : model_(model), load_(load), samples_(samples), options_(options) {
  // The graph has them already.
  load_.outputs.clear();
  load_.graph.clear();
  load_.load_transforms = true;
  load_.inputs.clear();
}

Predictor SampleRuns::predictor(const graph::Graph& graph, const std::vector<std::string>& values) const {
  RawModel raw;
  raw.name = model_.name;
  raw.symbol.graph = graph;
  raw.has_params_file = true;
  raw.opener = model_.opener;
  LoadOptions load = load_;
  load.outputs = values;
  return Predictor(ModelAccess::make(build_model(std::move(raw), load)), options_.options);
}

std::string SampleRuns::describe(std::size_t sample) const {
  const std::string name = samples_.name ? samples_.name(sample) : std::string();
  return concat("sample ", sample, name.empty() ? "" : " ('" + printable(name) + "')");
}

std::vector<Tensor> SampleRuns::inputs_of(std::size_t sample) const {
  return samples_.read(sample);
}

std::vector<TensorView> input_views(const std::vector<Tensor>& inputs) {
  std::vector<TensorView> views;
  for (const Tensor& input : inputs) views.push_back(input.elements() == 0 ? TensorView() : input.view());
  return views;
}

void SampleRuns::each(const graph::Graph& graph, const std::vector<std::string>& values, const Use& use) {
  const Predictor runner = predictor(graph, values);
  for (std::size_t i = 0; i < count(); ++i) {
    in_context([&] { return describe(i); },
               [&] {
                 const std::vector<Tensor> inputs = inputs_of(i);
                 const std::vector<TensorView> views = input_views(inputs);
                 use(i, runner.predict(Span<const TensorView>(views)));
               });
    ++done_;
    if (options_.progress) options_.progress(done_, std::max(expected_, done_));
  }
}

}  // namespace mxinfer::api

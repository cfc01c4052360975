// Runs of the calibration samples through a graph.
//
//   SampleRuns runs(model, load, samples, options);
//   runs.each(graph, {"conv0_output"}, [&](std::size_t sample, const std::vector<Tensor>& values) { ... });
#pragma once

#include <mxinfer/predictor.h>
#include <mxinfer/tools/quantize.h>

#include <functional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "model/model_data.h"

namespace mxinfer::api {

class SampleRuns {
 public:
  /// All but `load` must outlive this. The graphs of each() have a signature.
  SampleRuns(const ModelData& model, const LoadOptions& load, const CalibrationSamples& samples,
             const QuantizeOptions& options);

  using Use = std::function<void(std::size_t sample, const std::vector<Tensor>& values)>;
  /// Calls use() for each sample with these values of the graph. Throws Error with the sample's name.
  void each(const graph::Graph& graph, const std::vector<std::string>& values, const Use& use);

  /// A predictor for the graph that gives these values, or its outputs if there are none.
  Predictor predictor(const graph::Graph& graph, const std::vector<std::string>& values) const;
  std::vector<Tensor> inputs_of(std::size_t sample) const;
  /// "sample 3 ('seven.jpg')"
  std::string describe(std::size_t sample) const;
  std::size_t count() const { return samples_.count; }

  /// How many runs there will be at most, for the progress.
  void expect(std::size_t runs) { expected_ = runs; }

 private:
  const ModelData& model_;
  LoadOptions load_;
  const CalibrationSamples& samples_;
  const QuantizeOptions& options_;
  std::size_t done_ = 0, expected_ = 0;
};

/// Views of the arrays; of one that has no memory, an empty view.
std::vector<TensorView> input_views(const std::vector<Tensor>& inputs);

}  // namespace mxinfer::api

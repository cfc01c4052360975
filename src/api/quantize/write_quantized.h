// Writes a quantized network as a bundle, with everything that the model's file said.
#pragma once

#include <mxinfer/tools/quantize.h>

#include <string>

#include "api/quantize/sample_runs.h"
#include "formats/json/quantization_json.h"
#include "graph/graph.h"
#include "load/load_model.h"
#include "model/model_data.h"

namespace mxinfer::api {

/// Writes into the graph of the float32 model (of Purpose::inspect) the signature that it is to have, with
/// everything else that its file said. `raw` is the model as read, `load` how it was loaded.
void state_signature(graph::Graph& graph, const ModelData& model, const Signature& signature,
                     const RawModel& raw, const LoadOptions& load);

struct QuantizedModel {
  const ModelData& model;  ///< the float32 one
  graph::Graph graph;      ///< with its signature
  formats::Quantization quantization;
};

/// The sample of a model that was loaded as it is gets the outputs of the quantized network.
void write_quantized(QuantizedModel made, const LoadOptions& load, const SampleRuns& runs,
                     const std::string& bundle);

/// The bytes of all parameters of a graph.
std::int64_t parameter_bytes(const graph::Graph& graph);

}  // namespace mxinfer::api

// The values by which a quantized network is compared with the float32 one: its outputs, or, where operators
// choose or sort elements (non-maximum suppression, topk), what these read, because a tiny change of that can
// change what is chosen.
#pragma once

#include <string>
#include <vector>

#include "compose/quantize/layers.h"
#include "graph/graph.h"
#include "model/model_data.h"

namespace mxinfer::api {

struct ComparedValue {
  std::string name;
  /// Whether it is the scores of classes, if it has rows of them: (N, classes).
  bool is_scores = false;
};

/// `graph` is prepare_for_quantization() of the model's.
std::vector<ComparedValue> compared_values(const ModelData& model, const graph::Graph& graph,
                                           const std::vector<EightBitLayer>& layers);

}  // namespace mxinfer::api

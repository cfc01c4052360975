// The graph with 8-bit layers in place of float32 ones.
//
//   const graph::Graph int8 = with_8bit_layers({graph, layers, enabled, range_of});
//
// A value that stays float32 keeps its name, and so does an 8-bit value that no float32 node reads. Otherwise
// the 8-bit one is called "<name>_int8".
#pragma once

#include <string>
#include <vector>

#include "compose/quantize/layers.h"
#include "compose/quantize/placement.h"
#include "graph/graph.h"

namespace mxinfer::api {

struct EightBitRequest {
  const graph::Graph& graph;  ///< of prepare_for_quantization
  const std::vector<EightBitLayer>& layers;
  const std::vector<bool>& enabled;  ///< by layer
  ValueSteps::RangeOf range_of;
};

graph::Graph with_8bit_layers(const EightBitRequest& request);

/// For measuring: the graph as it is, and beside each enabled layer the same layer with 8 bits, which reads
/// the float32 values. Its result, as float32, is the value named "<name of the product>_8bit_output".
graph::Graph beside_8bit_layers(const EightBitRequest& request);
std::string name_beside(const graph::Node& product);

/// Whether the graph has operators of 8-bit values, MXNet's or this library's own.
bool has_8bit_operators(const graph::Graph& graph);

}  // namespace mxinfer::api

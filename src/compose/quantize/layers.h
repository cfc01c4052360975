// The layers of a graph that can compute with 8 bits: a convolution or dense layer, with what the same kernel
// does to its results.
//
//   for (const EightBitLayer& layer : find_layers(graph)) ... graph.nodes[layer.product].name ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::api {

constexpr std::int32_t kNoNode = -1;

struct EightBitLayer {
  std::int32_t product = kNoNode;  ///< Convolution or FullyConnected
  std::int32_t before = kNoNode;   ///< an activation of the product
  std::int32_t add = kNoNode;      ///< the addition of a value of the same shape
  std::int32_t after = kNoNode;    ///< an activation of the sum
  graph::Value data{};
  graph::Value residual{};  ///< if there is an addition
  graph::Value output{};    ///< of the last of these nodes

  bool has_residual() const { return add != kNoNode; }
};

/// In the order of their last nodes.
std::vector<EightBitLayer> find_layers(const graph::Graph& graph);

/// A product that find_layers() passes over, and why.
struct LeftOutLayer {
  std::string name;
  std::string op;
  std::string reason;
};
std::vector<LeftOutLayer> left_out_layers(const graph::Graph& graph);

/// Whether the node only moves or selects elements of input 0 (of all inputs, if it is a Concat) and has a
/// form for 8-bit values: max and average pooling, Flatten, Reshape, transpose, Concat and so on.
bool moves_elements(const graph::Node& node);

}  // namespace mxinfer::api

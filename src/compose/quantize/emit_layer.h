// The nodes of 8-bit values.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "compose/quantize/layers.h"
#include "compose/quantize/placement.h"
#include "graph/graph.h"

namespace mxinfer::api {

/// What an 8-bit layer reads and writes.
struct LayerOperands {
  graph::Value data{};  ///< in the new graph
  EightBitType data_type{};
  std::optional<graph::Value> residual{};
  std::optional<EightBitType> residual_type{};  ///< nothing: float32
  std::optional<EightBitType> output_type{};    ///< nothing: float32
};

/// Appends nodes and parameters to a graph, under names that are not there yet.
class EightBitNodes {
 public:
  /// `taken`: a graph whose names are taken, too.
  EightBitNodes(graph::Graph& to, const graph::Graph& taken);

  graph::Value quantize(const std::string& name, graph::Value value, const EightBitType& type);
  graph::Value dequantize(const std::string& name, graph::Value value, const EightBitType& type);
  /// The layer of `from` under this name.
  graph::Value layer(const std::string& name, const graph::Graph& from, const EightBitLayer& layer,
                     const LayerOperands& operands);
  /// A name like this one that no node has.
  std::string unique(const std::string& name);

 private:
  graph::Value append(graph::Node node);
  graph::Value parameter(const std::string& name, Tensor value);

  graph::Graph& to_;
  std::set<std::string> names_;
};

}  // namespace mxinfer::api

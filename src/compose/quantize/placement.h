// Which values of a graph are 8-bit, and in which steps: those between layers with 8 bits, and those that
// such a layer reads.
//
//   Placement placement(graph, layers, enabled);
//   if (placement.is_8bit(value)) ...
//   const ValueSteps steps(placement, ranges);     // once the ranges of values are known
//   steps.of(value).step
#pragma once

#include <mxinfer/dtype.h>

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "compose/quantize/layers.h"
#include "graph/graph.h"

namespace mxinfer::api {

class Placement {
 public:
  /// enabled[i]: whether layers[i] computes with 8 bits.
  Placement(const graph::Graph& graph, const std::vector<EightBitLayer>& layers,
            const std::vector<bool>& enabled);

  /// Whether a layer, or a node that moves elements, reads it as 8-bit.
  bool is_8bit(graph::Value value) const { return wanted_.count(value) > 0; }
  /// Whether it is also made so, by such a layer or node. Others are quantized.
  bool is_made_8bit(graph::Value value) const { return is_8bit(value) && comes_from_8bit(value); }
  /// Whether the node moves 8-bit elements.
  bool moves_8bit(std::int32_t node) const;
  const std::set<graph::Value>& values() const { return wanted_; }
  const graph::Graph& graph() const { return graph_; }

 private:
  bool comes_from_8bit(graph::Value value) const;

  const graph::Graph& graph_;
  std::vector<bool> from_8bit_;  ///< by node, of output 0
  std::set<graph::Value> wanted_;
};

/// The range of a value.
struct ValueRange {
  bool is_never_negative = false;
  float threshold_uint8 = 0;  ///< magnitudes up to which uint8 and int8 reach
  float threshold_int8 = 0;
};

/// How an 8-bit value is to be read: real = q * step.
struct EightBitType {
  DType dtype = DType::int8;
  float step = 1;       ///< units in a step
  float threshold = 0;  ///< the largest magnitude
};

/// The types of all 8-bit values. Values that are the same elements, or parts of one value, have one type.
class ValueSteps {
 public:
  using RangeOf = std::function<ValueRange(graph::Value)>;
  ValueSteps(const Placement& placement, const RangeOf& range_of);

  /// Precondition: the value is 8-bit.
  const EightBitType& of(graph::Value value) const { return types_.at(value); }

 private:
  std::map<graph::Value, EightBitType> types_;
};

/// Every value whose range may be needed, for any choice of layers.
std::set<graph::Value> values_to_observe(const graph::Graph& graph, const std::vector<EightBitLayer>& layers);

}  // namespace mxinfer::api

#include "compose/quantize/placement.h"

#include <algorithm>
#include <limits>

#include "graph/node_of.h"
#include "ops/is_op.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

/// The inputs whose elements a node moves.
std::vector<Value> moved_inputs(const Node& node) {
  if (ops::is_op(node, "Concat")) return node.inputs;
  return {node.inputs[0]};
}

}  // namespace

Placement::Placement(const Graph& graph, const std::vector<EightBitLayer>& layers,
                     const std::vector<bool>& enabled)
    : graph_(graph), from_8bit_(graph.nodes.size(), false) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (enabled[i]) from_8bit_[static_cast<std::size_t>(layers[i].output.node)] = true;
  }
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (!moves_elements(graph.nodes[id])) continue;
    for (Value input : moved_inputs(graph.nodes[id]))
      from_8bit_[id] = from_8bit_[id] || comes_from_8bit(input);
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!enabled[i]) continue;
    wanted_.insert(layers[i].data);
    // Float32 values are added as they are.
    if (layers[i].has_residual() && comes_from_8bit(layers[i].residual)) wanted_.insert(layers[i].residual);
  }
  // Against the order of the nodes, so that what movers read is known behind them.
  for (std::size_t id = graph.nodes.size(); id-- > 0;) {
    const Value value{static_cast<std::int32_t>(id), 0};
    if (is_8bit(value) && moves_8bit(value.node)) {
      for (Value input : moved_inputs(graph.nodes[id])) wanted_.insert(input);
    }
  }
}

bool Placement::comes_from_8bit(Value value) const {
  return value.index == 0 && from_8bit_[static_cast<std::size_t>(value.node)];
}

bool Placement::moves_8bit(std::int32_t node) const {
  const Value value{node, 0};
  return moves_elements(graph_.nodes[static_cast<std::size_t>(node)]) && is_made_8bit(value);
}

namespace {

/// Groups of values with one type.
class TypeGroups {
 public:
  Value leader(Value value) {
    while (true) {
      const auto found = leaders_.find(value);
      if (found == leaders_.end() || found->second == value) return value;
      value = found->second;
    }
  }
  void join(Value a, Value b) {
    const Value from = leader(a), to = leader(b);
    if (!(from == to)) leaders_[from] = to;
  }

 private:
  std::map<Value, Value> leaders_;
};

ValueRange joint(const ValueRange& a, const ValueRange& b) {
  return {a.is_never_negative && b.is_never_negative, std::max(a.threshold_uint8, b.threshold_uint8),
          std::max(a.threshold_int8, b.threshold_int8)};
}

EightBitType type_of(const ValueRange& range) {
  EightBitType type;
  type.dtype = range.is_never_negative ? DType::uint8 : DType::int8;
  type.threshold = range.is_never_negative ? range.threshold_uint8 : range.threshold_int8;
  const float step = type.threshold / (range.is_never_negative ? 255.0f : 127.0f);
  // Of a value that is always 0, any step is right.
  type.step = step >= std::numeric_limits<float>::min() ? step : 1.0f;
  return type;
}

}  // namespace

ValueSteps::ValueSteps(const Placement& placement, const RangeOf& range_of) {
  TypeGroups groups;
  for (Value value : placement.values()) {
    if (value.index != 0 || !placement.moves_8bit(value.node)) continue;
    for (Value input : moved_inputs(graph::node_of(placement.graph(), value))) groups.join(input, value);
  }
  std::map<Value, ValueRange> ranges;
  for (Value value : placement.values()) {
    const auto [found, is_new] = ranges.try_emplace(groups.leader(value), range_of(value));
    if (!is_new) found->second = joint(found->second, range_of(value));
  }
  for (Value value : placement.values()) types_[value] = type_of(ranges.at(groups.leader(value)));
}

std::set<Value> values_to_observe(const Graph& graph, const std::vector<EightBitLayer>& layers) {
  std::set<Value> values;
  for (const EightBitLayer& layer : layers) {
    values.insert(layer.data);
    values.insert(layer.output);
    if (layer.has_residual()) values.insert(layer.residual);
  }
  for (std::size_t id = graph.nodes.size(); id-- > 0;) {
    if (values.count({static_cast<std::int32_t>(id), 0}) == 0 || !moves_elements(graph.nodes[id])) continue;
    for (Value input : moved_inputs(graph.nodes[id])) values.insert(input);
  }
  return values;
}

}  // namespace mxinfer::api

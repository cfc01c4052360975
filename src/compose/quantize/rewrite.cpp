#include "compose/quantize/rewrite.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compose/quantize/emit_layer.h"
#include "graph/node_of.h"
#include "ops/is_op.h"
#include "ops/registry.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

constexpr const char* kPooling = "_mxinfer_pooling_int8";

Graph without_nodes(const Graph& graph) {
  Graph copy = graph;
  copy.nodes.clear();
  copy.heads.clear();
  return copy;
}

/// The attributes that an operator has, of those of another.
std::map<std::string, std::string> attributes_for(const char* op, const Node& node) {
  std::map<std::string, std::string> attrs;
  for (const graph::AttrSpec& spec : ops::find_op(op)->attrs) {
    const auto found = node.raw_attrs.find(spec.name);
    if (found != node.raw_attrs.end()) attrs.insert(*found);
  }
  return attrs;
}

/// Copies a graph node by node, in order, and makes the 8-bit form of each value when it is first read.
class Rewriter {
 public:
  explicit Rewriter(const EightBitRequest& request)
      : from_(request.graph),
        layers_(request.layers),
        placement_(request.graph, request.layers, request.enabled),
        steps_(placement_, request.range_of),
        to_(without_nodes(request.graph)),
        nodes_(to_, request.graph) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (!request.enabled[i]) continue;
      const EightBitLayer& layer = layers_[i];
      for (std::int32_t id : {layer.product, layer.before, layer.add, layer.after}) inner_.insert(id);
      layer_at_[layer.output.node] = i;
    }
  }

  Graph run() {
    for (std::size_t id = 0; id < from_.nodes.size(); ++id) add(static_cast<std::int32_t>(id));
    for (Value head : from_.heads) to_.heads.push_back(as_float(head));
    graph::remove_dead_nodes(to_);
    return std::move(to_);
  }

 private:
  void add(std::int32_t id) {
    const auto layer = layer_at_.find(id);
    if (layer != layer_at_.end()) return add_layer(layers_[layer->second]);
    if (inner_.count(id) > 0) return;
    if (placement_.moves_8bit(id)) return add_mover(id);
    Node node = from_.nodes[static_cast<std::size_t>(id)];
    for (Value& input : node.inputs) input = as_float(input);
    // Of operators that only MXNet's order of execution knows.
    node.control_deps.clear();
    const std::int32_t outputs = node.num_outputs, made = graph::append(to_, std::move(node));
    for (std::int32_t o = 0; o < outputs; ++o) floats_[{id, o}] = {made, o};
  }

  void add_layer(const EightBitLayer& layer) {
    LayerOperands operands;
    operands.data = as_8bit(layer.data);
    operands.data_type = steps_.of(layer.data);
    if (layer.has_residual()) {
      const bool is_8bit = placement_.is_8bit(layer.residual);
      operands.residual = is_8bit ? as_8bit(layer.residual) : as_float(layer.residual);
      if (is_8bit) operands.residual_type = steps_.of(layer.residual);
    }
    const bool writes_8bit = placement_.is_8bit(layer.output);
    if (writes_8bit) operands.output_type = steps_.of(layer.output);
    const Value made = nodes_.layer(graph::node_of(from_, layer.output).name, from_, layer, operands);
    (writes_8bit ? eights_ : floats_)[layer.output] = made;
  }

  void add_mover(std::int32_t id) {
    Node node = from_.nodes[static_cast<std::size_t>(id)];
    const std::size_t moved = ops::is_op(node, "Concat") ? node.inputs.size() : 1;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      node.inputs[i] = i < moved ? as_8bit(node.inputs[i]) : as_float(node.inputs[i]);
    node.control_deps.clear();
    if (ops::is_op(node, "Pooling"))
      node = ops::make_node(node.name, kPooling, attributes_for(kPooling, node), node.inputs);
    eights_[{id, 0}] = {graph::append(to_, std::move(node)), 0};
  }

  Value as_float(Value value) {
    const auto found = floats_.find(value);
    if (found != floats_.end()) return found->second;
    // The float32 value keeps the name, by which it may be an output.
    const Value made = eights_.at(value);
    const std::string name = graph::node_of(from_, value).name;
    to_.nodes[static_cast<std::size_t>(made.node)].name = nodes_.unique(name + "_int8");
    return floats_[value] = nodes_.dequantize(name, made, steps_.of(value));
  }

  Value as_8bit(Value value) {
    const auto found = eights_.find(value);
    if (found != eights_.end()) return found->second;
    const std::string name = graph::node_of(from_, value).name + "_quantized";
    return eights_[value] = nodes_.quantize(name, floats_.at(value), steps_.of(value));
  }

  const Graph& from_;
  const std::vector<EightBitLayer>& layers_;
  Placement placement_;
  ValueSteps steps_;
  Graph to_;
  EightBitNodes nodes_;
  std::set<std::int32_t> inner_;                  ///< nodes that enabled layers replace
  std::map<std::int32_t, std::size_t> layer_at_;  ///< by the last node
  std::map<Value, Value> floats_, eights_;        ///< in the new graph
};

}  // namespace

Graph with_8bit_layers(const EightBitRequest& request) {
  return Rewriter(request).run();
}

std::string name_beside(const Node& product) {
  return product.name + "_8bit_output";
}

Graph beside_8bit_layers(const EightBitRequest& request) {
  const Placement placement(request.graph, request.layers, request.enabled);
  const ValueSteps steps(placement, request.range_of);
  Graph graph = request.graph;
  EightBitNodes nodes(graph, request.graph);
  for (std::size_t i = 0; i < request.layers.size(); ++i) {
    if (!request.enabled[i]) continue;
    const EightBitLayer& layer = request.layers[i];
    const std::string name = graph::node_of(request.graph, {layer.product, 0}).name + "_8bit";
    LayerOperands operands;
    operands.data_type = steps.of(layer.data);
    operands.data = nodes.quantize(name + "_data", layer.data, operands.data_type);
    if (layer.has_residual()) operands.residual = layer.residual;
    const bool writes_8bit = placement.is_8bit(layer.output);
    if (writes_8bit) operands.output_type = steps.of(layer.output);
    Value made = nodes.layer(writes_8bit ? name + "_steps" : name, request.graph, layer, operands);
    if (writes_8bit) made = nodes.dequantize(name, made, steps.of(layer.output));
    graph.heads.push_back(made);
  }
  return graph;
}

bool has_8bit_operators(const Graph& graph) {
  const auto is_8bit = [](const Node& node) {
    const std::string& name = node.op_name;
    return name.find("quantize") != std::string::npos ||
           (name.rfind("_mxinfer_", 0) == 0 && name.find("_int8") != std::string::npos) ||
           (name.rfind("_sg_mkldnn_", 0) == 0 && node.attrs.flag("quantized"));
  };
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), is_8bit);
}

}  // namespace mxinfer::api

#include "compose/quantize/layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "ops/is_op.h"
#include "passes/activation_of.h"
#include "passes/optimise/affine.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

bool is_product(const Node& node) {
  return ops::is_op(node, "Convolution") || ops::is_op(node, "FullyConnected");
}

bool is_finite(const Parameter& parameter) {
  return std::isfinite(parameter.largest_magnitude());
}

// Why a product cannot compute with 8 bits; empty if it can.
std::string obstacle(const Graph& graph, const Node& node) {
  if (!node.post_ops.empty()) return "another pass has changed it";
  const Parameter* weight = passes::float_parameter(graph, node, 1);
  if (weight == nullptr || weight->shape().rank() < 2 || weight->elements() == 0)
    return "its weight is not a float32 parameter";
  if (!is_finite(*weight)) return "its weight has a value that is not finite";
  if (node.attrs.flag("no_bias")) return "";
  const Parameter* bias = passes::float_parameter(graph, node, 2);
  if (bias == nullptr || bias->elements() != weight->shape()[0]) return "its bias is not a float32 parameter";
  return is_finite(*bias) ? "" : "its bias has a value that is not finite";
}

/// The readers of each value.
class Readers {
 public:
  explicit Readers(const Graph& graph) {
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
      for (Value input : graph.nodes[id].inputs) readers_[input].push_back(static_cast<std::int32_t>(id));
    }
    for (Value head : graph.heads) readers_[head].push_back(kNoNode);
  }

  /// kNoNode if there are several, or it is an output of the network.
  std::int32_t only_reader(Value value) const {
    const auto found = readers_.find(value);
    return found != readers_.end() && found->second.size() == 1 ? found->second[0] : kNoNode;
  }

 private:
  std::map<Value, std::vector<std::int32_t>> readers_;
};

class LayerFinder {
 public:
  explicit LayerFinder(const Graph& graph) : graph_(graph), readers_(graph) {}

  std::vector<EightBitLayer> find() {
    std::vector<EightBitLayer> layers;
    // From the last on: of two products that an addition adds, the later one computes the sum.
    for (std::size_t id = graph_.nodes.size(); id-- > 0;) {
      const Node& node = graph_.nodes[id];
      if (is_product(node) && obstacle(graph_, node).empty())
        layers.push_back(layer_of(static_cast<std::int32_t>(id)));
    }
    std::sort(layers.begin(), layers.end(),
              [](const EightBitLayer& a, const EightBitLayer& b) { return a.output < b.output; });
    return layers;
  }

 private:
  const Node& at(std::int32_t id) const { return graph_.nodes[static_cast<std::size_t>(id)]; }

  EightBitLayer layer_of(std::int32_t product) {
    EightBitLayer layer;
    layer.product = product;
    layer.data = at(product).inputs[0];
    layer.output = {product, 0};
    layer.before = take_activation(layer);
    if (ops::is_op(at(product), "Convolution")) take_addition(layer);
    return layer;
  }

  std::int32_t take_activation(EightBitLayer& layer) const {
    const std::int32_t reader = readers_.only_reader(layer.output);
    if (reader == kNoNode || !passes::activation_of(at(reader))) return kNoNode;
    layer.output = {reader, 0};
    return reader;
  }

  void take_addition(EightBitLayer& layer) {
    const std::int32_t reader = readers_.only_reader(layer.output);
    if (reader == kNoNode || !ops::is_op(at(reader), "elemwise_add")) return;
    const Node& add = at(reader);
    if (add.inputs[0] == add.inputs[1] || !taken_.insert(reader).second) return;
    layer.add = reader;
    layer.residual = add.inputs[0] == layer.output ? add.inputs[1] : add.inputs[0];
    layer.output = {reader, 0};
    layer.after = take_activation(layer);
  }

  const Graph& graph_;
  Readers readers_;
  std::set<std::int32_t> taken_;
};

}  // namespace

std::vector<EightBitLayer> find_layers(const Graph& graph) {
  return LayerFinder(graph).find();
}

std::vector<LeftOutLayer> left_out_layers(const Graph& graph) {
  std::vector<LeftOutLayer> left_out;
  for (const Node& node : graph.nodes) {
    if (!is_product(node)) continue;
    std::string reason = obstacle(graph, node);
    if (!reason.empty()) left_out.push_back({node.name, node.op->name, std::move(reason)});
  }
  return left_out;
}

bool moves_elements(const Node& node) {
  if (node.op == nullptr || node.inputs.empty() || node.num_outputs != 1 || !node.post_ops.empty())
    return false;
  if (node.op->name == "Pooling") {
    const std::string& type = node.attrs.choice("pool_type");
    // The mean of a whole image is worth more bits than its elements have.
    return type == "max" || (type == "avg" && !node.attrs.flag("global_pool"));
  }
  static constexpr std::array<std::string_view, 8> kMoving = {
      "Flatten", "Reshape", "transpose", "Concat", "expand_dims", "squeeze", "slice_axis", "SwapAxis"};
  return std::find(kMoving.begin(), kMoving.end(), node.op->name) != kMoving.end();
}

}  // namespace mxinfer::api

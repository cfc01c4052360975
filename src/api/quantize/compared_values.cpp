#include "api/quantize/compared_values.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "graph/node_of.h"
#include "ops/op_def.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

bool chooses(const Node& node) {
  static constexpr std::array<std::string_view, 9> kChoosing = {"_contrib_box_nms",
                                                                "_contrib_MultiBoxDetection",
                                                                "_contrib_Proposal",
                                                                "_contrib_MultiProposal",
                                                                "topk",
                                                                "sort",
                                                                "argsort",
                                                                "argmax",
                                                                "argmin"};
  return node.op != nullptr &&
         std::find(kChoosing.begin(), kChoosing.end(), node.op->name) != kChoosing.end();
}

bool gives_probabilities(const Node& node) {
  static constexpr std::array<std::string_view, 4> kProbabilities = {"softmax", "log_softmax",
                                                                     "SoftmaxActivation", "SoftmaxOutput"};
  return node.op != nullptr &&
         std::find(kProbabilities.begin(), kProbabilities.end(), node.op->name) != kProbabilities.end();
}

/// By node: whether it, or a node that it follows from, is one that `is` is true of.
template <typename Is>
std::vector<bool> follows_from(const Graph& graph, const Is& is) {
  std::vector<bool> follows(graph.nodes.size(), false);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    follows[id] = is(static_cast<std::int32_t>(id));
    for (Value input : graph.nodes[id].inputs)
      follows[id] = follows[id] || follows[static_cast<std::size_t>(input.node)];
  }
  return follows;
}

class ValueFinder {
 public:
  ValueFinder(const Graph& graph, const std::vector<EightBitLayer>& layers) : graph_(graph) {
    std::set<std::int32_t> products;
    for (const EightBitLayer& layer : layers) products.insert(layer.product);
    behind_layers_ = follows_from(graph, [&](std::int32_t id) { return products.count(id) > 0; });
    behind_choices_ = follows_from(
        graph, [&](std::int32_t id) { return chooses(graph.nodes[static_cast<std::size_t>(id)]); });
  }

  std::vector<Value> find() {
    std::vector<Value> found, open(graph_.heads.rbegin(), graph_.heads.rend());
    std::set<Value> seen;
    while (!open.empty()) {
      const Value value = open.back();
      open.pop_back();
      const auto id = static_cast<std::size_t>(value.node);
      if (!behind_layers_[id] || !seen.insert(value).second) continue;
      if (!behind_choices_[id]) {
        found.push_back(value);
        continue;
      }
      const std::vector<Value>& inputs = graph_.nodes[id].inputs;
      open.insert(open.end(), inputs.rbegin(), inputs.rend());
    }
    return found;
  }

 private:
  const Graph& graph_;
  std::vector<bool> behind_layers_, behind_choices_;
};

bool is_scores(const ModelData& model, const Graph& graph, Value value) {
  if (gives_probabilities(graph::node_of(graph, value))) return true;
  for (std::size_t h = 0; h < graph.heads.size() && h < model.signature.outputs.size(); ++h) {
    const DataDesc& output = model.signature.outputs[h];
    if (!(graph.heads[h] == value) || output.shape.rank() != 2) continue;
    const auto labels = static_cast<std::int64_t>(model.labels.size());
    if (output.meaning == Meaning::scores || (labels > 1 && output.shape[1] == labels)) return true;
  }
  return false;
}

}  // namespace

std::vector<ComparedValue> compared_values(const ModelData& model, const Graph& graph,
                                           const std::vector<EightBitLayer>& layers) {
  std::vector<ComparedValue> values;
  for (Value value : ValueFinder(graph, layers).find())
    values.push_back({ops::output_name(graph, value), is_scores(model, graph, value)});
  return values;
}

}  // namespace mxinfer::api

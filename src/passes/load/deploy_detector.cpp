#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "graph/node_of.h"
#include "ops/is_op.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::is_op;

// What a value is a copy of, through BlockGrad, MakeLoss and the like.
Value original(const Graph& graph, Value value) {
  while (true) {
    const Node& node = node_of(graph, value);
    if (node.op == nullptr || node.op->op_class != ops::OpClass::identity || node.inputs.empty())
      return value;
    value = node.inputs[0];
  }
}

// The first node of that operator that reads `value` at that input; empty if none does.
std::optional<std::int32_t> find_reader(const Graph& graph, std::string_view op, Value value,
                                        std::size_t input) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (is_op(node, op) && node.inputs.size() > input && node.inputs[input] == value)
      return static_cast<std::int32_t>(id);
  }
  return std::nullopt;
}

std::string list_outputs(const Graph& graph, const std::vector<Value>& values) {
  std::string list;
  for (Value value : values) list += (list.empty() ? "" : ", ") + printable(ops::output_name(graph, value));
  return list;
}

// The predicted boxes: what the targets of the boxes are subtracted from.
std::optional<Value> predicted_boxes(const Graph& graph, Value loc_target) {
  for (const char* minus : {"elemwise_sub", "broadcast_sub"}) {
    for (std::size_t other : {0, 1}) {
      const auto reader = find_reader(graph, minus, loc_target, 1 - other);
      if (reader) return graph.nodes[static_cast<std::size_t>(*reader)].inputs[other];
    }
  }
  return std::nullopt;
}

Value append_node(Graph& graph, const char* op, const char* name, std::map<std::string, std::string> attrs,
                  std::vector<Value> inputs) {
  return {graph::append(graph, ops::make_node(name, op, std::move(attrs), std::move(inputs))), 0};
}

// The class probabilities that a training graph has, or new ones.
Value class_probabilities(Graph& graph, Value scores) {
  const auto output = find_reader(graph, "SoftmaxOutput", scores, 0);
  if (output) return {*output, 0};
  return append_node(graph, "softmax", "cls_prob", {{"axis", "1"}}, {scores});
}

// A detection as MXNet's example/ssd deploys it; empty if the boxes are not found.
std::optional<Value> append_detection(Graph& graph, std::int32_t target) {
  const std::vector<Value> read = graph.nodes[static_cast<std::size_t>(target)].inputs;
  const auto boxes = predicted_boxes(graph, {target, 0});
  if (!boxes || read.size() != 3) return std::nullopt;
  std::map<std::string, std::string> attrs = {
      {"nms_threshold", "0.5"}, {"force_suppress", "False"}, {"nms_topk", "400"}};
  const auto& trained_with = graph.nodes[static_cast<std::size_t>(target)].raw_attrs;
  if (const auto variances = trained_with.find("variances"); variances != trained_with.end())
    attrs.insert(*variances);
  const Value probabilities = class_probabilities(graph, read[2]);
  return append_node(graph, "_contrib_MultiBoxDetection", "detection", std::move(attrs),
                     {probabilities, *boxes, read[0]});
}

// The node that assigns the targets of training; empty for a graph that is deployed already.
std::optional<std::int32_t> find_target(const Graph& graph) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (is_op(graph.nodes[id], "_contrib_MultiBoxTarget")) return static_cast<std::int32_t>(id);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> deploy_detector(Graph& graph) {
  const auto target = find_target(graph);
  if (!target) return {};
  const std::string trained = graph::describe(graph.nodes[static_cast<std::size_t>(*target)]);
  std::vector<Value> kept, left_out;
  for (Value head : graph.heads) {
    const bool detects = is_op(node_of(graph, original(graph, head)), "_contrib_MultiBoxDetection");
    (detects ? kept : left_out).push_back(head);
  }
  if (left_out.empty()) return {};
  const std::string without = list_outputs(graph, left_out);
  std::string what = "kept";
  if (kept.empty()) {
    const auto detection = append_detection(graph, *target);
    if (!detection) {
      return {concat("this is the training graph of a detector (", trained,
                     "), but the boxes that it predicts were not found, so it is left unchanged")};
    }
    kept.push_back(*detection);
    what = "made, with nms_threshold=0.5, force_suppress=False and nms_topk=400";
  }
  graph.heads = kept;
  graph::sort_topologically(graph);
  const std::string detections = list_outputs(graph, graph.heads);
  graph::remove_dead_nodes(graph);
  return {concat("this is the training graph of a detector (", trained, "): output ", detections, " was ",
                 what, "; ", without, " and what only training needs were left out")};
}

}  // namespace mxinfer::passes

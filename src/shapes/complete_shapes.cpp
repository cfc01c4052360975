#include "shapes/complete_shapes.h"

#include <mxinfer/error.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "shapes/infer.h"

namespace mxinfer::shapes {
namespace {

using graph::Node;
using ops::PartialShape;
using ops::PartialShapes;
using ops::TensorType;

// What is known about every value; each visit of a node may add to it.
class Completion {
 public:
  // What is known about the network's inputs; missing dtypes are float32.
  Completion(const graph::Graph& graph, const PartialShapes& inputs, const std::vector<DType>& dtypes)
      : graph_(graph),
        times_learnt_(graph.nodes.size(), 0),
        visited_with_(graph.nodes.size(), std::numeric_limits<std::uint64_t>::max()) {
    for (const Node& node : graph.nodes) {
      shapes_.emplace_back(static_cast<std::size_t>(std::max(node.num_outputs, 1)));
      dtypes_.emplace_back(shapes_.back().size(), DType::float32);
      const auto input = static_cast<std::size_t>(node.input_index);
      if (node.constant) {
        shapes_.back()[0] = node.constant->shape();
        dtypes_.back()[0] = node.constant->dtype();
      } else if (node.is_variable() && node.input_index >= 0 && input < inputs.size()) {
        shapes_.back()[0] = inputs[input];
        if (input < dtypes.size()) dtypes_.back()[0] = dtypes[input];
      }
    }
  }

  // Propagates from the inputs to the outputs and back until nothing changes. Each round finds at least one
  // more size or is the last.
  void run() {
    std::vector<std::size_t> order(graph_.nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      learnt_ = false;
      for (std::size_t id : order) visit(id);
      std::reverse(order.begin(), order.end());
    } while (learnt_);
  }

  const PartialShape& shape(std::size_t node) const { return shapes_[node][0]; }
  PartialShape& at(graph::Value value) {
    return shapes_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  // What is known about the inputs of the graph so far.
  void read_inputs(PartialShapes& inputs) {
    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
      const Node& node = graph_.nodes[id];
      const auto input = static_cast<std::size_t>(node.input_index);
      if (node.is_variable() && node.input_index >= 0 && input < inputs.size())
        ops::unify(inputs[input], shapes_[id][0]);
    }
  }

 private:
  // Changes whenever an input or output of the node becomes better known.
  std::uint64_t knowledge_of(std::size_t id) const {
    std::uint64_t learnt = times_learnt_[id];
    for (const graph::Value value : graph_.nodes[id].inputs)
      learnt += times_learnt_[static_cast<std::size_t>(value.node)];
    return learnt;
  }

  void visit(std::size_t id) {
    const Node& node = graph_.nodes[id];
    if (node.op == nullptr) return;
    const std::uint64_t knowledge = knowledge_of(id);
    if (visited_with_[id] == knowledge) return;  // it would give the same result again
    visited_with_[id] = knowledge;
    PartialShapes inputs;
    for (graph::Value value : node.inputs) inputs.push_back(at(value));
    PartialShapes outputs = shapes_[id];
    try {
      unify(node, inputs, outputs);
    } catch (const Error&) {
      return;  // attributes that contradict the shapes: inference will report this
    }
    if (std::all_of(inputs.begin(), inputs.end(), ops::is_known)) infer(id, inputs, outputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) store(node.inputs[i], inputs[i]);
    for (std::size_t o = 0; o < outputs.size(); ++o)
      store({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)}, outputs[o]);
  }

  // A residual that a pass has fused has the shape of what it is added to.
  static void unify(const Node& node, PartialShapes& inputs, PartialShapes& outputs) {
    const auto own = inputs.end() - static_cast<std::ptrdiff_t>(graph::post_op_inputs(node));
    PartialShapes of_post_ops(own, inputs.end());
    inputs.erase(own, inputs.end());
    if (node.post_ops.residual) ops::unify(of_post_ops.back(), outputs[0]);
    if (node.op->unify) {
      node.op->unify(node.attrs, inputs, outputs);
    } else if (!inputs.empty()) {
      unify_by_traits(*node.op, inputs[0], outputs[0]);
    }
    if (node.op->unify_subgraphs != nullptr && !node.subgraphs.empty())
      node.op->unify_subgraphs(node, inputs, outputs,
                               [](const graph::Graph& subgraph, PartialShapes& in, PartialShapes& heads) {
                                 complete(subgraph, in, heads);
                               });
    if (node.post_ops.residual) ops::unify(of_post_ops.back(), outputs[0]);
    inputs.insert(inputs.end(), of_post_ops.begin(), of_post_ops.end());
  }

  // For an operator that gives no sizes beyond what all operators of its kind preserve.
  static void unify_by_traits(const ops::OpDef& op, PartialShape& input, PartialShape& output) {
    if (ops::keeps_shape(op.traits)) return ops::unify(input, output);
    if (!ops::keeps_channels(op.traits)) return;
    const auto front_of = [](const PartialShape& shape) {
      PartialShape front = shape;
      for (std::size_t d = 2; front && d < front->rank(); ++d) (*front)[d] = ops::kUnknown;
      return front;
    };
    if (input) ops::learn(output, *front_of(input));
    if (output) ops::learn(input, *front_of(output));
  }

  static void complete(const graph::Graph& subgraph, PartialShapes& inputs, PartialShapes& heads) {
    Completion completion(subgraph, inputs, {});
    for (std::size_t h = 0; h < heads.size(); ++h) ops::unify(heads[h], completion.at(subgraph.heads[h]));
    completion.run();
    completion.read_inputs(inputs);
    for (std::size_t h = 0; h < heads.size(); ++h) ops::unify(heads[h], completion.at(subgraph.heads[h]));
  }

  // Known sizes never change, even if a node contradicts them, so the rounds terminate.
  void store(graph::Value value, const PartialShape& from) {
    PartialShape& to = at(value);
    PartialShape known = to;
    if (from) ops::learn(known, *from);
    if (known == to) return;
    to = known;
    ++times_learnt_[static_cast<std::size_t>(value.node)];
    learnt_ = true;
  }

  // Inference will report what cannot be inferred here.
  void infer(std::size_t id, const PartialShapes& shapes, PartialShapes& outputs) {
    if (std::all_of(outputs.begin(), outputs.end(), ops::is_known)) return;
    const Node& node = graph_.nodes[id];
    std::vector<TensorType> inputs;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const graph::Value value = node.inputs[i];
      const auto from = static_cast<std::size_t>(value.node);
      inputs.push_back({dtypes_[from][static_cast<std::size_t>(value.index)], *shapes[i]});
    }
    inputs.resize(inputs.size() - graph::post_op_inputs(node));
    try {
      for (const TensorType& input : inputs) ops::require_possible(input);
      const auto infer_subgraph = [&](std::size_t k, const std::vector<TensorType>& types) {
        return head_types(*node.subgraphs.at(k), types);
      };
      const auto types = node.op->infer(ops::InferContext{node.attrs, inputs, infer_subgraph});
      for (std::size_t o = 0; o < outputs.size() && o < types.size(); ++o) {
        outputs[o] = types[o].shape;
        dtypes_[id][o] = types[o].dtype;
      }
    } catch (const Error&) {
    }
  }

  const graph::Graph& graph_;
  std::vector<PartialShapes> shapes_;
  std::vector<std::vector<DType>> dtypes_;
  bool learnt_ = false;
  // By node: how often its outputs became better known, and what was known at its last visit.
  std::vector<std::uint32_t> times_learnt_;
  std::vector<std::uint64_t> visited_with_;
};

}  // namespace

std::map<std::int32_t, graph::Attrs> complete_shapes(const graph::Graph& graph,
                                                     const std::vector<TensorType>& inputs) {
  std::vector<std::size_t> open;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.op != nullptr && node.op->complete && node.op->leaves_open(node.attrs)) open.push_back(id);
  }
  std::map<std::int32_t, graph::Attrs> completed;
  if (open.empty()) return completed;
  PartialShapes shapes;
  std::vector<DType> dtypes;
  for (const TensorType& input : inputs) {
    shapes.emplace_back(input.shape);
    dtypes.push_back(input.dtype);
  }
  Completion completion(graph, shapes, dtypes);
  completion.run();
  for (std::size_t id : open) {
    if (!ops::is_known(completion.shape(id))) continue;
    graph::Attrs attrs = graph.nodes[id].attrs;
    graph.nodes[id].op->complete(attrs, *completion.shape(id));
    completed.emplace(static_cast<std::int32_t>(id), std::move(attrs));
  }
  return completed;
}

ops::PartialShapes complete_inputs(const graph::Graph& graph, ops::PartialShapes inputs,
                                   const std::vector<DType>& dtypes) {
  Completion completion(graph, inputs, dtypes);
  completion.run();
  completion.read_inputs(inputs);
  return inputs;
}

}  // namespace mxinfer::shapes

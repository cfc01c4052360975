// For devices: operators that only move elements, and element-wise operators, between which no value leaves
// become one _mxinfer_view_chain, if they were several kernels.
#include <algorithm>
#include <map>
#include <memory>

#include "graph/node_of.h"
#include "ops/cuda/view_segments.h"
#include "ops/registry.h"
#include "passes/bind/bind.h"
#include "passes/bind/known_shapes.h"
#include "passes/bind/pack_outputs.h"
#include "passes/bind/view_groups.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

constexpr int kMostAttempts = 64;

/// The members of a group as a graph of their own, chains as the operators that are in them.
class GroupGraph {
 public:
  GroupGraph(const Graph& graph, const shapes::ValueTypes& types, const Ids& members) {
    for (const std::int32_t id : members) {
      const Node& node = graph.nodes[static_cast<std::size_t>(id)];
      std::vector<Value> operands;
      for (const Value input : node.inputs) operands.push_back(renamed(graph, types, input));
      if (is_chain(node)) {
        renamed_[{id, 0}] = add_chain(*node.subgraphs.at(0), operands, id);
      } else {
        Node own = node;
        own.inputs = operands;
        const std::int32_t at = add(std::move(own), id);
        for (std::int32_t o = 0; o < node.num_outputs; ++o) renamed_[{id, o}] = {at, o};
      }
    }
    graph_->heads = {renamed_.at({members.back(), 0})};
  }

  const std::shared_ptr<Graph>& graph() const { return graph_; }
  const std::vector<Value>& inputs() const { return inputs_; }
  const std::vector<ops::TensorType>& types() const { return types_; }
  /// The member that a node is of.
  std::int32_t member(std::int32_t node) const { return members_.at(static_cast<std::size_t>(node)); }

 private:
  std::int32_t add(Node node, std::int32_t member) {
    members_.push_back(member);
    return graph::append(*graph_, std::move(node));
  }

  Value renamed(const Graph& graph, const shapes::ValueTypes& types, Value input) {
    const auto [found, is_new] = renamed_.try_emplace(input);
    if (is_new) {
      Node variable;
      variable.name = graph::value_name(graph, input);
      variable.input_index = static_cast<std::int32_t>(inputs_.size());
      inputs_.push_back(input);
      types_.push_back(types[static_cast<std::size_t>(input.node)][static_cast<std::size_t>(input.index)]);
      found->second = {add(std::move(variable), -1), 0};
    }
    return found->second;
  }

  Value add_chain(const Graph& chain, const std::vector<Value>& operands, std::int32_t member) {
    std::map<Value, Value> inner;
    for (std::size_t id = 0; id < chain.nodes.size(); ++id) {
      Node node = chain.nodes[id];
      const Value value{static_cast<std::int32_t>(id), 0};
      if (node.is_variable()) {
        inner[value] = operands.at(static_cast<std::size_t>(node.input_index));
        continue;
      }
      for (Value& input : node.inputs) input = inner.at(input);
      inner[value] = {add(std::move(node), member), 0};
    }
    return inner.at(chain.heads.at(0));
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
  std::map<Value, Value> renamed_;
  std::vector<Value> inputs_;
  std::vector<ops::TensorType> types_;
  Ids members_;
};

/// The value, if it is made of parameters whose elements are only moved.
std::shared_ptr<const Parameter> constant_of(const Graph& graph, const GroupGraph& group,
                                             const Shape& shape) {
  const auto is_constant = [&](Value input) { return node_of(graph, input).constant != nullptr; };
  if (!std::all_of(group.inputs().begin(), group.inputs().end(), is_constant)) return nullptr;
  std::vector<std::shared_ptr<const Tensor>> values;
  for (const Value input : group.inputs()) values.push_back(node_of(graph, input).constant->value());
  const ops::ViewProgramOrObstacle made = ops::view_program(*group.graph(), group.types());
  Tensor result(DType::float32, shape);
  auto* to = static_cast<float*>(result.raw());
  for (const ops::ViewSegment& segment : made.program) {
    if (segment.program.size() != 1 || segment.program[0].function != "identity" || segment.loads.size() != 1)
      return nullptr;
    const ops::ViewLoad& load = segment.loads[0];
    const auto* from = static_cast<const float*>(values[load.input]->raw());
    for (std::int64_t i = 0; i < segment.elements(); ++i) {
      std::int64_t rest = i, src = load.offset, dst = segment.dst_offset;
      for (std::size_t d = segment.sizes.size(); d-- > 0;) {
        const std::int64_t at = rest % segment.sizes[d];
        rest /= segment.sizes[d];
        src += at * load.strides[d];
        dst += at * segment.dst_strides[d];
      }
      to[dst] = from[src];
    }
  }
  return make_parameter(std::move(result));
}

/// Whether the output is whole inputs side by side: their producers may write directly into it.
bool is_side_by_side(const ops::ViewSegments& made, const GroupGraph& group) {
  using kernels::cuda::ElementOp;
  return std::all_of(made.segments.begin(), made.segments.end(), [&](const auto& segment) {
    const auto& program = segment.program;
    const auto& input = program.input[0];
    return program.inputs == 1 && program.instructions == 1 && program.program[0].op == ElementOp::identity &&
           program.rank == 1 && input.strides[0] == 1 && input.data == nullptr &&
           segment.dst_strides[0] == 1 &&
           program.sizes[0] == group.types()[segment.source[0]].shape.elements();
  });
}

Node fused_node(const Graph& graph, const Ids& members, const GroupGraph& group) {
  Node fused = ops::make_node(graph.nodes[static_cast<std::size_t>(members.back())].name,
                              "_mxinfer_view_chain", {}, group.inputs());
  fused.subgraphs = {group.graph()};
  for (const std::int32_t id : members) {
    const Node& node = graph.nodes[static_cast<std::size_t>(id)];
    fused.notes.insert(fused.notes.end(), node.notes.begin(), node.notes.end());
    fused.notes.push_back("'" + node.name + "' (" + node.op->name + ") fused in");
  }
  return fused;
}

/// Fuses the groups that are worth it; returns whether there was any. Groups whose values cannot all do
/// without memory are cut where they cannot.
bool fuse_groups(Graph& graph, const shapes::ValueTypes& types) {
  ViewGroups groups(graph, types);
  std::map<std::int32_t, Node> fused;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    bool is_complete = true;
    fused.clear();
    for (const auto& [last, members] : groups.find()) {
      if (groups.kernels(members) < 2 || members.size() < 2) continue;
      const GroupGraph group(graph, types, members);
      const ops::TensorType& out = types[static_cast<std::size_t>(last)][0];
      const ops::ViewSegments made = ops::view_segments(*group.graph(), group.types(), out);
      if (made.segments.empty()) {
        const std::int32_t member = made.obstacle >= 0 ? group.member(made.obstacle) : last;
        (member == last ? groups.single : groups.kept).insert(member);
        is_complete = false;
        continue;
      }
      Node node = fused_node(graph, members, group);
      auto value = constant_of(graph, group, out.shape);
      if (!value && is_side_by_side(made, group)) continue;
      if (value) {
        Node constant;
        constant.name = node.name;
        constant.constant = std::move(value);
        node = std::move(constant);
      }
      fused[last] = std::move(node);
    }
    if (is_complete) break;
  }
  for (auto& [last, node] : fused) graph.nodes[static_cast<std::size_t>(last)] = std::move(node);
  if (!fused.empty()) graph::remove_dead_nodes(graph);
  return !fused.empty();
}

}  // namespace

std::optional<Graph> fuse_views(const Graph& graph, const std::vector<ops::TensorType>& inputs,
                                const shapes::ValueTypes& types, bool packs_outputs) {
  Graph rewritten = graph;
  complete_shapes(rewritten, types);
  const bool states = state_shapes(rewritten, types);
  const bool packs = packs_outputs && pack_outputs(rewritten, types);
  if (!states && !packs)
    return fuse_groups(rewritten, types) ? std::optional(std::move(rewritten)) : std::nullopt;
  graph::remove_dead_nodes(rewritten);
  const shapes::ValueTypes now = shapes::infer_types(rewritten, inputs);
  fuse_groups(rewritten, now);
  return rewritten;
}

}  // namespace mxinfer::passes

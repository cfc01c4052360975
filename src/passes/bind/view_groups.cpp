#include "passes/bind/view_groups.h"

#include <algorithm>
#include <string>

#include "graph/node_of.h"
#include "ops/fused/view_program.h"
#include "ops/op_def.h"

namespace mxinfer::passes {

using graph::Graph;
using graph::Node;
using graph::Value;

namespace {

constexpr std::size_t kMostNodes = 512;
/// Larger values are transposed through tiles, by a kernel of its own.
constexpr std::int64_t kMostTransposed = std::int64_t{1} << 20;

/// Whether the order of elements stays.
bool is_reshape(const Node& node) {
  const std::string& name = node.op->name;
  return name == "Reshape" || name == "Flatten" || name == "expand_dims" || name == "squeeze";
}

bool is_concatenation(const Node& node) {
  return node.op->name == "Concat" || node.op->name == "stack";
}

bool is_transpose(const Node& node) {
  const std::string& name = node.op->name;
  return name == "transpose" || name == "SwapAxis" || name == "depth_to_space" || name == "space_to_depth";
}

}  // namespace

bool is_chain(const Node& node) {
  return node.op->name == "_mxinfer_elementwise_chain";
}

ViewGroups::ViewGroups(const Graph& graph, const shapes::ValueTypes& types)
    : graph_(graph), types_(types), concatenates_moved_(graph.nodes.size(), false) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.is_variable() || !is_concatenation(node)) continue;
    concatenates_moved_[id] =
        std::any_of(node.inputs.begin(), node.inputs.end(), [this](Value input) { return is_moved(input); });
  }
}

/// Of a value that a concatenation reads; what is before it has been looked at.
bool ViewGroups::is_moved(Value value) const {
  const Node* from = &node_of(graph_, value);
  while (!from->is_variable() && is_reshape(*from)) {
    value = from->inputs[0];
    from = &node_of(graph_, value);
  }
  if (from->is_variable()) return true;
  if (is_concatenation(*from)) return concatenates_moved_[static_cast<std::size_t>(value.node)];
  return ops::has_view_program(*from) || is_chain(*from);
}

Groups ViewGroups::find() const {
  constexpr std::int32_t kUnread = -1, kOutside = -2;
  std::vector<std::int32_t> readers(graph_.nodes.size(), kUnread);
  for (const Value head : graph_.heads) readers[static_cast<std::size_t>(head.node)] = kOutside;
  Groups groups;
  for (std::size_t at = graph_.nodes.size(); at-- > 0;) {
    const auto id = static_cast<std::int32_t>(at);
    std::int32_t group = kOutside;
    if (can_join(at)) {
      group = kept.count(id) > 0 ? kOutside : readers[at];
      if (group < 0 || groups[group].size() >= kMostNodes) group = types_[at].size() == 1 ? id : kOutside;
      if (group >= 0) {
        Ids& members = groups[group];
        members.insert(members.begin(), id);
      }
    }
    for (const Value input : graph_.nodes[at].inputs) {
      std::int32_t& known = readers[static_cast<std::size_t>(input.node)];
      known = known == kUnread || known == group ? group : kOutside;
    }
  }
  return groups;
}

std::int64_t ViewGroups::kernels(const Ids& members) const {
  std::int64_t count = 0;
  for (const std::int32_t id : members) {
    const Node& node = graph_.nodes[static_cast<std::size_t>(id)];
    if (is_reshape(node)) continue;
    count += is_concatenation(node) ? static_cast<std::int64_t>(node.inputs.size()) : 1;
  }
  return count;
}

bool ViewGroups::is_plain_float(Value value) const {
  const ops::TensorType& type =
      types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  return type.dtype == DType::float32 && type.shape.elements() > 0;
}

bool ViewGroups::can_join(std::size_t id) const {
  const Node& node = graph_.nodes[id];
  if (node.is_variable() || single.count(static_cast<std::int32_t>(id)) > 0) return false;
  if (!ops::has_view_program(node) && !(is_chain(node) && node.post_ops.empty())) return false;
  for (const Value input : node.inputs) {
    if (!is_plain_float(input)) return false;
  }
  for (std::size_t o = 0; o < types_[id].size(); ++o) {
    if (!is_plain_float({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)})) return false;
  }
  if (is_concatenation(node)) return concatenates_moved_[id];
  const bool reorders = ops::only_moves(node) && !is_reshape(node);
  return !reorders || types_[id][0].shape.elements() <= kMostTransposed || !is_transpose(node);
}

}  // namespace mxinfer::passes

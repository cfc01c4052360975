// For devices: operators that only move elements, and element-wise operators, between which no value leaves
// become one _mxinfer_view_chain, if they were several kernels.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "graph/node_of.h"
#include "ops/cuda/view_segments.h"
#include "ops/registry.h"
#include "passes/bind/bind.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using Ids = std::vector<std::int32_t>;
/// Node ids by the last node of their group, ascending.
using Groups = std::map<std::int32_t, Ids>;

constexpr std::size_t kMostNodes = 512;
/// Larger values are transposed through tiles, by a kernel of its own.
constexpr std::int64_t kMostTransposed = std::int64_t{1} << 20;
constexpr int kMostAttempts = 64;

const ops::TensorType& type_of(const shapes::ValueTypes& types, Value value) {
  return types[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
}

std::string tuple_of(const Shape& shape, bool zeros) {
  std::string text = "(";
  for (const std::int64_t size : shape) text += concat(zeros ? 0 : size, ", ");
  return text + ")";
}

/// Operators that create a tensor whose sizes its readers determine (_zeros of shape (0, 8)) take these
/// sizes: chains do not propagate them.
void complete_shapes(Graph& graph, const shapes::ValueTypes& types) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (node.op == nullptr || node.op->leaves_open == nullptr || !node.op->leaves_open(node.attrs)) continue;
    node.op->complete(node.attrs, types[id][0].shape);
  }
}

/// Operators that read the shape of their second input alone become some that know it, so that nothing is
/// computed for it.
bool state_shapes(Graph& graph, const shapes::ValueTypes& types) {
  bool any = false;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (node.op == nullptr || !node.post_ops.empty() || node.inputs.size() != 2 || types[id].size() != 1)
      continue;
    const Shape& shape = types[id][0].shape;
    std::map<std::string, std::string> attrs;
    std::string op;
    if (shape.rank() == 0 || shape.elements() == 0) continue;
    if (node.op->name == "slice_like") {
      op = "slice";
      attrs = {{"begin", tuple_of(shape, true)}, {"end", tuple_of(shape, false)}};
    } else if (node.op->name == "reshape_like") {
      op = "Reshape";
      attrs = {{"shape", tuple_of(shape, false)}};
    } else {
      continue;
    }
    const std::vector<std::string> notes = node.notes;
    node = ops::make_node(node.name, op, attrs, {node.inputs[0]});
    node.notes = notes;
    any = true;
  }
  return any;
}

/// Outputs that moving or element-wise operators compute for nothing else become parts of one array, if they
/// are several, and small.
bool pack_outputs(Graph& graph, const shapes::ValueTypes& types) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 14;
  const auto uses = graph::count_uses(graph);
  std::vector<std::size_t> packed;
  std::int64_t elements = 0;
  for (std::size_t h = 0; h < graph.heads.size(); ++h) {
    const Value head = graph.heads[h];
    const ops::TensorType& type = type_of(types, head);
    const auto id = static_cast<std::size_t>(head.node);
    const bool is_packed = type.dtype == DType::float32 && type.shape.elements() > 0 &&
                           type.shape.rank() > 0 && ops::has_view_program(graph.nodes[id]) &&
                           types[id].size() == 1 && uses[id][0] == 1;
    if (!is_packed || elements + type.shape.elements() > kMostElements) continue;
    packed.push_back(h);
    elements += type.shape.elements();
  }
  if (packed.size() < 2) return false;
  std::vector<Value> flat;
  for (const std::size_t h : packed) {
    const Value head = graph.heads[h];
    Node reshape =
        ops::make_node(node_of(graph, head).name + "_flat", "Reshape", {{"shape", "(-1,)"}}, {head});
    flat.push_back({graph::append(graph, std::move(reshape)), 0});
  }
  const std::string count = concat(flat.size());
  Node whole = ops::make_node("outputs", "Concat", {{"dim", "0"}, {"num_args", count}}, std::move(flat));
  const Value all{graph::append(graph, std::move(whole)), 0};
  std::int64_t begin = 0;
  for (const std::size_t h : packed) {
    const Value head = graph.heads[h];
    const Shape& shape = type_of(types, head).shape;
    Node part = ops::make_node(node_of(graph, head).name, "_mxinfer_output_part",
                               {{"begin", concat(begin)}, {"shape", tuple_of(shape, false)}}, {all});
    begin += shape.elements();
    graph.heads[h] = {graph::append(graph, std::move(part)), 0};
  }
  return true;
}

bool is_chain(const Node& node) {
  return node.op->name == "_mxinfer_elementwise_chain";
}

/// Whether the order of elements stays.
bool is_reshape(const Node& node) {
  const std::string& name = node.op->name;
  return name == "Reshape" || name == "Flatten" || name == "expand_dims" || name == "squeeze";
}

bool is_concatenation(const Node& node) {
  return node.op->name == "Concat" || node.op->name == "stack";
}

class ViewGroups {
 public:
  ViewGroups(const Graph& graph, const shapes::ValueTypes& types) : graph_(graph), types_(types) {}

  /// The nodes of a group, and the last node, may have values in memory all the same.
  std::set<std::int32_t> kept;    ///< do not join the group of their readers
  std::set<std::int32_t> single;  ///< are in no group

  /// A node joins the group that all its readers are in; the others are the last of a group of their own.
  Groups find() const {
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

  /// How many kernels the members are on their own.
  std::int64_t kernels(const Ids& members) const {
    std::int64_t count = 0;
    for (const std::int32_t id : members) {
      const Node& node = graph_.nodes[static_cast<std::size_t>(id)];
      if (is_reshape(node)) continue;
      count += is_concatenation(node) ? static_cast<std::int64_t>(node.inputs.size()) : 1;
    }
    return count;
  }

 private:
  bool is_plain_float(Value value) const {
    const ops::TensorType& type = type_of(types_, value);
    return type.dtype == DType::float32 && type.shape.elements() > 0;
  }

  bool can_join(std::size_t id) const {
    const Node& node = graph_.nodes[id];
    if (node.is_variable() || single.count(static_cast<std::int32_t>(id)) > 0) return false;
    if (!ops::has_view_program(node) && !(is_chain(node) && node.post_ops.empty())) return false;
    for (const Value input : node.inputs) {
      if (!is_plain_float(input)) return false;
    }
    for (std::size_t o = 0; o < types_[id].size(); ++o) {
      if (!is_plain_float({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)})) return false;
    }
    if (is_concatenation(node)) return concatenates_moved(node);
    const bool reorders = ops::only_moves(node) && !is_reshape(node);
    return !reorders || types_[id][0].shape.elements() <= kMostTransposed || !is_transpose(node);
  }

  static bool is_transpose(const Node& node) {
    const std::string& name = node.op->name;
    return name == "transpose" || name == "SwapAxis" || name == "depth_to_space" || name == "space_to_depth";
  }

  /// Whether some input is no value that its producer could write directly into the concatenation.
  bool concatenates_moved(const Node& node) const {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](Value input) {
      const Node* from = &node_of(graph_, input);
      while (!from->is_variable() && (is_reshape(*from) || is_concatenation(*from))) {
        if (is_concatenation(*from) && concatenates_moved(*from)) return true;
        if (is_concatenation(*from)) return false;
        from = &node_of(graph_, from->inputs[0]);
      }
      return from->is_variable() || ops::has_view_program(*from) || is_chain(*from);
    });
  }

  const Graph& graph_;
  const shapes::ValueTypes& types_;
};

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
      types_.push_back(type_of(types, input));
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

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/goal.h"
#include "passes/optimise/affine.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;

/// The operator that a node becomes, nullptr if it is none of the large products.
const char* product_name(const graph::Graph& graph, const Node& node) {
  if (node.op->name == "_mxinfer_convolution_nhwc" && has_bfloat16_form(graph, node))
    return "_mxinfer_convolution_bf16";
  const bool dense = node.op->name == "FullyConnected" && float_parameter(graph, node, 1) != nullptr;
  return dense ? "_mxinfer_fully_connected_bf16" : nullptr;
}

class Rewriter {
 public:
  explicit Rewriter(graph::Graph& graph) : graph_(graph), count_(graph.nodes.size()) {
    products_.resize(count_, nullptr);
    for (std::size_t id = 0; id < count_; ++id) {
      if (graph.nodes[id].op != nullptr) products_[id] = product_name(graph, graph.nodes[id]);
    }
  }

  void run() {
    find_wanted();
    for (std::size_t id = 0; id < count_; ++id) {
      if (graph_.nodes[id].op == nullptr) continue;
      if (products_[id] != nullptr) {
        rewrite_product(id);
      } else if (ops::follows_bfloat16(graph_.nodes[id]) && is_wanted(id) && reads_narrow(id)) {
        read_all(id, &Rewriter::as_narrow);
        mark_narrow(id);
      } else {
        read_all(id, &Rewriter::as_wide);
      }
    }
    for (std::size_t i = 0; i < graph_.heads.size(); ++i) {
      const Value head = as_wide(graph_.heads[i]);
      graph_.heads[i] = head;
    }
    graph::sort_topologically(graph_);
    graph::remove_dead_nodes(graph_);
  }

 private:
  /// The values that a product reads, at once or through what follows it.
  void find_wanted() {
    for (std::size_t id = count_; id-- > 0;) {
      const Node& node = graph_.nodes[id];
      if (node.op == nullptr) continue;
      if (products_[id] != nullptr) {
        wanted_.insert(node.inputs[0]);
        if (node.post_ops.residual) wanted_.insert(node.inputs.back());
      } else if (ops::follows_bfloat16(node) && is_wanted(id)) {
        wanted_.insert(node.inputs.begin(), node.inputs.end());
      }
    }
  }
  bool is_wanted(std::size_t id) const {
    const auto first = wanted_.lower_bound(Value{static_cast<std::int32_t>(id), 0});
    return first != wanted_.end() && first->node == static_cast<std::int32_t>(id);
  }

  bool reads_narrow(std::size_t id) const {
    for (Value input : graph_.nodes[id].inputs) {
      if (narrow_.count(input) != 0) return true;
    }
    return false;
  }
  void mark_narrow(std::size_t id) {
    for (std::int32_t o = 0; o < graph_.nodes[id].num_outputs; ++o)
      narrow_.insert({static_cast<std::int32_t>(id), o});
  }

  void rewrite_product(std::size_t id) {
    const Value data = as_narrow(graph_.nodes[id].inputs[0]);
    graph_.nodes[id].inputs[0] = data;
    if (graph_.nodes[id].post_ops.residual) {
      const Value residual = as_narrow(graph_.nodes[id].inputs.back());
      graph_.nodes[id].inputs.back() = residual;
    }
    Node& node = graph_.nodes[id];
    node.op = ops::find_op(products_[id]);
    node.attrs.set("wide", !is_wanted(id));
    node.notes.push_back("factors are rounded to bfloat16");
    if (is_wanted(id)) mark_narrow(id);
  }

  void read_all(std::size_t id, Value (Rewriter::*as)(Value)) {
    for (std::size_t i = 0; i < graph_.nodes[id].inputs.size(); ++i) {
      const Value read = (this->*as)(graph_.nodes[id].inputs[i]);
      graph_.nodes[id].inputs[i] = read;
    }
  }

  Value as_narrow(Value value) { return narrow_.count(value) != 0 ? value : cast(value, "bfloat16"); }
  Value as_wide(Value value) { return narrow_.count(value) == 0 ? value : cast(value, "float32"); }

  Value cast(Value value, const char* dtype) {
    const auto [found, is_new] = casts_.try_emplace(value);
    if (!is_new) return found->second;
    const std::string& source = graph_.nodes[static_cast<std::size_t>(value.node)].name;
    Node node = ops::make_node(source + "_" + dtype, "Cast", {{"dtype", dtype}}, {value});
    found->second = {graph::append(graph_, std::move(node)), 0};
    return found->second;
  }

  graph::Graph& graph_;
  std::size_t count_;
  std::vector<const char*> products_;  ///< by node
  std::set<Value> wanted_, narrow_;
  std::map<Value, Value> casts_;  ///< a value has one dtype, and so one cast
};

}  // namespace

// With few filters in a group most of a panel
// would be empty, and some of what other passes give it the float32 kernels alone have.
bool has_bfloat16_form(const graph::Graph& graph, const graph::Node& node) {
  constexpr std::int64_t kLeastFilters = 16;
  if (node.attrs.flag("border") || node.post_ops.activation > graph::Activation::swish) return false;
  const std::int64_t groups = node.attrs.integer("num_group");
  return float_parameter(graph, node, 1) != nullptr &&
         (groups == 1 || node.attrs.integer("num_filter") / groups >= kLeastFilters);
}

void lower_precision(graph::Graph& graph, kernels::Precision precision) {
  if (precision != kernels::Precision::bfloat16) return;
  Rewriter(graph).run();
}

}  // namespace mxinfer::passes

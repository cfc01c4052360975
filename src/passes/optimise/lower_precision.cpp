#include <algorithm>
#include <map>
#include <string>

#include "kernels/conv/bf16/conv_bf16.h"
#include "ops/narrow_values.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/goal.h"
#include "passes/optimise/affine.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;

bool has_bfloat16_activation(const graph::PostOps& post_ops) {
  return post_ops.activation <= graph::Activation::swish;
}

/// A fused block, where its kernel is faster than that of float32.
bool is_faster_block(const Node& node, kernels::Target target) {
  if (node.op->name != "_mxinfer_separable_nhwc" || kernels::bf16_fast_parts(target) == nullptr) return false;
  return has_bfloat16_activation(node.post_ops) &&
         std::all_of(node.inner_post_ops.begin(), node.inner_post_ops.end(),
                     [](const graph::PostOps& inner) { return has_bfloat16_activation(inner); });
}

/// Whether a batch normalisation between products can read and write bfloat16: its parameters stay float32.
bool has_bfloat16_norm(const graph::Graph& graph, const Node& node) {
  if (node.op->name != "BatchNorm" || node.attrs.flag("output_mean_var")) return false;
  for (std::size_t i = 1; i < 5; ++i) {
    if (float_parameter(graph, node, i) == nullptr) return false;
  }
  return has_bfloat16_activation(node.post_ops);
}

/// The operator that a node becomes; null for one that is none of the large products, nor lies between them
/// with parameters of its own.
struct NarrowForm {
  const char* op = nullptr;
  bool is_product = false;
};

NarrowForm narrow_form(const graph::Graph& graph, const Node& node, kernels::Target target) {
  if (node.op == nullptr) return {};
  if (is_faster_block(node, target)) return {"_mxinfer_separable_bf16", true};
  if (node.op->name == "_mxinfer_convolution_nhwc" && has_bfloat16_form(graph, node))
    return {"_mxinfer_convolution_bf16", true};
  if (node.op->name == "FullyConnected" && float_parameter(graph, node, 1) != nullptr)
    return {"_mxinfer_fully_connected_bf16", true};
  if (has_bfloat16_norm(graph, node)) return {"_mxinfer_batch_norm_bf16"};
  return {};
}

/// What the CPU's kernels of a node take.
ops::NarrowNode narrow_node(const Node& node, const NarrowForm& form) {
  ops::NarrowNode can;
  const bool follows = form.op == nullptr && node.op != nullptr && ops::follows_bfloat16(node);
  if (form.op == nullptr && !follows) return can;
  can.form = form.is_product ? ops::HalfForm::product : ops::HalfForm::one_type;
  can.writes_narrow = true;
  can.writes_wide = form.is_product;
  can.inputs.assign(node.inputs.size(), follows ? ops::NarrowInput::data : ops::NarrowInput::wide);
  if (!follows) can.inputs.front() = ops::NarrowInput::data;
  if (form.is_product && node.post_ops.residual) can.inputs.back() = ops::NarrowInput::data;
  return can;
}

class Rewriter {
 public:
  Rewriter(graph::Graph& graph, kernels::Target target) : graph_(graph), count_(graph.nodes.size()) {
    for (const Node& node : graph.nodes) {
      forms_.push_back(narrow_form(graph, node, target));
      nodes_.push_back(narrow_node(node, forms_.back()));
    }
  }

  void run() {
    // bfloat16 has the range of float32.
    decisions_ = ops::narrow_values(graph_, nodes_, [](std::size_t, const auto&) { return false; });
    for (std::size_t id = 0; id < count_; ++id) rewrite(id);
    for (std::size_t i = 0; i < graph_.heads.size(); ++i) {
      const Value head = as_wide(graph_.heads[i]);
      graph_.heads[i] = head;
    }
    graph::sort_topologically(graph_);
    graph::remove_dead_nodes(graph_);
  }

 private:
  bool is_narrow(Value value) const { return decisions_[static_cast<std::size_t>(value.node)].writes; }

  void rewrite(std::size_t id) {
    const NarrowForm form = forms_[id];
    const bool reads_data = form.is_product || decisions_[id].writes;
    for (std::size_t i = 0; i < graph_.nodes[id].inputs.size(); ++i) {
      const bool is_data = i < nodes_[id].inputs.size() && nodes_[id].inputs[i] == ops::NarrowInput::data;
      const Value input = graph_.nodes[id].inputs[i];
      const Value read = reads_data && is_data ? as_narrow(input) : as_wide(input);
      graph_.nodes[id].inputs[i] = read;
    }
    if (form.op == nullptr || !reads_data) return;
    Node& node = graph_.nodes[id];
    node.op = ops::find_op(form.op);
    if (!form.is_product) return;
    node.attrs.set("wide", !decisions_[id].writes);
    node.notes.push_back("factors are rounded to bfloat16");
  }

  Value as_narrow(Value value) { return is_narrow(value) ? value : cast(value, "bfloat16"); }
  Value as_wide(Value value) { return is_narrow(value) ? cast(value, "float32") : value; }

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
  std::vector<NarrowForm> forms_;  ///< by node
  std::vector<ops::NarrowNode> nodes_;
  std::vector<ops::NarrowDecision> decisions_;
  std::map<Value, Value> casts_;  ///< a value has one dtype, and so one cast
};

}  // namespace

// With few filters in a group most of a panel
// would be empty, and some of what other passes give it the float32 kernels alone have.
bool has_bfloat16_form(const graph::Graph& graph, const graph::Node& node) {
  constexpr std::int64_t kLeastFilters = 16;
  if (node.attrs.flag("border") || !has_bfloat16_activation(node.post_ops)) return false;
  const std::int64_t groups = node.attrs.integer("num_group");
  return float_parameter(graph, node, 1) != nullptr &&
         (groups == 1 || node.attrs.integer("num_filter") / groups >= kLeastFilters);
}

void lower_precision(graph::Graph& graph, const Goal& goal) {
  if (goal.precision != kernels::Precision::bfloat16) return;
  Rewriter(graph, goal.target).run();
}

}  // namespace mxinfer::passes

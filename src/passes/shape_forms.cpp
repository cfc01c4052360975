#include "passes/shape_forms.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/checked.h"
#include "ops/op_def.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

/// Operators whose first output has the shape and the dtype of their first input.
bool keeps_type(const Node& node) {
  static const std::set<std::string_view>& kOps = *new std::set<std::string_view>{
      "Activation",      "BatchNorm", "BatchNorm_v1", "Dropout", "LayerNorm",
      "LeakyReLU",       "_copy",     "clip",         "erf",     "relu",
      "hard_sigmoid",    "sigmoid",   "softsign",     "tanh",    "InstanceNorm",
      "L2Normalization", "LRN",       "GroupNorm"};
  return kOps.count(node.op->name) > 0;
}

bool is_addition(const Node& node) {
  const std::string& op = node.op->name;
  return node.inputs.size() == 2 && (op == "elemwise_add" || op == "broadcast_add" || op == "_npi_add");
}

/// The length of a parameter of one dimension, or -1.
std::int64_t length_of(const Graph& graph, Value value) {
  const Node& node = graph.nodes[static_cast<std::size_t>(value.node)];
  return node.constant != nullptr && node.constant->shape().rank() == 1 ? node.constant->shape()[0] : -1;
}

std::vector<std::int64_t> sizes_of(const Node& node, const char* name, std::size_t rank, std::int64_t usual) {
  auto sizes = node.attrs.has(name) ? node.attrs.tuple(name) : std::vector<std::int64_t>();
  sizes.resize(rank, usual);
  return sizes;
}

/// 2 pad - dilate (kernel - 1) - 1; nullopt for numbers that no layer has.
std::optional<std::int64_t> window_offset(std::int64_t kernel, std::int64_t dilate, std::int64_t pad) {
  if (kernel < 1 || dilate < 1 || pad < 0) return std::nullopt;
  const auto reach = checked_mul(dilate, kernel - 1);
  const auto padding = checked_mul(pad, 2);
  if (!reach || !padding) return std::nullopt;
  return *padding - 1 - *reach;
}

bool is_channels_first(const Node& node) {
  if (!node.attrs.has("layout")) return true;
  const std::string& layout = node.attrs.choice("layout");
  return layout == "NCW" || layout == "NCHW" || layout == "NCDHW";
}

}  // namespace

ShapeForms::ShapeForms(const Graph& graph) {
  forms_.reserve(graph.nodes.size());
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) forms_.push_back(form_of(graph, id));
}

bool ShapeForms::are_equal(Value a, Value b) const {
  return a == b || (a.index == 0 && b.index == 0 && of(a) == of(b));
}

ShapeForms::Form ShapeForms::form_of(const Graph& graph, std::size_t id) const {
  const Node& node = graph.nodes[id];
  const Form own{Value{static_cast<decltype(Value::node)>(id), 0}};
  if (node.op == nullptr || node.inputs.empty() || node.inputs[0].index != 0) return own;
  const std::string& op = node.op->name;
  if (op == "FullyConnected") return node.attrs.flag("flatten") ? own : behind_dense(node);
  // Behind another last dimension, windows are unknown.
  if (op == "Convolution" && is_channels_first(node) && of(node.inputs[0]).last == kAsBefore)
    return behind_windows(node, node.attrs.integer("num_filter")).value_or(own);
  if (is_addition(node) && of(node.inputs[0]) == of(node.inputs[1])) return of(node.inputs[0]);
  if (!keeps_type(node)) return own;
  Form form = of(node.inputs[0]);
  if (op == "LayerNorm" && node.attrs.integer("axis") == -1) {
    const std::int64_t length = length_of(graph, node.inputs[1]);
    if (length > 0) form.last = length;
  }
  return form;
}

std::optional<ShapeForms::Form> ShapeForms::behind_windows(const Node& node, std::int64_t channels) const {
  Form form = of(node.inputs[0]);
  const std::vector<std::int64_t> kernel = node.attrs.tuple("kernel");
  const std::size_t rank = kernel.size();
  const auto stride = sizes_of(node, "stride", rank, 1), dilate = sizes_of(node, "dilate", rank, 1),
             pad = sizes_of(node, "pad", rank, 0);
  form.channels = channels;
  form.windows.resize(std::max(form.windows.size(), rank));
  for (std::size_t d = 0; d < rank; ++d) {
    const auto offset = window_offset(kernel[d], dilate[d], pad[d]);
    if (!offset) return std::nullopt;
    if (stride[d] != 1 || *offset != -1) form.windows[d].emplace_back(*offset, stride[d]);
  }
  const bool has_windows = std::any_of(form.windows.begin(), form.windows.end(),
                                       [](const Windows& windows) { return !windows.empty(); });
  if (!has_windows) form.windows.clear();
  return form;
}

ShapeForms::Form ShapeForms::behind_dense(const Node& node) const {
  Form form = of(node.inputs[0]);
  form.last = node.attrs.integer("num_hidden");
  return form;
}

}  // namespace mxinfer::passes

#include "passes/value_dtypes.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "graph/hints.h"
#include "ops/is_op.h"
#include "ops/op_def.h"
#include "passes/quantized_dtypes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::is_op;

/// Operators without an attribute dtype whose output has not the dtype of their first input.
bool makes_own_dtype(std::string_view op) {
  static const std::set<std::string_view>& kOps = *new std::set<std::string_view>{"_contrib_allclose",
                                                                                  "_contrib_index_array",
                                                                                  "_histogram",
                                                                                  "_image_to_tensor",
                                                                                  "all_finite",
                                                                                  "multi_all_finite",
                                                                                  "multi_sum_sq",
                                                                                  "shape_array",
                                                                                  "size_array",
                                                                                  "_npx_nonzero",
                                                                                  "_npi_diag_indices_from",
                                                                                  "_npi_isfinite",
                                                                                  "_npi_isinf",
                                                                                  "_npi_isnan",
                                                                                  "_npi_isneginf",
                                                                                  "_npi_isposinf",
                                                                                  "_npi_logical_not",
                                                                                  "_npi_share_memory",
                                                                                  "_npi_where_scalar2",
                                                                                  "_npx_constraint_check"};
  const bool compares = op.starts_with("_npi_") && (op.find("equal") != std::string_view::npos ||
                                                    op.find("greater") != std::string_view::npos ||
                                                    op.find("less") != std::string_view::npos);
  const bool quantizes = op.starts_with("_contrib_quantize") || op == "_contrib_dequantize" ||
                         op == "_contrib_requantize" || op.starts_with("_sg_mkldnn_");
  return compares || quantizes || kOps.count(op) > 0;
}

/// NumPy's reductions and linear algebra: positions, truth values, percentiles; those of floats only have the
/// dtype of the input.
bool keeps_dtype_of_numpy(std::string_view op, std::optional<DType> input) {
  static const std::set<std::string_view>& kOwn = *new std::set<std::string_view>{
      "_np_all", "_np_any", "_npi_argmax", "_npi_argmin", "_npi_bincount", "_npi_percentile"};
  static const std::set<std::string_view>& kOfFloats = *new std::set<std::string_view>{
      "_np_cumsum",   "_np_prod",      "_np_sum",   "_npi_eig",   "_npi_eigh",
      "_npi_eigvals", "_npi_eigvalsh", "_npi_mean", "_npi_solve", "_npi_tensorsolve"};
  if (kOwn.count(op) > 0) return false;
  return kOfFloats.count(op) == 0 || (input && is_float(*input));
}

/// Which input the dtype of the first output is that of. A parameter among operands takes the dtype of the
/// others.
std::size_t typing_input(const Graph& graph, const Node& node) {
  const std::string& op = node.op->name;
  if (op == "where" || op == "_npi_where" || op == "_npi_where_lscalar" || op == "_npi_where_rscalar" ||
      op == "Embedding" || op == "_contrib_SparseEmbedding")
    return 1;
  if (node.op->traits.elementwise == ops::Elementwise::no) return 0;
  const auto computed = std::find_if(node.inputs.begin(), node.inputs.end(), [&](Value input) {
    return graph.nodes[static_cast<std::size_t>(input.node)].constant == nullptr;
  });
  return computed == node.inputs.end() ? 0 : static_cast<std::size_t>(computed - node.inputs.begin());
}

/// What the hint of a variable says: float32 without one, nothing if it is no dtype.
std::optional<DType> stated_dtype(const Node& variable) {
  return graph::find_hint(variable, graph::kDTypeHint) == nullptr ? DType::float32
                                                                  : graph::dtype_hint(variable);
}

bool has_dtype_attr(const Node& node) {
  const auto& specs = node.op->attrs;
  return std::any_of(specs.begin(), specs.end(), [](const auto& spec) { return spec.name == "dtype"; }) &&
         node.attrs.has("dtype");
}

/// Whether a number beside data of such a dtype makes another one (infer of NumPy's scalar operators).
bool has_wider_result(const Node& node, const ValueDType& data) {
  const auto& specs = node.op->attrs;
  const bool of_scalar =
      std::any_of(specs.begin(), specs.end(), [](const auto& spec) { return spec.name == "is_int"; });
  return of_scalar && data.dtype && !is_float(*data.dtype);
}

/// Operators on 8-bit values whose attribute dtype is that of the output.
bool states_8bit_dtype(const Node& node) {
  return is_op(node, "_mxinfer_quantize") || is_op(node, "_mxinfer_convolution_int8") ||
         is_op(node, "_mxinfer_fully_connected_int8");
}

bool is_softmax(const Node& node) {
  return is_op(node, "softmax") || is_op(node, "log_softmax") || is_op(node, "softmin");
}

}  // namespace

ValueDTypes::ValueDTypes(const Graph& graph, std::vector<DType> inputs) : inputs_(std::move(inputs)) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) known_.push_back(outputs_of(graph, id));
}

ValueDType ValueDTypes::of(Value value) const {
  const Outputs& outputs = known_[static_cast<std::size_t>(value.node)];
  const auto index = static_cast<std::size_t>(value.index);
  return index < outputs.size() ? outputs[index] : ValueDType();
}

ValueDTypes::Outputs ValueDTypes::outputs_of(const Graph& graph, std::size_t id) const {
  const Node& node = graph.nodes[id];
  if (node.constant) return {{node.constant->dtype()}};
  if (node.is_variable()) {
    const auto input = static_cast<std::size_t>(node.input_index);
    const bool is_given = node.input_index >= 0 && input < inputs_.size();
    return {{is_given ? inputs_[input] : stated_dtype(node), static_cast<std::int32_t>(id)}};
  }
  if (node.op == nullptr || node.inputs.empty()) return {};
  const auto made = in_context([&] { return graph::describe(node); }, [&] { return quantized_output(node); });
  if (made) return {*made};
  if (!node.subgraphs.empty()) return {};
  if (is_op(node, "amp_multicast")) return multicast(node);
  const bool all_alike =
      is_op(node, "SliceChannel") || is_op(node, "_split_v2") || node.op->traits.float16_on_gpus;
  if (all_alike) return Outputs(static_cast<std::size_t>(node.num_outputs), of(node.inputs[0]));
  return {first_output(graph, node)};
}

// Of an operator that keeps the dtype of its data it may be that of an input of the network.
std::optional<ValueDType> ValueDTypes::quantized_output(const Node& node) const {
  std::vector<std::optional<DType>> sure, stated;
  for (Value value : node.inputs) {
    const ValueDType input = of(value);
    stated.push_back(input.dtype);
    sure.push_back(input.input < 0 ? input.dtype : std::nullopt);
  }
  if (const auto made = quantized_dtype(node, sure)) return ValueDType{made};
  const auto made = quantized_dtype(node, stated);
  if (!made) return std::nullopt;
  for (Value value : node.inputs) {
    const ValueDType input = of(value);
    if (input.input >= 0 && input.dtype == made) return input;
  }
  return ValueDType();
}

ValueDType ValueDTypes::first_output(const Graph& graph, const Node& node) const {
  const std::size_t typing = typing_input(graph, node);
  const ValueDType input = typing < node.inputs.size() ? of(node.inputs[typing]) : ValueDType();
  if (is_op(node, "Cast")) return {node.attrs.dtype("dtype")};
  if (is_op(node, "_mxinfer_to_float32") || is_op(node, "_mxinfer_dequantize")) return {DType::float32};
  if (states_8bit_dtype(node)) return {node.attrs.dtype("dtype")};
  if (is_op(node, "amp_cast")) {
    const bool casts = input.dtype && is_float(*input.dtype);
    return casts ? ValueDType{node.attrs.dtype("dtype")} : input;
  }
  if (is_op(node, "norm") && node.attrs.has("out_dtype")) return {node.attrs.dtype("out_dtype")};
  if (is_softmax(node) && node.attrs.has("dtype")) return {node.attrs.dtype("dtype")};
  if (typing == 0 && has_dtype_attr(node)) return {};
  if (const ops::MixedDType mixed = ops::mixed_dtype(node)) return mixed_result(node, mixed);
  if (has_wider_result(node, input)) return {};
  if (!keeps_dtype_of_numpy(node.op->name, input.dtype)) return {};
  return makes_own_dtype(node.op->name) ? ValueDType() : input;
}

// Of equal dtypes it may be that of an input of the network.
ValueDType ValueDTypes::mixed_result(const Node& node, ops::MixedDType mixed) const {
  const ValueDType a = of(node.inputs[0]), b = of(node.inputs[1]);
  if (!a.dtype || !b.dtype) return {};
  const std::optional<DType> result = mixed(*a.dtype, *b.dtype);
  if (a.input < 0 && b.input < 0) return {result};
  return a.dtype == b.dtype && result == a.dtype ? a.input >= 0 ? a : b : ValueDType();
}

// The widest floating point dtype of the inputs, or the narrowest.
ValueDTypes::Outputs ValueDTypes::multicast(const Node& node) const {
  const bool narrow = node.attrs.flag("cast_narrow");
  std::optional<DType> common;
  Outputs outputs;
  for (Value value : node.inputs) {
    const ValueDType input = of(value);
    outputs.push_back(input);
    if (!input.dtype) return {};
    if (!is_float(*input.dtype)) continue;
    const bool better = !common || (narrow ? size_of(*input.dtype) < size_of(*common)
                                           : size_of(*input.dtype) > size_of(*common));
    if (better) common = input.dtype;
  }
  for (ValueDType& output : outputs) {
    if (is_float(*output.dtype)) output = {common};
  }
  return outputs;
}

}  // namespace mxinfer::passes

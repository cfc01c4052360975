#include "ops/elementwise/float16_range.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

using graph::Activation;
using graph::Node;
using Names = std::set<std::string_view>;

constexpr double kLargestFloat16 = 65504;
/// A factor that keeps values of a usual size in range.
constexpr double kUsualFactor = 1024;

bool is_in_range(double number) {
  return std::fabs(number) <= kLargestFloat16;
}

const Names& bounded_functions() {
  static const Names& names =
      *new Names{"arccos",     "arcsin",       "arctan",        "arctan2",     "cos",         "equal",
                 "erf",        "greater",      "greater_equal", "lesser",      "logical_and", "hard_sigmoid",
                 "logical_or", "lesser_equal", "sign",          "logical_not", "logical_xor", "log",
                 "log10",      "log1p",        "log2",          "ones_like",   "sigmoid",     "not_equal",
                 "sin",        "softsign",     "tanh",          "zeros_like"};
  return names;
}

const Names& growing_functions() {
  static const Names& names =
      *new Names{"cosh",  "degrees", "erfinv", "exp",        "expm1", "gamma", "gammaln", "hypot",
                 "ldexp", "power",   "rcbrt",  "reciprocal", "rsqrt", "sinh",  "square",  "tan"};
  return names;
}

/// Operators that bound their results: shares of a whole, and values of mean 0 and variance 1.
const Names& bounded_operators() {
  static const Names& names = *new Names{"BatchNorm",
                                         "BatchNorm_v1",
                                         "GroupNorm",
                                         "InstanceNorm",
                                         "L2Normalization",
                                         "LayerNorm",
                                         "SoftmaxActivation",
                                         "SoftmaxOutput",
                                         "_contrib_BatchNormWithReLU",
                                         "_contrib_SyncBatchNorm",
                                         "log_softmax",
                                         "one_hot",
                                         "softmax",
                                         "softmin"};
  return names;
}

/// Operators whose results lie between elements of the first input; the others say where those are.
const Names& sampling_operators() {
  static const Names& names = *new Names{"BilinearSampler", "SpatialTransformer",
                                         "_contrib_DeformablePSROIPooling", "_contrib_RROIAlign"};
  return names;
}

/// Sums and products of many elements.
bool accumulates(const Node& node) {
  static const Names& names = *new Names{"_np_cumsum",
                                         "_np_prod",
                                         "_np_sum",
                                         "_np_trace",
                                         "_npi_norm",
                                         "_npi_pinv",
                                         "_npi_pinv_scalar_rcond",
                                         "_npi_polyval",
                                         "_npi_solve",
                                         "_npi_tensorinv",
                                         "_npi_tensorsolve",
                                         "_npi_var",
                                         "_square_sum",
                                         "khatri_rao",
                                         "moments",
                                         "nanprod",
                                         "nansum",
                                         "norm",
                                         "prod",
                                         "sum",
                                         "_contrib_quadratic"};
  const std::string& op = node.op->name;
  if (op == "Pooling" || op == "Pooling_v1") {
    const std::string& type = node.attrs.choice("pool_type");
    return type == "sum" || type == "lp";
  }
  return names.count(op) > 0 || op.starts_with("_linalg_");
}

/// Whether an attribute puts such a number among the elements.
bool fills_with_large(const Node& node) {
  const std::string& op = node.op->name;
  if (op == "SequenceMask") return !is_in_range(node.attrs.number("value"));
  if (op == "Pad") return !is_in_range(node.attrs.number("constant_value"));
  if (op == "_npi_full_like") return !is_in_range(node.attrs.number("fill_value"));
  if (op == "_npi_where_lscalar" || op == "_npi_where_rscalar")
    return !is_in_range(node.attrs.number("scalar"));
  if (op == "_npi_where_scalar2")
    return !is_in_range(node.attrs.number("x")) || !is_in_range(node.attrs.number("y"));
  if (op == "_npi_nan_to_num") {
    const kernels::UnaryParams numbers = nan_to_num_params(node.attrs, DType::float32);
    return !is_in_range(numbers.a) || !is_in_range(numbers.b) || !is_in_range(numbers.c);
  }
  return false;
}

bool is_division(std::string_view function) {
  return function == "div" || function == "float_div";
}

bool any_input_large(const Node& node, FunctionRef<bool(std::size_t)> is_large) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (is_large(i)) return true;
  }
  return false;
}

bool scalar_function_exceeds(const ElementFunction& function) {
  const double number = std::fabs(function.scalar);
  if (!is_in_range(number)) return true;
  if (is_division(function.name))
    return function.kind == ElementFunction::Kind::of_scalar || number < 1 / kUsualFactor;
  return function.name == "mul" && number > kUsualFactor;
}

bool function_exceeds(const Node& node, const ElementFunction& function,
                      FunctionRef<bool(std::size_t)> is_large) {
  using Kind = ElementFunction::Kind;
  if (bounded_functions().count(function.name) > 0) return false;
  if (growing_functions().count(function.name) > 0) return true;
  if (function.name == "clip") {
    if (is_in_range(function.params.a) && is_in_range(function.params.b)) return false;
  } else if (function.kind == Kind::scalar || function.kind == Kind::of_scalar) {
    if (scalar_function_exceeds(function)) return true;
  } else if (function.kind == Kind::binary && is_division(function.name)) {
    return true;
  }
  return any_input_large(node, is_large);
}

// The values of the body, one after another.
bool chain_exceeds(const Node& chain, FunctionRef<bool(std::size_t)> is_large) {
  const graph::Graph& body = *chain.subgraphs.at(0);
  std::vector<bool> large(body.nodes.size());
  for (std::size_t id = 0; id < body.nodes.size(); ++id) {
    const Node& node = body.nodes[id];
    if (node.constant) {
      large[id] = may_exceed_float16(*node.constant);
    } else if (node.is_variable()) {
      large[id] = is_large(static_cast<std::size_t>(node.input_index));
    } else {
      large[id] = may_exceed_float16(
          node, [&](std::size_t i) { return large[static_cast<std::size_t>(node.inputs[i].node)]; });
    }
  }
  return large[static_cast<std::size_t>(body.heads.at(0).node)];
}

bool operator_exceeds(const Node& node, FunctionRef<bool(std::size_t)> is_large) {
  if (node.op->name == "_mxinfer_elementwise_chain" || node.op->name == "_mxinfer_view_chain")
    return chain_exceeds(node, is_large);
  if (bounded_operators().count(node.op->name) > 0) return false;
  if (sampling_operators().count(node.op->name) > 0) return is_large(0);
  if (node.inputs.empty() || accumulates(node) || fills_with_large(node)) return true;
  if (const auto function = element_function(node)) return function_exceeds(node, *function, is_large);
  return any_input_large(node, is_large);
}

}  // namespace

bool may_exceed_float16(const Node& node, FunctionRef<bool(std::size_t)> is_large) {
  const Activation activation = node.post_ops.activation;
  if (activation == Activation::sigmoid || activation == Activation::tanh) return false;
  const bool adds_large = node.post_ops.residual && is_large(node.inputs.size() - 1);
  return adds_large || operator_exceeds(node, is_large);
}

bool exceeds_float16(const Parameter& parameter) {
  return parameter.dtype() == DType::float32 &&
         !(static_cast<double>(parameter.largest_magnitude()) <= kLargestFloat16);
}

bool may_exceed_float16(const Parameter& parameter) {
  constexpr std::int64_t kManyElements = std::int64_t{1} << 16;
  return parameter.elements() <= kManyElements && exceeds_float16(parameter);
}

}  // namespace mxinfer::ops

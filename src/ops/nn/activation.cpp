// Activations with attributes: Activation, LeakyReLU, clip, hard_sigmoid, smooth_l1.
#include <algorithm>

#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"
#include "ops/layout/channels_last.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/nn/normalization/normalization.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

bool is_prelu(const Attrs& attrs) {
  return attrs.choice("act_type") == "prelu";
}

/// Whether all of gamma's sizes but one are 1, and that one is `count`; or all are 1.
bool is_row_of(const Shape& gamma, std::int64_t count) {
  const auto ones = static_cast<std::size_t>(std::count(gamma.begin(), gamma.end(), 1));
  return gamma.elements() == 1 || (gamma.elements() == count && ones + 1 == gamma.rank());
}

std::vector<TensorType> infer_leaky(const InferContext& ctx) {
  if (is_prelu(ctx.attrs)) {
    if (ctx.shape(0).empty()) fail(ErrorCode::invalid_argument, "data has no dimensions");
    prelu_gamma_shape(ctx.shape(0), ctx.shape(1));
    if (ctx.dtype(1) != ctx.dtype(0)) {
      fail(ErrorCode::invalid_argument, "gamma is ", to_string(ctx.dtype(1)), " and data ",
           to_string(ctx.dtype(0)), ": expected the same dtype");
    }
  }
  return infer_same_float(ctx);
}

std::optional<ElementFunction> leaky_function(const Attrs& attrs) {
  const std::string& type = attrs.choice("act_type");
  const float slope = attrs.number32("slope");
  if (type == "prelu") return std::nullopt;
  if (type == "elu") return unary_function("elu", {slope, 0});
  if (type == "selu")
    return unary_function("selu", {1.6732632423543772848170429916717, 1.0507009873554804934193349852946});
  if (type == "gelu") return unary_function("gelu");
  if (type == "rrelu") {
    const float mean = (attrs.number32("lower_bound") + attrs.number32("upper_bound")) / 2;
    return unary_function("leaky", {mean, 0});
  }
  return unary_function("leaky", {slope, 0});
}

Step lower_leaky(LowerContext& ctx) {
  if (!is_prelu(ctx.attrs())) return lower_element_function(ctx);
  return lower_binary(ctx, "prelu", prelu_gamma_shape(ctx.input(0).shape, ctx.input(1).shape));
}

std::vector<AttrSpec> leaky_attrs() {
  return {choice_attr("act_type", {"elu", "gelu", "leaky", "prelu", "rrelu", "selu"}, "leaky"),
          number_attr("slope", 0.25), number_attr("lower_bound", 0.125),
          number_attr("upper_bound", 0.333999991)};
}

std::vector<TensorType> infer_prelu_nhwc(const InferContext& ctx) {
  const Shape nchw = to_channels_first(ctx.shape(0));
  prelu_gamma_shape(nchw, ctx.shape(1));
  return infer_same_float(ctx);
}

Step lower_prelu_nhwc(LowerContext& ctx) {
  const Shape nchw = to_channels_first(ctx.input(0).shape);
  return lower_binary(ctx, "prelu", to_channels_last(prelu_gamma_shape(nchw, ctx.input(1).shape)));
}

PortNames leaky_relu_inputs(const Attrs& attrs) {
  return is_prelu(attrs) ? PortNames{{"data", "gamma"}} : PortNames{{"data"}};
}

bool leaky_relu_layout(LayoutRewriter& rewriter, std::size_t id) {
  if (rewriter.node(id).attrs.choice("act_type") != "prelu") return elementwise_layout(rewriter, id);
  // Its slopes are of dimension 1, which channels-first has no name for in a model of channels-last.
  if (!rewriter.to_last()) return false;
  graph::Node& node = rewriter.node(id);
  const std::int64_t rank = rewriter.input_rank(id);
  if (!rewriter.is_moved(node.inputs[0]) || rewriter.constant(id, 1) == nullptr) return false;
  node.op = find_op("_mxinfer_prelu_nhwc");
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

/// An attribute that MXNet keeps as float. Not inlined: of two neighbours that are rounded to float and are
/// doubles again, GCC 12 drops the rounding.
[[gnu::noinline]] double rounded(const Attrs& attrs, std::string_view name) {
  return attrs.number32(name);
}

}  // namespace

Shape prelu_gamma_shape(const Shape& data, const Shape& gamma) {
  const std::size_t axis = std::min<std::size_t>(1, data.rank() - 1);
  Shape shape;
  for (std::size_t d = 0; d < data.rank(); ++d) shape.push_back(1);
  std::size_t left = gamma.rank();
  for (std::size_t d = axis + 1; d-- > 0 && left > 0;) {
    if (gamma[left - 1] == data[d] || gamma[left - 1] == 1) shape[d] = gamma[--left];
  }
  if (left == 0) return shape;
  if (!is_row_of(gamma, data[axis])) {
    fail(ErrorCode::invalid_argument, "gamma has the shape ", to_string(gamma), ": expected (1,), (",
         data[axis], ",), one slope for each channel of data ", to_string(data), ", or (",
         axis == 0 ? "" : concat(data[0], ", "), data[axis],
         axis == 0 ? ",)" : "), one for each of its samples too");
  }
  for (std::size_t d = 0; d <= axis; ++d) shape[d] = d == axis ? gamma.elements() : 1;
  return shape;
}

void add_activation_functions(ElementFunctions& functions) {
  functions["Activation"] = [](const Attrs& attrs) { return unary_function(attrs.choice("act_type")); };
  functions["LeakyReLU"] = leaky_function;
  functions["_mxinfer_activation"] = [](const Attrs& attrs) {
    return unary_function(attrs.choice("function"), {1, 0});
  };
  functions["clip"] = [](const Attrs& attrs) {
    return unary_function("clip", {rounded(attrs, "a_min"), rounded(attrs, "a_max")});
  };
  functions["hard_sigmoid"] = [](const Attrs& attrs) {
    return unary_function("hard_sigmoid", {rounded(attrs, "alpha"), rounded(attrs, "beta")});
  };
  functions["smooth_l1"] = [](const Attrs& attrs) {
    return unary_function("smooth_l1", {attrs.number("scalar"), 0});
  };
}

std::vector<OpDef> activations() {
  return {
      {.name = "Activation",
       .aliases = {"_npx_activation"},
       .summary =
           "relu max(x, 0), sigmoid 1 / (1 + exp(-x)), tanh, softrelu log(1 + exp(x)), softsign x / (1 + "
           "|x|).",
       .attrs = {choice_attr("act_type", {"relu", "sigmoid", "softrelu", "softsign", "tanh"})},
       .traits = {.elementwise = Elementwise::same_shape, .follows_bfloat16 = always_follows},
       .fuses_activation = true,
       .infer = infer_same_float,
       .lower = lower_element_function,
       .unify = unify_equal},
      {.name = "LeakyReLU",
       .aliases = {"_npx_leaky_relu"},
       .summary =
           "x for x > 0; otherwise leaky: slope x, prelu: gamma x, elu: slope (exp(x) - 1), rrelu: x "
           "(lower_bound + upper_bound) / 2. selu: 1.0507 elu(x) with slope 1.67326. gelu: x (1 + erf(x / "
           "sqrt(2))) / 2.",
       .attrs = leaky_attrs(),
       .inputs = leaky_relu_inputs,
       .traits = {.keeps_shape = true, .per_sample = always_per_sample, .channels_last = leaky_relu_layout},
       .fuses_activation = true,
       .infer = infer_leaky,
       .lower = lower_leaky,
       .unify = unify_first},
      // Made by a pass, if data is channels-last: gamma lies along the last dimension.
      {.name = "_mxinfer_prelu_nhwc",
       .summary = "Made by a pass: LeakyReLU's prelu on channels-last data, (N, spatial..., C).",
       .attrs = leaky_attrs(),
       .inputs = named_ports({"data", "gamma"}),
       .traits = {.keeps_shape = true, .per_sample = always_per_sample},
       .made_by_passes = true,
       .infer = infer_prelu_nhwc,
       .lower = lower_prelu_nhwc},
      // Made by a pass of the operators that say the same.
      {.name = "_mxinfer_activation",
       .summary =
           "Made by a pass: x g(x), with the gate g of swish 1 / (1 + exp(-x)), of hard_swish min(max(x + 3, "
           "0), 6) / 6, of mish tanh(log(1 + exp(x))).",
       .attrs = {choice_attr("function", {"hard_swish", "mish", "swish"})},
       .traits = {.elementwise = Elementwise::same_shape},
       .made_by_passes = true,
       .infer = infer_same_float,
       .lower = lower_element_function,
       .unify = unify_equal},
      {.name = "clip",
       .aliases = {"_npi_clip", "_sparse_clip"},
       .summary = "x limited to [a_min, a_max].",
       .attrs = {number_attr("a_min"), number_attr("a_max")},
       .traits = {.elementwise = Elementwise::same_shape, .follows_bfloat16 = always_follows},
       .fuses_activation = true,
       .infer = infer_same,
       .lower = lower_element_function,
       .unify = unify_equal},
      {.name = "hard_sigmoid",
       .summary = "alpha x + beta, limited to [0, 1].",
       .attrs = {number_attr("alpha", 0.200000003), number_attr("beta", 0.5)},
       .traits = {.elementwise = Elementwise::same_shape},
       .infer = infer_same_float,
       .lower = lower_element_function,
       .unify = unify_equal},
      {.name = "smooth_l1",
       .aliases = {"_npx_smooth_l1"},
       .summary = "(s x)^2 / 2 for |x| < 1 / s^2, |x| - 0.5 / s^2 otherwise, s = scalar.",
       .attrs = {number_attr("scalar", 1.0), flag_attr("is_int", true).without_effect()},
       .traits = {.elementwise = Elementwise::same_shape},
       .infer = infer_same,
       .lower = lower_element_function,
       .unify = unify_equal},
  };
}

}  // namespace mxinfer::ops

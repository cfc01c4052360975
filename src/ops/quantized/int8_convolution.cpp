// _mxinfer_convolution_int8 and _mxinfer_fully_connected_int8: products of 8-bit values with int8 weights,
// whose scales and biases are parameters.
#include "ops/common/products.h"
#include "ops/fused/convolution_nhwc.h"
#include "ops/layout/channels_last.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/nn/convolution/convolution_step.h"
#include "ops/quantized/int8_attrs.h"
#include "ops/quantized/int8_step.h"
#include "ops/quantized/ranges.h"

namespace mxinfer::ops {
namespace {

AttrSpec output_dtype_attr() {
  return choice_attr("dtype", {"float32", "int32", "int8", "uint8"}, "int8");
}

bool is_channels_last(const Attrs& attrs) {
  return attrs.flag("channels_last");
}

Shape in_first_order(const Attrs& attrs, const Shape& data) {
  return is_channels_last(attrs) ? to_channels_first(data) : data;
}

PortNames convolution_int8_ports(const Attrs& attrs) {
  PortNames ports = int8_product_ports(attrs);
  if (attrs.flag("with_sum")) ports.names.emplace_back("residual");
  return ports;
}

std::optional<std::size_t> residual_of(const Attrs& attrs) {
  if (!attrs.flag("with_sum")) return std::nullopt;
  return attrs.flag("no_bias") ? 3 : 4;
}

void expect_residual(const InferContext& context, std::size_t i, const Shape& output) {
  (void)finite_attr(context.attrs, "residual_scale");
  const DType dtype = context.dtype(i);
  if ((is_8bit(dtype) || dtype == DType::float32) && context.shape(i) == output) return;
  fail(ErrorCode::invalid_argument, "residual is ", to_string(context.inputs[i]),
       "; expected int8, uint8 or float32 of the output's shape ", to_string(output));
}

std::vector<TensorType> infer_convolution_int8(const InferContext& context) {
  const Attrs& attrs = context.attrs;
  const Shape data = in_first_order(attrs, context.shape(0));
  const ConvParams p = conv_params(attrs, data);
  expect_int8_product(context, with_kernel(p.filters, data[1] / p.groups, p));
  Shape output = with_spatial(data[0], p.filters, conv_output(p), p.rank);
  if (is_channels_last(attrs)) output = to_channels_last(output);
  if (const auto residual = residual_of(attrs)) expect_residual(context, *residual, output);
  return {{attrs.dtype("dtype"), output}};
}

Step lower_convolution_int8(LowerContext& context) {
  return int8_values_step(context, convolution_int8_values(context));
}

std::optional<Shape> data_of_weight(const Attrs& attrs, const Shape& weight) {
  const std::optional<Shape> first = data_for_convolution(attrs, weight);
  return first && is_channels_last(attrs) ? to_channels_last(*first) : first;
}

/// LayoutRule: to channels-last, with the residual.
bool convolution_int8_layout(LayoutRewriter& rewriter, std::size_t id) {
  const Attrs& attrs = rewriter.node(id).attrs;
  const Parameter* weight = rewriter.constant(id, 1);
  const std::size_t spatial = attrs.tuple("kernel").size();
  if (!rewriter.to_last() || is_channels_last(attrs) || weight == nullptr || spatial < 1 || spatial > 3 ||
      weight->shape().rank() != spatial + 2)
    return false;
  const auto rank = static_cast<std::int64_t>(spatial) + 2;
  const auto residual = residual_of(attrs);
  for (const std::size_t i : {std::size_t{0}, residual.value_or(0)}) {
    const graph::Value moved = rewriter.as_moved(rewriter.node(id).inputs[i], rank);
    rewriter.node(id).inputs[i] = moved;
  }
  rewriter.node(id).attrs.set("channels_last", true);
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

std::vector<AttrSpec> convolution_int8_attrs() {
  std::vector<AttrSpec> attrs = conv_attr_specs(false);
  std::erase_if(attrs, [](const AttrSpec& spec) { return spec.name == "layout"; });
  attrs.push_back(output_dtype_attr());
  attrs.push_back(flag_attr("with_sum", false));
  attrs.push_back(number_attr("residual_scale", 1));
  attrs.push_back(number_attr("dst_factor", 1));
  add_activation_attrs(attrs, "before");
  add_activation_attrs(attrs, "after");
  attrs.push_back(flag_attr("channels_last", false));
  return attrs;
}

OpDef int8_convolution_op() {
  OpDef op{.name = "_mxinfer_convolution_int8"};
  op.summary =
      "Convolution of 8-bit values with int8 weights: x = scale[m] * (sum + bias[m]), then dst_factor * "
      "after(before(x) + residual_scale * residual), rounded to the nearest. before and after are "
      "activations, by their numbers; with channels_last, which a pass sets, arrays but the weight are (N, "
      "spatial..., C).";
  op.attrs = convolution_int8_attrs();
  op.inputs = convolution_int8_ports;
  op.traits = {.part = ModelPart::network,
               .output_rank = always_same_rank,
               .per_sample = always_per_sample,
               .channels_last = convolution_int8_layout,
               .begins_channels_last = true,
               .input_shape = data_of_weight};
  op.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    unify_batch(attrs, inputs, outputs);
    unify_with_weight(data_of_weight, attrs, inputs);
  };
  op.infer = infer_convolution_int8;
  op.lower = lower_convolution_int8;
  return op;
}

std::vector<TensorType> infer_fully_connected_int8(const InferContext& context) {
  const Attrs& attrs = context.attrs;
  const bool flatten = attrs.flag("flatten");
  const std::int64_t hidden = attrs.integer("num_hidden");
  expect_int8_product(context, Shape{hidden, as_matrix(context.shape(0), flatten).depth});
  Shape shape = context.shape(0);
  if (flatten) shape = Shape{shape[0], hidden};
  shape[shape.rank() - 1] = hidden;
  return {{attrs.dtype("dtype"), shape}};
}

Step lower_fully_connected_int8(LowerContext& context) {
  return int8_values_step(context, fully_connected_int8_values(context));
}

OpDef int8_fully_connected_op() {
  OpDef op{.name = "_mxinfer_fully_connected_int8"};
  op.traits.part = ModelPart::network;
  op.summary =
      "FullyConnected of 8-bit values with int8 weights: dst_factor * before(scale[m] * (sum + bias[m])), "
      "rounded to the nearest. before is an activation, by its number.";
  op.attrs = {integer_attr("num_hidden").at_least(1), flag_attr("no_bias", false), flag_attr("flatten", true),
              output_dtype_attr(), number_attr("dst_factor", 1)};
  add_activation_attrs(op.attrs, "before");
  op.inputs = int8_product_ports;
  op.unify = unify_rows;
  op.infer = infer_fully_connected_int8;
  op.lower = lower_fully_connected_int8;
  return op;
}

}  // namespace

Int8Values convolution_int8_values(const OpProblem& node) {
  const Attrs& attrs = node.attrs();
  const Shape data = in_first_order(attrs, node.input(0).shape);
  kernels::ConvProblem problem = conv_problem(attrs, data, node.threads());
  if (is_channels_last(attrs)) {
    problem = in_fewest_dimensions(problem);
  } else {
    problem.src_layout = kernels::SrcLayout::nchw;
  }
  return int8_values(node, problem, residual_of(attrs));
}

Int8Values fully_connected_int8_values(const OpProblem& node) {
  const Matrix matrix = as_matrix(node.input(0).shape, node.attrs().flag("flatten"));
  // A row of data is a position, and its elements are channels.
  kernels::ConvProblem problem{.channels = matrix.depth, .filters = node.attrs().integer("num_hidden")};
  problem.input = problem.output = {1, 1, matrix.rows};
  problem.task_hint = task_hint(node.threads());
  return int8_values(node, problem);
}

std::vector<OpDef> int8_product_ops() {
  return {int8_convolution_op(), int8_fully_connected_op()};
}

}  // namespace mxinfer::ops

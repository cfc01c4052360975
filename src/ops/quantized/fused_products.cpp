// _sg_mkldnn_conv and _sg_mkldnn_fully_connected: what MXNet fused for oneDNN, as a subgraph. Those of
// float32 become their subgraphs when a model is loaded (passes::inline_fused); those of 8-bit data are
// computed here.
#include "ops/common/products.h"
#include "ops/nn/convolution/convolution_step.h"
#include "ops/quantized/fused_subgraph.h"
#include "ops/quantized/int8_product.h"
#include "ops/unify.h"

namespace mxinfer::ops {
namespace {

bool is_quantized(const Attrs& attrs) {
  return attrs.flag("quantized");
}

/// The flag under its name, or under the one that it had before MXNet 1.5.
bool has_flag(const Attrs& attrs, const char* name, const char* old) {
  return attrs.flag(name) || attrs.flag(old);
}

/// The attributes of the product, and those of the node that both kinds have.
Attrs with_stated(Attrs attrs, const Attrs& stated) {
  attrs.set("quantized", stated.flag("quantized"));
  for (const char* end : {"min_calib_range", "max_calib_range"}) {
    if (stated.has(end))
      attrs.set(end, stated.number(end));
    else
      attrs.set(end, graph::None{});
  }
  return attrs;
}

void expect_flag(bool stated, const graph::Node* found, const char* flag, const char* what) {
  if (stated == (found != nullptr)) return;
  fail(ErrorCode::malformed, "attribute ", flag, " is ", stated ? "true" : "false", ", but its subgraph has ",
       found != nullptr ? "" : "no ", what, "; fuse the network again (get_backend_symbol)");
}

PortNames convolution_inputs(const Attrs& attrs) {
  PortNames ports{{"data", "weight"}};
  const auto add = [&](std::initializer_list<const char*> names) {
    ports.names.insert(ports.names.end(), names.begin(), names.end());
  };
  if (!attrs.flag("no_bias")) add({"bias"});
  if (attrs.flag("with_bn")) add({"gamma", "beta", "moving_mean", "moving_var"});
  if (attrs.flag("with_sum")) add({"sum"});
  if (!is_quantized(attrs)) return ports;
  add({"data_min", "data_max"});
  if (attrs.flag("with_sum")) add({"sum_min", "sum_max"});
  return ports;
}

/// The indices of the inputs of 8-bit products.
Int8Product convolution_operands(const Attrs& attrs) {
  Int8Product product;
  std::size_t next = 2;
  if (!attrs.flag("no_bias")) product.bias = next++;
  if (attrs.flag("with_bn")) product.batch_norm = std::exchange(next, next + 4);
  if (attrs.flag("with_sum")) product.residual = next++;
  product.data_range = std::exchange(next, next + 2);
  if (product.residual) product.residual_range = next;
  return product;
}

DType convolution_output(const Attrs& attrs) {
  if (!calibrated_range(attrs)) return DType::int32;
  const bool sums = attrs.flag("with_sum");
  const kernels::PostOps last = activation_of(attrs, sums ? "after" : "before");
  return gives_uint8(last) ? DType::uint8 : DType::int8;
}

void expect_type(const InferContext& context, std::size_t i, const char* name, const TensorType& expected) {
  if (context.inputs[i] == expected) return;
  fail(ErrorCode::invalid_argument, name, " is ", to_string(context.inputs[i]), "; expected ",
       to_string(expected));
}

std::vector<TensorType> infer_fused_convolution(const InferContext& context) {
  const Attrs& attrs = context.attrs;
  if (!is_quantized(attrs)) fail(ErrorCode::internal, "a fused node of float32 was not replaced");
  expect_channels_first(attrs);
  expect_8bit(context, 0, "data");
  const Int8Product at = convolution_operands(attrs);
  const ConvParams p = conv_params(attrs, context.shape(0));
  const Shape weight = with_kernel(p.filters, context.shape(0)[1] / p.groups, p);
  expect_type(context, 1, "weight", {DType::float32, weight});
  const TensorType each{DType::float32, Shape{p.filters}};
  if (at.bias) expect_type(context, *at.bias, "bias", each);
  for (std::size_t i = 0; at.batch_norm && i < 4; ++i)
    expect_type(context, *at.batch_norm + i, "a parameter of the batch norm", each);
  const Shape shape = with_spatial(context.shape(0)[0], p.filters, conv_output(p), p.rank);
  if (at.residual) {
    expect_8bit(context, *at.residual, "sum");
    expect_type(context, *at.residual, "sum", {context.dtype(*at.residual), shape});
  }
  expect_ranges(context, at.data_range, at.residual ? 4 : 2);
  return with_range({convolution_output(attrs), shape});
}

Step lower_fused_convolution(LowerContext& context) {
  const Attrs& attrs = context.attrs();
  Int8Product product = fused_convolution_product(attrs, context.input(0).dtype);
  product.problem = conv_problem(attrs, context.input(0).shape, context.threads());
  return int8_product_step(context, product);
}

std::vector<AttrSpec> fused_attrs() {
  std::vector<AttrSpec> attrs = calibration_attrs();
  attrs.push_back(flag_attr("quantized", false));
  return attrs;
}

OpDef convolution_op() {
  OpDef op{.name = "_sg_mkldnn_conv"};
  op.summary =
      "What MXNet fused for oneDNN: the Convolution of its subgraph, with the batch norm, activations and "
      "addition there; quantized, of 8-bit data, with float32 weights that are quantized once.";
  op.attrs = fused_attrs();
  for (const char* flag :
       {"with_bn", "with_act", "with_relu", "with_sum", "with_postsum_act", "with_postsum_relu"})
    op.attrs.push_back(flag_attr(flag, false));
  op.inputs = convolution_inputs;
  op.outputs = [](const Attrs& attrs) {
    return is_quantized(attrs) ? PortNames{{"output", "output_min", "output_max"}} : PortNames{{"output"}};
  };
  op.auxiliary = {"moving_mean", "moving_var"};
  op.subgraphs = 1;
  op.traits.output_rank = always_same_rank;
  op.traits.input_shape = data_for_convolution;
  op.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    unify_batch(attrs, inputs, outputs);
    unify_with_weight(data_for_convolution, attrs, inputs);
  };
  op.infer = infer_fused_convolution;
  op.lower = lower_fused_convolution;
  return op;
}

/// With weights of float32, which have a scale for each filter, there are no ranges of parameters.
bool scales_filters(const Attrs& attrs) {
  return attrs.flag("scales_filters");
}

PortNames fully_connected_inputs(const Attrs& attrs) {
  const bool bias = !attrs.flag("no_bias");
  PortNames ports{{"data", "weight"}};
  const auto add = [&](std::initializer_list<const char*> names) {
    ports.names.insert(ports.names.end(), names.begin(), names.end());
  };
  if (bias) add({"bias"});
  if (!is_quantized(attrs)) return ports;
  add({"min_data", "max_data"});
  if (scales_filters(attrs)) return ports;
  add({"min_weight", "max_weight"});
  if (bias) add({"min_bias", "max_bias"});
  return ports;
}

Int8Product fully_connected_operands(const Attrs& attrs) {
  Int8Product product;
  std::size_t next = 2;
  if (!attrs.flag("no_bias")) product.bias = next++;
  product.data_range = std::exchange(next, next + 2);
  if (scales_filters(attrs)) return product;
  product.weight_range = std::exchange(next, next + 2);
  if (product.bias) product.bias_range = next;
  return product;
}

DType fully_connected_output(const Attrs& attrs) {
  if (attrs.flag("enable_float_output")) return DType::float32;
  if (!calibrated_range(attrs)) return DType::int32;
  const kernels::PostOps activation = activation_of(attrs, "before");
  // Slopes and absolute values too, unlike behind a convolution.
  const bool leaky = activation.activation == kernels::Activation::leaky;
  return gives_uint8(activation) || leaky ? DType::uint8 : DType::int8;
}

std::vector<TensorType> infer_fused_rows(const InferContext& context) {
  const Attrs& attrs = context.attrs;
  if (!is_quantized(attrs)) fail(ErrorCode::internal, "a fused node of float32 was not replaced");
  expect_8bit(context, 0, "data");
  const DType output = fully_connected_output(attrs);
  if (scales_filters(attrs) && output == DType::int32) {
    fail(ErrorCode::unsupported,
         "channel_wise_quantize needs min_calib_range and max_calib_range, or enable_float_output: MXNet has "
         "no "
         "range for sums of several scales; quantize the network with calibration data (calib_mode)");
  }
  const Int8Product at = fully_connected_operands(attrs);
  const bool flatten = attrs.flag("flatten");
  const std::int64_t hidden = attrs.integer("num_hidden");
  const DType parameters = scales_filters(attrs) ? DType::float32 : DType::int8;
  expect_type(context, 1, "weight", {parameters, Shape{hidden, as_matrix(context.shape(0), flatten).depth}});
  if (at.bias) {
    const bool sums = parameters == DType::int8 && context.dtype(*at.bias) == DType::int32;
    expect_type(context, *at.bias, "bias", {sums ? DType::int32 : parameters, Shape{hidden}});
  }
  expect_ranges(context, at.data_range, context.count() - at.data_range);
  Shape shape = context.shape(0);
  if (flatten) shape = Shape{shape[0], hidden};
  shape[shape.rank() - 1] = hidden;
  if (output == DType::float32) return {{output, shape}};
  return with_range({output, shape});
}

Step lower_fused_rows(LowerContext& context) {
  Int8Product product = fused_rows_product(context.attrs(), context.input(0).dtype);
  product.problem = matrix_problem(context);
  return int8_product_step(context, product);
}

OpDef fully_connected_op() {
  OpDef op{.name = "_sg_mkldnn_fully_connected"};
  op.summary =
      "What MXNet fused for oneDNN: the FullyConnected of its subgraph, with the activation there; "
      "quantized, "
      "of 8-bit data, with int8 weights and their range, or float32 ones that are quantized once.";
  op.attrs = fused_attrs();
  for (const char* flag : {"enable_float_output", "with_eltwise", "with_relu"})
    op.attrs.push_back(flag_attr(flag, false));
  op.attrs.push_back(AttrSpec{"channel_wise_quantize", graph::AttrKind::flag, false, true, "None"});
  op.inputs = fully_connected_inputs;
  op.outputs = [](const Attrs& attrs) {
    if (!is_quantized(attrs) || attrs.flag("enable_float_output")) return PortNames{{"output"}};
    return ports_with_range()(attrs);
  };
  op.subgraphs = 1;
  op.unify = unify_rows;
  op.infer = infer_fused_rows;
  op.lower = lower_fused_rows;
  return op;
}

}  // namespace

Int8Product fused_convolution_product(const Attrs& attrs, DType data) {
  Int8Product product = convolution_operands(attrs);
  product.data = data;
  product.output = convolution_output(attrs);
  product.calibrated = calibrated_range(attrs);
  product.scale_per_filter = product.calibrated.has_value();
  if (product.batch_norm) {
    product.eps = attrs.number("eps");
    product.fix_gamma = attrs.flag("fix_gamma");
  }
  product.before = activation_of(attrs, "before");
  product.after = activation_of(attrs, "after");
  if (product.before.activation == kernels::Activation::clip) {
    // The range of the output cuts off what the clip would.
    if (!product.residual)
      product.before = {};
    else if (product.calibrated)
      product.before.beta *= product_scale(product.output, *product.calibrated);
  }
  return product;
}

Int8Product fused_rows_product(const Attrs& attrs, DType data) {
  Int8Product product = fully_connected_operands(attrs);
  product.data = data;
  product.output = fully_connected_output(attrs);
  product.calibrated = calibrated_range(attrs);
  product.scale_per_filter = scales_filters(attrs);
  product.before = activation_of(attrs, "before");
  product.activates_reals = product.before.activation != kernels::Activation::none;
  return product;
}

void read_fused_convolution(graph::Node& node) {
  const FusedChain chain = fused_chain(node, "Convolution");
  const Attrs& stated = node.attrs;
  expect_flag(stated.flag("with_bn"), chain.batch_norm, "with_bn", "batch norm");
  expect_flag(has_flag(stated, "with_act", "with_relu"), chain.before, "with_act", "activation before a sum");
  expect_flag(stated.flag("with_sum"), chain.sum, "with_sum", "addition");
  expect_flag(has_flag(stated, "with_postsum_act", "with_postsum_relu"), chain.after, "with_postsum_act",
              "activation behind a sum");
  Attrs attrs = with_stated(chain.product->attrs, stated);
  attrs.set("with_bn", chain.batch_norm != nullptr);
  attrs.set("with_sum", chain.sum != nullptr);
  if (chain.batch_norm != nullptr) {
    attrs.set("eps", chain.batch_norm->attrs.number("eps"));
    attrs.set("fix_gamma", chain.batch_norm->attrs.flag("fix_gamma"));
  }
  if (is_quantized(attrs)) {
    set_activation(attrs, "before", chain.before);
    set_activation(attrs, "after", chain.after);
  }
  node.attrs = std::move(attrs);
}

void read_fused_rows(graph::Node& node) {
  const FusedChain chain = fused_chain(node, "FullyConnected");
  const Attrs& stated = node.attrs;
  if (chain.batch_norm != nullptr || chain.sum != nullptr) {
    fail(ErrorCode::malformed, "its subgraph has ",
         graph::describe(chain.sum != nullptr ? *chain.sum : *chain.batch_norm),
         "; expected FullyConnected and perhaps an activation");
  }
  expect_flag(has_flag(stated, "with_eltwise", "with_relu"), chain.before, "with_eltwise", "activation");
  Attrs attrs = with_stated(chain.product->attrs, stated);
  attrs.set("enable_float_output", stated.flag("enable_float_output"));
  // MXNet asks only whether the attribute is there.
  attrs.set("scales_filters", stated.has("channel_wise_quantize"));
  if (is_quantized(attrs)) set_activation(attrs, "before", chain.before);
  node.attrs = std::move(attrs);
}

std::vector<OpDef> fused_product_ops() {
  return {convolution_op(), fully_connected_op()};
}

}  // namespace mxinfer::ops

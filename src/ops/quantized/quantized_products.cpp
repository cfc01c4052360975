// _contrib_quantized_conv and _contrib_quantized_fully_connected: products of 8-bit data with int8 weights,
// as int32 sums.
#include "ops/common/products.h"
#include "ops/nn/convolution/convolution_step.h"
#include "ops/quantized/int8_product.h"
#include "ops/unify.h"

namespace mxinfer::ops {
namespace {

PortNames product_ports(const Attrs& attrs) {
  if (attrs.flag("no_bias")) return {{"data", "weight", "min_data", "max_data", "min_weight", "max_weight"}};
  return {
      {"data", "weight", "bias", "min_data", "max_data", "min_weight", "max_weight", "min_bias", "max_bias"}};
}

Int8Product operands(const Attrs& attrs) {
  Int8Product product;
  if (!attrs.flag("no_bias")) product.bias = 2;
  product.data_range = product.bias ? 3 : 2;
  product.weight_range = product.data_range + 2;
  if (product.bias) product.bias_range = product.data_range + 4;
  return product;
}

void expect_int8(const InferContext& context, std::size_t i, const char* name, const Shape& shape) {
  const TensorType expected{DType::int8, shape};
  if (context.inputs[i] == expected) return;
  fail(ErrorCode::invalid_argument, name, " is ", to_string(context.inputs[i]), "; expected ",
       to_string(expected));
}

std::vector<TensorType> infer_convolution(const InferContext& context) {
  expect_channels_first(context.attrs);
  expect_8bit(context, 0, "data");
  const Shape& data = context.shape(0);
  const ConvParams p = conv_params(context.attrs, data);
  expect_int8(context, 1, "weight", with_kernel(p.filters, data[1] / p.groups, p));
  if (p.bias) expect_int8(context, 2, "bias", Shape{p.filters});
  expect_ranges(context, p.bias ? 3 : 2, p.bias ? 6 : 4);
  return with_range({DType::int32, with_spatial(data[0], p.filters, conv_output(p), p.rank)});
}

Step lower_convolution(LowerContext& context) {
  Int8Product product = quantized_convolution_product(context.attrs(), context.input(0).dtype);
  product.problem = conv_problem(context.attrs(), context.input(0).shape, context.threads());
  return int8_product_step(context, product);
}

std::vector<TensorType> infer_fully_connected(const InferContext& context) {
  expect_8bit(context, 0, "data");
  const bool flatten = context.attrs.flag("flatten"), bias = !context.attrs.flag("no_bias");
  const std::int64_t hidden = context.attrs.integer("num_hidden");
  expect_int8(context, 1, "weight", Shape{hidden, as_matrix(context.shape(0), flatten).depth});
  if (bias) expect_int8(context, 2, "bias", Shape{hidden});
  expect_ranges(context, bias ? 3 : 2, bias ? 6 : 4);
  Shape shape = context.shape(0);
  if (flatten) shape = Shape{shape[0], hidden};
  shape[shape.rank() - 1] = hidden;
  return with_range({DType::int32, shape});
}

Step lower_fully_connected(LowerContext& context) {
  Int8Product product = quantized_rows_product(context.attrs(), context.input(0).dtype);
  product.problem = matrix_problem(context);
  return int8_product_step(context, product);
}

}  // namespace

Int8Product quantized_convolution_product(const Attrs& attrs, DType data) {
  Int8Product product = operands(attrs);
  product.data = data;
  product.output = DType::int32;
  product.is_unscaled = true;
  return product;
}

Int8Product quantized_rows_product(const Attrs& attrs, DType data) {
  Int8Product product = operands(attrs);
  product.data = data;
  product.output = DType::int32;
  product.truncates_bias = true;
  return product;
}

std::vector<OpDef> quantized_product_ops() {
  OpDef convolution{.name = "_contrib_quantized_conv"};
  convolution.summary =
      "Convolution of 8-bit data and int8 weights as int32 sums, to which MXNet adds an int8 bias as it is; "
      "then the range of the sums.";
  convolution.attrs = conv_attr_specs(false);
  convolution.traits.output_rank = always_same_rank;
  convolution.traits.input_shape = data_for_convolution;
  convolution.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    unify_batch(attrs, inputs, outputs);
    unify_with_weight(data_for_convolution, attrs, inputs);
  };
  convolution.infer = infer_convolution;
  convolution.lower = lower_convolution;

  OpDef product{.name = "_contrib_quantized_fully_connected"};
  product.summary = "FullyConnected of 8-bit data and int8 weights as int32 sums; then their range.";
  product.attrs = {integer_attr("num_hidden").at_least(1), flag_attr("no_bias", false),
                   flag_attr("flatten", true)};
  product.unify = unify_rows;
  product.infer = infer_fully_connected;
  product.lower = lower_fully_connected;

  std::vector<OpDef> ops{std::move(convolution), std::move(product)};
  for (OpDef& op : ops) {
    op.inputs = product_ports;
    op.outputs = ports_with_range();
  }
  return ops;
}

}  // namespace mxinfer::ops

#include "ops/quantized/int8_product.h"

#include <array>
#include <cstring>

#include "ops/common/products.h"
#include "ops/nn/convolution/convolution_step.h"
#include "ops/quantized/int8_step.h"
#include "ops/quantized/int8_weights.h"

namespace mxinfer::ops {
namespace {

bool is_constant_range(const LowerContext& context, std::optional<std::size_t> i) {
  return !i || (context.is_constant(*i) && context.is_constant(*i + 1));
}

/// Whether all that the weights follow from is known.
bool has_constant_weights(const LowerContext& context, const Int8Product& product) {
  bool known = context.is_constant(1) && is_constant_range(context, product.data_range) &&
               is_constant_range(context, product.weight_range) &&
               is_constant_range(context, product.bias_range);
  if (product.bias) known = known && context.is_constant(*product.bias);
  for (std::size_t i = 0; product.batch_norm && i < 4; ++i)
    known = known && context.is_constant(*product.batch_norm + i);
  return known;
}

/// A text for a number that tells it from all others.
std::string bits_of(float number) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return std::to_string(bits);
}

/// The block of a product whose parameters are known, packed once. Other nodes may share the weights, with a
/// bias or a range of their own: the packing names the node.
const std::byte* packed_block(LowerContext& context, const Int8Product& product) {
  Int8Parameters given =
      parameters_at(product, [&](std::size_t i) -> const void* { return context.constant(i)->raw(); });
  if (product.bias) given.bias_dtype = context.input(*product.bias).dtype;
  const std::string packing =
      concat("int8 of '", context.node().name, "', ", to_string(product.data), " for ", product.impl->name,
             " ", bits_of(given.data.min), " ", bits_of(given.data.max));
  const auto pack = [product, given](const TensorView& weight, std::byte* block) {
    Int8Parameters all = given;
    all.weight = weight;
    make_int8_weights(product, all, block);
  };
  return context.packed(1, packing, Int8WeightLayout(product).bytes, pack);
}

struct ProductStep {
  Int8Product product;
  Int8WeightLayout layout;
  Int8Tasks tasks;
  const std::byte* packed = nullptr;  ///< null: made in every run
  TensorType weight{};
  DType bias_dtype = DType::float32, residual_dtype = DType::uint8;

  const std::byte* block(const RunContext& run) const {
    if (packed != nullptr) return packed;
    Int8Parameters given = parameters_at(product, [&](std::size_t i) { return run.inputs[i]; });
    given.weight = TensorView(weight.dtype, weight.shape, run.inputs[1]);
    given.bias_dtype = bias_dtype;
    make_int8_weights(product, given, run.scratch);
    return run.scratch;
  }

  ValueRange output_range(const RunContext& run, const std::byte* made) const {
    if (product.calibrated) return *product.calibrated;
    return sums_range(product, range_at(run, product.data_range),
                      Int8WeightLayout::header(made).weight_range);
  }

  /// What one step of the residual is in steps of the output.
  float residual_scale(const RunContext& run, const std::byte* made) const {
    const ValueRange residual = range_at(run, *product.residual_range);
    if (product.calibrated) return calibrated_residual_scale(product, residual_dtype, residual);
    return product_scale(product.data, range_at(run, product.data_range)) *
           Int8WeightLayout::header(made).weight_scale / product_scale(residual_dtype, residual);
  }

  void operator()(const RunContext& run) const {
    const std::byte* made = block(run);
    kernels::Int8ConvArgs args;
    args.problem = product.problem;
    args.src_type = int8_type(product.data);
    args.src = run.inputs[0];
    args.weight = layout.at<std::int8_t>(made, layout.weight_at);
    if (product.bias || product.batch_norm) args.bias = layout.at<std::int32_t>(made, layout.bias_at);
    if (product.requantizes()) args.scale = layout.at<float>(made, layout.scale_at);
    args.before = product.before;
    args.after = product.after;
    args.dst_type = int8_type(product.output);
    if (product.residual) {
      args.residual = run.inputs[*product.residual];
      args.residual_type = int8_type(residual_dtype);
      args.residual_scale = residual_scale(run, made);
      // MXNet adds in place: 8-bit sums are limited to the range of the residual's dtype, and their bytes
      // are handed on as the output's.
      if (product.output != DType::int32) args.dst_type = args.residual_type;
    }
    args.dst_factor = result_factor(product);
    args.dst = run.outputs[0];
    tasks.run(run, args);
    if (product.output != DType::float32) write_range(run, 1, output_range(run, made));
  }
};

}  // namespace

void expect_channels_first(const Attrs& attrs) {
  if (has_channels_last(attrs)) {
    fail(ErrorCode::unsupported, "layout=", attrs.choice("layout"),
         " of 8-bit data: expected channels-first, the only order in which MXNet quantizes");
  }
}

kernels::ConvProblem matrix_problem(const OpProblem& node) {
  const Matrix matrix = as_matrix(node.input(0).shape, node.attrs().flag("flatten"));
  kernels::ConvProblem problem{.batch = matrix.rows, .channels = matrix.depth};
  problem.filters = node.attrs().integer("num_hidden");
  problem.task_hint = task_hint(node.threads());
  return problem;
}

ValueRange sums_range(const Int8Product& product, const ValueRange& data, const ValueRange& weight) {
  float data_steps = 127.0F, weight_steps = 127.0F;
  // Of int8 weights, MXNet takes the 255 steps of uint8 data for those of the weights: the same but for
  // rounding.
  if (product.data == DType::uint8 && !product.is_unscaled)
    (product.weight_range ? weight_steps : data_steps) = 255.0F;
  return product_range(data.largest() / data_steps, weight.largest() / weight_steps);
}

float calibrated_residual_scale(const Int8Product& product, DType residual, const ValueRange& range) {
  return product_scale(product.output, *product.calibrated) / product_scale(residual, range);
}

float result_factor(const Int8Product& product) {
  if (!product.activates_reals || !product.calibrated) return 1.0F;
  return product_scale(product.output, *product.calibrated);
}

Step int8_product_step(LowerContext& context, Int8Product product) {
  product.problem.src_layout = kernels::SrcLayout::nchw;  // MXNet quantizes channels-first layers alone
  Step step;
  const Int8Tasks tasks(context, product.problem, int8_type(product.data), step);
  product.impl = tasks.impl;
  ProductStep made{.product = product, .layout = Int8WeightLayout(product), .tasks = tasks};
  made.weight = context.input(1);
  if (product.bias) made.bias_dtype = context.input(*product.bias).dtype;
  if (product.residual) made.residual_dtype = context.input(*product.residual).dtype;
  if (has_constant_weights(context, product)) {
    made.packed = packed_block(context, product);
    step.reason = "weights are quantized once";
  } else {
    step.scratch_bytes = made.layout.bytes;
    step.reason = "weights are quantized in every run: the range of the data is computed";
  }
  step.run = made;
  return step;
}

std::optional<kernels::PostOps> fused_activation(const graph::Node& node) {
  using kernels::Activation;
  if (node.op_name == "clip") return kernels::PostOps{Activation::clip, 0.0F, node.attrs.number32("a_max")};
  if (node.op_name == "abs") return kernels::PostOps{Activation::leaky, -1.0F};
  if (node.op_name == "Activation") {
    const std::string& type = node.attrs.choice("act_type");
    if (type == "relu") return kernels::PostOps{Activation::relu};
    if (type == "sigmoid") return kernels::PostOps{Activation::sigmoid};
    if (type == "tanh") return kernels::PostOps{Activation::tanh};
    if (type == "softrelu") return kernels::PostOps{Activation::softrelu};
  }
  if (node.op_name == "LeakyReLU") {
    const std::string& type = node.attrs.choice("act_type");
    if (type == "leaky") return kernels::PostOps{Activation::leaky, node.attrs.number32("slope")};
    if (type == "elu") return kernels::PostOps{Activation::elu, node.attrs.number32("slope")};
    if (type == "gelu") return kernels::PostOps{Activation::gelu_erf};
  }
  return std::nullopt;
}

bool gives_uint8(const kernels::PostOps& activation) {
  using kernels::Activation;
  return activation.activation == Activation::relu || activation.activation == Activation::sigmoid ||
         activation.activation == Activation::softrelu || activation.activation == Activation::clip;
}

}  // namespace mxinfer::ops

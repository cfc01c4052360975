#include "compose/quantize/emit_layer.h"

#include <array>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "compose/quantize/weights.h"
#include "kernels/common/post_ops.h"
#include "ops/is_op.h"
#include "ops/registry.h"
#include "passes/activation_of.h"
#include "passes/optimise/affine.h"

namespace mxinfer::api {
namespace {

using graph::Activation;
using graph::Graph;
using graph::Node;
using graph::PostOps;
using graph::Value;
using RawAttrs = std::map<std::string, std::string>;

std::string text_of(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}
std::string text_of(float value) {
  return text_of(static_cast<double>(value));
}

PostOps activation_at(const Graph& graph, std::int32_t node) {
  if (node == kNoNode) return {};
  return *passes::activation_of(graph.nodes[static_cast<std::size_t>(node)]);
}

/// Whether f(s * x) = s * f(x) for s > 0, so that the function may be applied to steps.
bool commutes_with_scales(const PostOps& function) {
  return function.activation == Activation::none || function.activation == Activation::relu ||
         function.activation == Activation::leaky;
}

/// Limits of the last activation that saturation to uint8 applies already: 0 below, and above at most what a
/// calibrated value can be.
bool is_saturation(const PostOps& function, const EightBitType& output) {
  return output.dtype == DType::uint8 && function.activation == Activation::clip && function.alpha == 0 &&
         output.threshold <= function.beta;
}

struct Activations {
  PostOps before, after;
};

Activations activations_of(const Graph& graph, const EightBitLayer& layer, const LayerOperands& operands) {
  Activations functions{activation_at(graph, layer.before), activation_at(graph, layer.after)};
  PostOps& last = layer.has_residual() ? functions.after : functions.before;
  if (operands.output_type && is_saturation(last, *operands.output_type)) last = PostOps{Activation::relu};
  return functions;
}

/// The numbers between the sums of a layer and its results.
struct Scales {
  double sum = 1;       ///< times the step of the weight: units of x
  double residual = 1;  ///< units of x in a step of the residual
  double output = 1;    ///< steps of the output in a unit of x
};

Scales scales_of(const Activations& functions, const LayerOperands& operands) {
  Scales scales;
  scales.sum = static_cast<double>(operands.data_type.step);
  if (operands.residual_type) scales.residual = static_cast<double>(operands.residual_type->step);
  if (!operands.output_type) return scales;
  const double steps = 1.0 / static_cast<double>(operands.output_type->step);
  if (!commutes_with_scales(functions.before) || !commutes_with_scales(functions.after)) {
    scales.output = steps;
    return scales;
  }
  scales.sum *= steps;
  scales.residual *= steps;
  return scales;
}

void state_activation(RawAttrs& attrs, const std::string& prefix, const PostOps& function) {
  if (function.activation == Activation::none) return;
  attrs[prefix + "_function"] = std::to_string(static_cast<int>(function.activation));
  attrs[prefix + "_alpha"] = text_of(function.alpha);
  attrs[prefix + "_beta"] = text_of(function.beta);
}

void copy_attributes(const Node& from, const std::vector<const char*>& names, RawAttrs& to) {
  for (const char* name : names) {
    const auto found = from.raw_attrs.find(name);
    if (found != from.raw_attrs.end()) to[name] = found->second;
  }
}

RawAttrs layer_attributes(const Node& product, const LayerOperands& operands, const Activations& functions,
                          const Scales& scales) {
  RawAttrs attrs;
  const bool convolves = ops::is_op(product, "Convolution");
  if (convolves) {
    copy_attributes(product, {"kernel", "stride", "dilate", "pad", "num_filter", "num_group", "no_bias"},
                    attrs);
  } else {
    copy_attributes(product, {"num_hidden", "flatten", "no_bias"}, attrs);
  }
  attrs["dtype"] = operands.output_type ? to_string(operands.output_type->dtype) : "float32";
  state_activation(attrs, "before", functions.before);
  if (convolves) state_activation(attrs, "after", functions.after);
  if (operands.residual) {
    attrs["with_sum"] = "True";
    attrs["residual_scale"] = text_of(scales.residual);
  }
  if (scales.output != 1) attrs["dst_factor"] = text_of(scales.output);
  return attrs;
}

Tensor scale_tensor(const std::vector<float>& steps, double sum) {
  Tensor scale = Tensor::uninitialized(DType::float32, {static_cast<std::int64_t>(steps.size())});
  for (std::size_t m = 0; m < steps.size(); ++m)
    scale.data<float>()[m] = static_cast<float>(static_cast<double>(steps[m]) * sum);
  return scale;
}

}  // namespace

EightBitNodes::EightBitNodes(Graph& to, const Graph& taken) : to_(to) {
  for (const Node& node : taken.nodes) names_.insert(node.name);
}

std::string EightBitNodes::unique(const std::string& name) {
  std::string free = name;
  for (int number = 2; !names_.insert(free).second; ++number) free = name + "_" + std::to_string(number);
  return free;
}

Value EightBitNodes::append(Node node) {
  return {graph::append(to_, std::move(node)), 0};
}

Value EightBitNodes::parameter(const std::string& name, Tensor value) {
  Node node;
  node.name = unique(name);
  node.constant = make_parameter(std::move(value));
  return append(std::move(node));
}

Value EightBitNodes::quantize(const std::string& name, Value value, const EightBitType& type) {
  return append(ops::make_node(
      unique(name), "_mxinfer_quantize",
      {{"scale", text_of(1.0 / static_cast<double>(type.step))}, {"dtype", to_string(type.dtype)}}, {value}));
}

Value EightBitNodes::dequantize(const std::string& name, Value value, const EightBitType& type) {
  return append(ops::make_node(name, "_mxinfer_dequantize", {{"scale", text_of(type.step)}}, {value}));
}

Value EightBitNodes::layer(const std::string& name, const Graph& from, const EightBitLayer& layer,
                           const LayerOperands& operands) {
  const Node& product = from.nodes[static_cast<std::size_t>(layer.product)];
  const bool no_bias = product.attrs.flag("no_bias");
  const Parameter* bias = no_bias ? nullptr : passes::float_parameter(from, product, 2);
  EightBitWeights made =
      quantize_weights(*passes::float_parameter(from, product, 1), bias, operands.data_type.step);
  const Activations functions = activations_of(from, layer, operands);
  const Scales scales = scales_of(functions, operands);
  std::vector<Value> inputs{operands.data, parameter(product.name + "_weight_int8", std::move(made.weight)),
                            parameter(product.name + "_scale", scale_tensor(made.steps, scales.sum))};
  if (!no_bias) inputs.push_back(parameter(product.name + "_bias_int32", std::move(made.bias)));
  if (operands.residual) inputs.push_back(*operands.residual);
  const char* op =
      ops::is_op(product, "Convolution") ? "_mxinfer_convolution_int8" : "_mxinfer_fully_connected_int8";
  return append(
      ops::make_node(name, op, layer_attributes(product, operands, functions, scales), std::move(inputs)));
}

}  // namespace mxinfer::api

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/fail.h"
#include "graph/node_of.h"
#include "ops/is_op.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/quantized/fused_subgraph.h"
#include "ops/quantized/int8_parameters.h"
#include "ops/registry.h"
#include "passes/optimise/affine.h"
#include "passes/passes.h"
#include "passes/value_dtypes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::is_op;
using ops::ValueRange;

/// Numbers that the operators of this library take.
bool is_scale(float number) {
  return std::isfinite(number) && number > 0;
}

/// The node with another operator, its first output alone, and all its attributes.
Node with_operator(const Node& node, const char* name, std::vector<Value> inputs) {
  Node made = node;
  made.op_name = name;
  made.op = ops::find_op(name);
  made.inputs = std::move(inputs);
  made.num_outputs = 1;
  if (!made.value_names.empty()) made.value_names.resize(1);
  made.raw_attrs.clear();
  made.subgraphs.clear();
  made.notes.push_back("was " + node.op_name);
  return made;
}

class QuantizedLowering {
 public:
  explicit QuantizedLowering(Graph& graph) : graph_(graph), dtypes_(graph), uses_(graph::count_uses(graph)) {}

  void lower() {
    for (std::size_t id = 0; id < uses_.size(); ++id) {
      if (graph_.nodes[id].op == nullptr) continue;
      std::optional<Node> made =
          in_context([&] { return graph::describe(graph_.nodes[id]); }, [&] { return lowered(id); });
      if (made) graph_.nodes[id] = std::move(*made);
    }
    graph::sort_topologically(graph_);
    graph::remove_dead_nodes(graph_);
  }

 private:
  std::optional<Node> lowered(std::size_t id) {
    const Node node = graph_.nodes[id];  // parameters are appended
    if (is_op(node, "_contrib_dequantize")) return dequantize(node);
    if (!is_read_alone(id)) return std::nullopt;
    if (is_op(node, "_contrib_quantize_v2")) return quantize(node);
    if (is_op(node, "_contrib_requantize")) return requantized_product(node);
    if (is_op(node, "_contrib_quantized_act")) return activated_product(node);
    if (is_op(node, "_contrib_quantized_pooling")) return pooling(node);
    if (is_op(node, "_contrib_quantized_flatten")) return with_operator(node, "Flatten", {node.inputs[0]});
    if (is_op(node, "_contrib_quantized_concat")) return joined(node);
    if (is_op(node, "_sg_mkldnn_conv")) return convolution(node);
    if (is_op(node, "_sg_mkldnn_fully_connected")) return rows(node);
    return std::nullopt;
  }

  /// Whether nothing reads the ranges that the node hands on.
  bool is_read_alone(std::size_t id) const {
    for (std::size_t o = 1; o < uses_[id].size(); ++o) {
      if (uses_[id][o] != 0) return false;
    }
    return true;
  }

  /// The dtype of a value, 8-bit, that no caller can change.
  std::optional<DType> bytes_of_value(Value value) const {
    const ValueDType found = dtypes_.of(value);
    const bool known = found.input < 0 && found.dtype && ops::is_8bit(*found.dtype);
    return known ? found.dtype : std::nullopt;
  }

  ops::ParameterInputs parameters(const Node& node) const {
    ops::ParameterInputs inputs;
    for (const Value input : node.inputs) inputs.push_back(graph::node_of(graph_, input).constant);
    return inputs;
  }
  std::optional<ValueRange> range_of(const Node& node, std::size_t i) const {
    return ops::parameter_range(parameters(node), i);
  }

  static std::optional<Node> quantize(const Node& node) {
    const auto range = ops::calibrated_range(node.attrs);
    if (!range) return std::nullopt;
    const DType dtype = ops::quantized_dtype(node.attrs);
    const float scale = ops::plain_scale(dtype, *range);
    if (!is_scale(scale)) return std::nullopt;
    Node made = with_operator(node, "_mxinfer_quantize", {node.inputs[0]});
    made.attrs.set("scale", static_cast<double>(scale));
    made.attrs.set("dtype", std::string(to_string(dtype)));
    return made;
  }

  std::optional<Node> dequantize(const Node& node) const {
    const auto range = range_of(node, 1);
    const auto dtype = bytes_of_value(node.inputs[0]);
    if (!range || !dtype) return std::nullopt;
    const float scale = range->largest() / ops::quantized_range(*dtype);
    if (!is_scale(scale)) return std::nullopt;
    Node made = with_operator(node, "_mxinfer_dequantize", {node.inputs[0]});
    made.attrs.set("scale", static_cast<double>(scale));
    return made;
  }

  static std::optional<Node> pooling(const Node& node) {
    const std::string& type = node.attrs.choice("pool_type");
    if (ops::has_channels_last(node.attrs) || (type != "max" && type != "avg")) return std::nullopt;
    Node made = with_operator(node, "_mxinfer_pooling_int8", {node.inputs[0]});
    made.attrs.set("layout", graph::None{});
    made.attrs.set("channels_last", false, false);
    return made;
  }

  /// Of arrays with one step, the widest of which is the output's.
  std::optional<Node> joined(const Node& node) const {
    const auto count = static_cast<std::size_t>(node.attrs.integer("num_args"));
    const auto dtype = bytes_of_value(node.inputs.at(0));
    ValueRange all;
    std::vector<float> scales;
    for (std::size_t i = 0; i < count; ++i) {
      const auto range = range_of(node, count + 2 * i);
      if (!range || !dtype || bytes_of_value(node.inputs.at(i)) != dtype) return std::nullopt;
      scales.push_back(ops::plain_scale(*dtype, *range));
      all = ops::joined_range(all, *range);
    }
    for (const float scale : scales) {
      if (scale != ops::plain_scale(*dtype, all)) return std::nullopt;
    }
    return with_operator(node, "Concat",
                         {node.inputs.begin(), node.inputs.begin() + static_cast<std::ptrdiff_t>(count)});
  }

  /// The node as a product of this library, without a residual; nothing if its parameters are computed.
  std::optional<Node> with_parameters(const Node& node, const char* op, const ops::Int8Product& product) {
    const auto made = ops::int8_parameters(product, parameters(node));
    if (!made) return std::nullopt;
    Node lowered = with_operator(node, op, {node.inputs[0]});
    lowered.inputs.push_back(append_parameter(graph_, node.name + "_int8_weight", made->weight));
    lowered.inputs.push_back(append_parameter(graph_, node.name + "_int8_scale", made->scale));
    if (made->bias) lowered.inputs.push_back(append_parameter(graph_, node.name + "_int8_bias", made->bias));
    lowered.attrs.set("no_bias", made->bias == nullptr);
    lowered.attrs.set("dtype", std::string(to_string(product.output)));
    lowered.attrs.set("dst_factor", static_cast<double>(ops::result_factor(product)));
    ops::set_activation(lowered.attrs, "before", product.before);
    return lowered;
  }

  std::optional<Node> with_convolution(const Node& node, ops::Int8Product& product) {
    if (ops::has_channels_last(node.attrs)) return std::nullopt;
    product.problem.filters = node.attrs.integer("num_filter");
    product.problem.groups = node.attrs.integer("num_group");
    std::optional<Node> made = with_parameters(node, "_mxinfer_convolution_int8", product);
    if (!made) return std::nullopt;
    made->attrs.set("layout", graph::None{});
    made->attrs.set("channels_last", false, false);
    made->attrs.set("with_sum", false);
    made->attrs.set("residual_scale", 1.0, false);
    ops::set_activation(made->attrs, "after", {});
    return made;
  }

  /// MXNet adds in place: results are limited to the range of the residual's dtype. Of a uint8 output and an
  /// int8 residual, that is a limit of 127 to what is not negative. False if no activation can do that.
  static bool limits_to(DType residual, ops::Int8Product& product) {
    if (residual == product.output) return true;
    kernels::PostOps& after = product.after;
    if (residual != DType::int8 || product.output != DType::uint8) return false;
    constexpr float kMost = 127.0F;
    if (after.activation == kernels::Activation::relu) {
      after = {kernels::Activation::clip, 0.0F, kMost};
      return true;
    }
    if (after.activation != kernels::Activation::clip || after.alpha < 0) return false;
    after.beta = std::min(after.beta, kMost);
    return true;
  }

  std::optional<Node> convolution(const Node& node) {
    const auto data = bytes_of_value(node.inputs.at(0));
    if (!data || !node.attrs.flag("quantized")) return std::nullopt;
    ops::Int8Product product = ops::fused_convolution_product(node.attrs, *data);
    if (!product.calibrated) return std::nullopt;
    if (!product.residual) return with_convolution(node, product);
    const auto residual = bytes_of_value(node.inputs.at(*product.residual));
    const auto range = range_of(node, *product.residual_range);
    if (!residual || !range || !limits_to(*residual, product)) return std::nullopt;
    const float scale = ops::calibrated_residual_scale(product, *residual, *range);
    if (!std::isfinite(scale)) return std::nullopt;
    std::optional<Node> made = with_convolution(node, product);
    if (!made) return std::nullopt;
    made->inputs.push_back(node.inputs[*product.residual]);
    made->attrs.set("with_sum", true);
    made->attrs.set("residual_scale", static_cast<double>(scale));
    ops::set_activation(made->attrs, "after", product.after);
    return made;
  }

  std::optional<Node> rows(const Node& node) {
    const auto data = bytes_of_value(node.inputs.at(0));
    if (!data || !node.attrs.flag("quantized")) return std::nullopt;
    ops::Int8Product product = ops::fused_rows_product(node.attrs, *data);
    if (!product.requantizes()) return std::nullopt;
    product.problem.filters = node.attrs.integer("num_hidden");
    return with_parameters(node, "_mxinfer_fully_connected_int8", product);
  }

  /// _contrib_requantize behind a product of int32 that nothing else reads: one scale for all its sums.
  std::optional<Node> requantized_product(const Node& node) {
    const auto calibrated = ops::calibrated_range(node.attrs);
    const auto from = static_cast<std::size_t>(node.inputs.at(0).node);
    const Node sums = graph_.nodes[from];
    const bool is_convolution = is_op(sums, "_contrib_quantized_conv");
    if (!calibrated || !(is_convolution || is_op(sums, "_contrib_quantized_fully_connected")) ||
        !reads_all_of(node, from))
      return std::nullopt;
    const auto data = bytes_of_value(sums.inputs.at(0));
    if (!data) return std::nullopt;
    ops::Int8Product product = is_convolution ? ops::quantized_convolution_product(sums.attrs, *data)
                                              : ops::quantized_rows_product(sums.attrs, *data);
    const auto scale = requantizing_scale(sums, product, node);
    if (!scale) return std::nullopt;
    if (!is_convolution) product.problem.filters = sums.attrs.integer("num_hidden");
    std::optional<Node> made = is_convolution
                                   ? with_convolution(sums, product)
                                   : with_parameters(sums, "_mxinfer_fully_connected_int8", product);
    if (!made) return std::nullopt;
    Tensor scales = Tensor::uninitialized(DType::float32, Shape{product.filters()});
    std::fill_n(scales.data<float>(), product.filters(), *scale);
    made->inputs[2] = append_parameter(graph_, node.name + "_int8_scale", std::move(scales));
    made->attrs.set("dtype", std::string(to_string(ops::quantized_dtype(node.attrs))));
    made->notes.push_back("'" + node.name + "' (" + node.op_name + ") fused in");
    made->name = node.name;
    made->value_names.clear();
    if (!node.value_names.empty()) made->value_names = {node.value_names[0]};
    return made;
  }

  /// Whether the node reads the three outputs of another one, which nothing else reads.
  bool reads_all_of(const Node& node, std::size_t from) const {
    for (std::int32_t o = 0; o < 3; ++o) {
      const Value value{static_cast<std::int32_t>(from), o};
      if (!(node.inputs.at(static_cast<std::size_t>(o)) == value)) return false;
    }
    return uses_.at(from) == std::vector<int>{1, 1, 1};
  }

  /// What _contrib_requantize multiplies sums by.
  std::optional<float> requantizing_scale(const Node& sums, const ops::Int8Product& product,
                                          const Node& node) const {
    const auto data = range_of(sums, product.data_range), weight = range_of(sums, *product.weight_range);
    if (!data || !weight) return std::nullopt;
    const ValueRange range = ops::sums_range(product, *data, *weight);
    const float scale = ops::requantize_scale(ops::quantized_dtype(node.attrs), range.largest(),
                                              ops::calibrated_range(node.attrs)->largest());
    return is_scale(scale) ? std::optional(scale) : std::nullopt;
  }

  /// relu behind a product of int8 values that nothing else reads.
  std::optional<Node> activated_product(const Node& node) const {
    const auto from = static_cast<std::size_t>(node.inputs.at(0).node);
    Node product = graph_.nodes[from];
    const bool is_product =
        is_op(product, "_mxinfer_convolution_int8") || is_op(product, "_mxinfer_fully_connected_int8");
    if (!is_product || product.attrs.dtype("dtype") != DType::int8 || uses_.at(from).at(0) != 1 ||
        ops::activation_of(product.attrs, "before").activation != kernels::Activation::none ||
        (product.attrs.has("with_sum") && product.attrs.flag("with_sum")) ||
        node.attrs.choice("act_type") != "relu")
      return std::nullopt;
    ops::set_activation(product.attrs, "before", {kernels::Activation::relu});
    product.notes.push_back("activation '" + node.name + "' fused in");
    product.name = node.name;
    product.value_names.clear();
    if (!node.value_names.empty()) product.value_names = {node.value_names[0]};
    return product;
  }

  Graph& graph_;
  ValueDTypes dtypes_;
  std::vector<std::vector<int>> uses_;
};

bool is_quantized_for_mxnet(const Node& node) {
  return node.op != nullptr && (node.op->name.starts_with("_contrib_quantize") ||
                                node.op->name == "_contrib_dequantize" || ops::is_fused_for_onednn(node));
}

}  // namespace

// MXNet's operators on 8-bit values become those of this library (ops/quantized/int8_...) where everything
// that steps and weights follow from is a parameter. Those have steps as attributes, and int8 weights, which
// are made once; they go on channels-last and have fast kernels. Results are the same to the bit.
void lower_quantized(Graph& graph, const Goal& /*goal*/) {
  const auto& nodes = graph.nodes;
  if (std::any_of(nodes.begin(), nodes.end(), is_quantized_for_mxnet)) QuantizedLowering(graph).lower();
}

}  // namespace mxinfer::passes

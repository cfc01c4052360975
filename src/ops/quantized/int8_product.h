// What the convolutions and fully connected layers of 8-bit data have in common: how a node's sums become its
// output, where it finds its operands, and its step. kernels/conv/int8/int8_conv.h has the arithmetic.
#pragma once

#include "ops/quantized/ranges.h"

namespace mxinfer::ops {

struct Int8Product {
  const kernels::Int8ConvImpl* impl = nullptr;  ///< set by int8_product_step
  kernels::ConvProblem problem;  ///< a row of a fully connected layer is an image of one position
  DType data = DType::uint8, output = DType::int8;

  // Indices of inputs. Data is input 0 and weight input 1; a range is two inputs, one behind the other.
  std::optional<std::size_t> bias{}, batch_norm{}, residual{}, residual_range{}, weight_range{}, bias_range{};
  std::size_t data_range = 0;

  double eps = 0;          ///< of the batch norm
  bool fix_gamma = false;  ///< of the batch norm
  /// Float weights: whether each filter has a scale of its own.
  bool scale_per_filter = false;
  /// The range of the output. Without one, and if the output is not float32, sums are the output.
  std::optional<ValueRange> calibrated{};
  kernels::PostOps before{}, after{};  ///< the activations before and behind the residual
  /// The activations are of real numbers, and what they give is brought to the output's steps.
  bool activates_reals = false;
  /// The bias is int8 and added as it is; sums have the range of int8 data.
  bool is_unscaled = false;
  /// An int8 bias is cut off, not rounded, in steps of the sums.
  bool truncates_bias = false;

  std::int64_t filters() const { return problem.filters; }
  bool requantizes() const { return calibrated || output == DType::float32; }
};

/// Fails for a convolution whose layout is channels-last.
void expect_channels_first(const Attrs& attrs);
/// The problem of a fully connected layer, from its attributes num_hidden and flatten.
kernels::ConvProblem matrix_problem(const OpProblem& node);

Step int8_product_step(LowerContext& context, Int8Product product);

/// The range of sums that are the output, of operands with these ranges.
ValueRange sums_range(const Int8Product& product, const ValueRange& data, const ValueRange& weight);
/// What one step of a residual is in steps of the output. Precondition: product.calibrated.
float calibrated_residual_scale(const Int8Product& product, DType residual, const ValueRange& range);
/// What multiplies the result of the last activation.
float result_factor(const Int8Product& product);

/// The product of a node whose attributes are read, for data of that dtype; its problem is not set. Of
/// _sg_mkldnn_conv and _sg_mkldnn_fully_connected, and of those without fusion.
Int8Product fused_convolution_product(const Attrs& attrs, DType data);
Int8Product fused_rows_product(const Attrs& attrs, DType data);
Int8Product quantized_convolution_product(const Attrs& attrs, DType data);
Int8Product quantized_rows_product(const Attrs& attrs, DType data);

/// The activation of a node of a fused subgraph; nothing if MXNet does not fuse it.
std::optional<kernels::PostOps> fused_activation(const graph::Node& node);
/// Whether MXNet takes what it gives as uint8.
bool gives_uint8(const kernels::PostOps& activation);

}  // namespace mxinfer::ops

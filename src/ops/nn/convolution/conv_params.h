// The attributes that Convolution and Deconvolution share, checked and with their defaults filled in.
//
//   const ConvParams p = conv_params(attrs, data_shape);   // 1, 2 or 3 spatial dimensions
//   p.kernel[2];                                            // the innermost: width
#pragma once

#include "kernels/conv/conv.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct ConvParams {
  std::size_t rank = 0;  ///< spatial dimensions: 1, 2 or 3
  std::int64_t filters = 0, groups = 1;
  bool bias = true;
  /// Depth, height, width: the last `rank` of them are the attribute's, the others neutral.
  kernels::Spatial input{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, pad{0, 0, 0}, dilate{1, 1, 1};

  /// How far a filter reaches along spatial dimension i (0..2).
  std::int64_t reach(std::size_t i) const { return dilate[i] * (kernel[i] - 1) + 1; }
};

/// "NCHW", or "NHWC", of that many spatial dimensions, 1 to 3.
const char* spatial_layout(std::size_t spatial, bool channels_last);
/// Whether the attribute layout says that channels come last, in data, weight and output alike. A pass makes
/// such a node one of channels-first (passes::channels_first): what follows inference never
/// sees it.
bool has_channels_last(const Attrs& attrs);
/// The shape of data in channels-first order, whatever the attribute layout says. Checks that its rank fits
/// the kernel.
Shape channels_first_data(const Attrs& attrs, const Shape& data);
/// The shape in the order that the attribute layout says, of one that is channels-first.
Shape in_layout(const Attrs& attrs, const Shape& shape);

/// The attributes both operators declare; no_bias has another default in each.
std::vector<AttrSpec> conv_attr_specs(bool no_bias_default);

/// Checks kernel, stride, pad, dilate, num_filter, num_group and layout against each other and the data's
/// shape, which is channels-first.
ConvParams conv_params(const Attrs& attrs, const Shape& data);

/// The problem without its output sizes.
kernels::ConvProblem to_conv_problem(const ConvParams& p, const Shape& data, int threads);

/// The tuple `name` for the last `rank` of three dimensions: `unset` if the attribute is (), else each
/// element in [minimum, 2^31).
kernels::Spatial spatial_attr(const Attrs& attrs, const std::string& name, std::size_t rank,
                              std::int64_t unset, std::int64_t minimum);

/// The kernel's sizes behind two leading dimensions: (m, c, kernel...), as weights are stored.
Shape with_kernel(std::int64_t first, std::int64_t second, const ConvParams& p);
/// The same with any spatial sizes.
Shape with_spatial(std::int64_t first, std::int64_t second, const kernels::Spatial& spatial,
                   std::size_t rank);

/// For Traits::input_shape: data of `rank` dimensions of which only the number of channels is known.
Shape with_channels(std::int64_t channels, std::size_t rank);
/// The same from the shape of a Convolution's weight, if that tells it.
std::optional<Shape> data_for_convolution(const Attrs& attrs, const Shape& weight);

/// Fails unless input i has exactly that shape; `why` says where it comes from.
void expect_shape(const InferContext& context, std::size_t i, const char* name, const Shape& expected,
                  const std::string& why);
/// Fails unless all inputs have one dtype, float32 or float64.
void expect_float_inputs(const InferContext& context);

}  // namespace mxinfer::ops

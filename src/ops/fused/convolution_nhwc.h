// What the channels-last convolutions that passes make share: the inputs and sizes of one, and how it is
// named where its kernel is chosen.
//
//   const ConvNhwc problem = conv_nhwc_problem(context);
//   kernels::conv_nhwc_candidates(problem.shape, problem.source, context.target());
#pragma once

#include <string>
#include <vector>

#include "kernels/conv/conv_nhwc.h"
#include "ops/nn/convolution_step.h"

namespace mxinfer::ops {

/// What a kernel gets to compute.
struct ConvNhwc {
  kernels::ConvShape shape;
  kernels::Source source;
};

/// Those of Convolution, and planes, border, slopes and activation; docs/operators.md says what they are.
std::vector<AttrSpec> conv_nhwc_attrs();
PortNames conv_nhwc_ports(const Attrs& attrs);
ConvExtras conv_nhwc_extras(const Attrs& attrs);

/// Checks the inputs; the type of the convolution's output.
TensorType infer_conv_nhwc(const InferContext& context);
ConvNhwc conv_nhwc_problem(const LowerContext& context);
/// The same convolution of channels-last arrays in fewer spatial dimensions, where there are such: frames
/// that filters do not reach across are images of a batch, and planes that they do not reach across are rows.
kernels::ConvShape in_fewest_dimensions(kernels::ConvShape shape);
/// "1 x 64 x 56 x 56, 64 filters 3 x 3, pad 0 x 1 x 1"; a depth of 1 is not told.
std::string describe(const ConvNhwc& problem);

}  // namespace mxinfer::ops

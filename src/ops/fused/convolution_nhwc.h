// What the channels-last convolutions that passes make share: the inputs and sizes of one.
//
//   const kernels::ConvProblem problem = conv_nhwc_problem(context);
//   kernels::conv_candidates(problem, context.target());
#pragma once

#include "kernels/conv/conv.h"
#include "ops/nn/convolution/convolution_step.h"

namespace mxinfer::ops {

/// Those of Convolution, and planes and border; docs/reference/operators.md says what they are.
std::vector<AttrSpec> conv_nhwc_attrs();
PortNames conv_nhwc_ports(const Attrs& attrs);
ConvExtras conv_nhwc_extras(const Attrs& attrs);

/// Checks the inputs; the type of the convolution's output.
TensorType infer_conv_nhwc(const InferContext& context);
kernels::ConvProblem conv_nhwc_problem(const OpProblem& context);
/// The same convolution of channels-last arrays in fewer spatial dimensions, if there are such: frames
/// that filters do not reach across are images of a batch, and planes that they do not reach across are rows.
kernels::ConvProblem in_fewest_dimensions(kernels::ConvProblem problem);
}  // namespace mxinfer::ops

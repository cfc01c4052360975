// Where the taps of a Deconvolution fall, and how large its output is.
//
//   const kernels::DeconvShape shape = deconvolution_shape(context);
#pragma once

#include "kernels/deconv/deconv.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {

/// Pads and output sizes: from pad and adj, or from target_shape if one of its elements is not 0.
struct DeconvolutionPlacement {
  kernels::Spatial pad, output;
};
/// Checks adj and target_shape.
DeconvolutionPlacement place_deconvolution(const Attrs& attrs, const ConvParams& p);

/// Of a node whose type was inferred.
kernels::DeconvShape deconvolution_shape(const OpProblem& context);

}  // namespace mxinfer::ops

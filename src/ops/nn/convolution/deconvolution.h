// What attributes and the shape of data come to for Deconvolution, where its taps fall and how large its
// output is, and for deformable convolutions.
#pragma once

#include "kernels/deconv/deconv.h"
#include "kernels/deformable/deformable.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {

/// Of a node whose type was inferred.
kernels::DeconvShape deconvolution_shape(const OpProblem& context);

struct DeformableParams {
  ConvParams conv;
  kernels::DeformableShape shape;
};

/// `modulated`: of _contrib_ModulatedDeformableConvolution.
DeformableParams deformable_params(const Attrs& attrs, const Shape& data, bool modulated);

}  // namespace mxinfer::ops

// What the attributes of a deformable convolution and the shape of its data come to.
#pragma once

#include "kernels/deformable/deformable.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {

struct DeformableParams {
  ConvParams conv;
  kernels::DeformableShape shape;
};

/// `modulated`: of _contrib_ModulatedDeformableConvolution.
DeformableParams deformable_params(const Attrs& attrs, const Shape& data, bool modulated);

}  // namespace mxinfer::ops

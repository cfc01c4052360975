// Convolution with a kernel of 1 x 1, stride 1 and no padding, of data whose channels come first: for each
// image and group a GEMM of the weights as they are stored with the image as it is stored,
//
//   dst (filters x positions) = weight (filters x channels) . src (channels x positions)
//
// so that neither data nor weights need another layout. It is how weights that are computed are convolved.
//
//   if (is_pointwise_gemm(context, problem)) return pointwise_gemm_step(context, problem);
#pragma once

#include "kernels/conv/conv.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Whether the problem is one of these, in float32 and on enough positions to fill vectors. PReLU is not: its
/// slopes would be of rows.
bool is_pointwise_gemm(const LowerContext& context, const kernels::ConvProblem& problem);

/// Precondition: is_pointwise_gemm(). Inputs are those of Convolution, then the residual if it has one.
Step pointwise_gemm_step(LowerContext& context, const kernels::ConvProblem& problem);

}  // namespace mxinfer::ops

// What the sides of a product of matrices and its result tell of each other's sizes: each an OpDef::unify
// (ops/unify.h).
#pragma once

#include "ops/unify.h"

namespace mxinfer::ops {

/// UnifyFn of dot: the last dimension of lhs meets the first of rhs (attributes transpose_a and transpose_b
/// say otherwise), and all others make up the result. Beside a known side another is taken to be a matrix if
/// the result does not say its rank.
void unify_dot(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// UnifyFn of batch_dot, _linalg_gemm2 and _linalg_gemm: stacks of matrices in the last two dimensions.
void unify_stacked_matrices(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

}  // namespace mxinfer::ops

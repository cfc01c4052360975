// What the inputs and outputs of a Reshape and its like, and of a product of matrices, tell of each other's
// sizes: each an OpDef::unify (ops/unify.h). A batch that a training has written into a Reshape is found this
// way: FullyConnected(70) before Reshape(shape=(4, 7, 10)) has 4 rows.
#pragma once

#include "ops/unify.h"

namespace mxinfer::ops {

/// UnifyFn of Reshape, as far as its codes say where a size comes from while others are not known.
void unify_reshape(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);
/// UnifyFn of Flatten. An input of unknown rank is taken to be flat already.
void unify_flatten(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);
void unify_expand_dims(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);
/// UnifyFn of squeeze with the attribute axis.
void unify_squeeze(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// UnifyFn of dot: the last dimension of lhs meets the first of rhs (attributes transpose_a and transpose_b
/// say otherwise), and all others make up the result. Beside a known side another is taken to be a matrix if
/// the result does not say its rank.
void unify_dot(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// UnifyFn of batch_dot, _linalg_gemm2 and _linalg_gemm: stacks of matrices in the last two dimensions.
void unify_stacked_matrices(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

}  // namespace mxinfer::ops

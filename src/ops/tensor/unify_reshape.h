// What the input and the output of a Reshape and its like tell of each other's sizes: each an OpDef::unify
// (ops/unify.h). A batch that a training has written into a Reshape is found this way: FullyConnected(70)
// before Reshape(shape=(4, 7, 10)) has 4 rows.
#pragma once

#include "ops/unify.h"

namespace mxinfer::ops {

/// UnifyFn of Reshape, as far as its codes say where a size comes from while others are not known.
void unify_reshape(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);
/// UnifyFn of Flatten. An input of unknown rank is taken to be flat already.
void unify_flatten(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);
/// UnifyFn of expand_dims (attribute axis).
void unify_expand_dims(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);
/// UnifyFn of squeeze with the attribute axis.
void unify_squeeze(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

}  // namespace mxinfer::ops

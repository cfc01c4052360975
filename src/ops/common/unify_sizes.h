// What more kinds of operators tell of open sizes: each an OpDef::unify (ops/unify.h), or a part of one.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/unify.h"

namespace mxinfer::ops {

/// A flag that all nodes have if the file has the attribute of that name: in the shapes of their attributes 0
/// is no element and () a scalar, as in NumPy, and only -1 is open. Otherwise 0 is open, and () altogether.
inline constexpr const char* kNumpyShape = "is_np_shape";

/// UnifyFn: output 0 has the rank of input 0, and as many samples (their first sizes).
void unify_batch(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// UnifyFn: output 0 has the shape of input 0; what other inputs and outputs there are has shapes of its own.
void unify_first(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// UnifyFn of a fully connected layer (attributes num_hidden and flatten, inputs data and weight): each row
/// of data gives one of the output.
void unify_rows(const graph::Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs);

/// Dimension d of `output` is dimension order[d] of `input`. Does nothing if their ranks are not
/// order.size().
void unify_permuted(const std::vector<std::size_t>& order, PartialShape& input, PartialShape& output);

}  // namespace mxinfer::ops

// What nodes of topk, sort and argsort compute, for the backends that do.
#pragma once

#include "kernels/sort/sort.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Rows [outer][length][inner], and which outputs are made, in this order.
struct Sorted {
  std::int64_t outer = 1;
  kernels::SortArgs args;  ///< without operands
  Shape kept;              ///< the input's shape with k elements along the axis
  bool values = false;
  bool indices = false;
  bool mask = false;
};

/// Throw Error(invalid_argument) for an axis or a k that the shape does not have.
using SortedFn = Sorted (*)(const Attrs& attrs, const Shape& shape);
Sorted topk_of(const Attrs& attrs, const Shape& shape);
Sorted sort_of(const Attrs& attrs, const Shape& shape);
Sorted argsort_of(const Attrs& attrs, const Shape& shape);

/// The arguments with the memory of this run.
kernels::SortArgs with_operands(const Sorted& sorted, const RunContext& run);

}  // namespace mxinfer::ops

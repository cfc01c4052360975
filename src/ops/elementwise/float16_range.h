// Which float32 results may be beyond the range of float16, 65504, where the network's author did not think
// of float16. By the operator and its attributes: the values are not known.
//
//   may_exceed_float16(exp, [](std::size_t) { return false; });      // true
//   may_exceed_float16(sigmoid, [](std::size_t) { return true; });   // false
#pragma once

#include "base/function_ref.h"
#include "graph/graph.h"
#include "tensor/parameter.h"

namespace mxinfer::ops {

/// Whether the results of a node may be. `is_large` says so of an input.
bool may_exceed_float16(const graph::Node& node, FunctionRef<bool(std::size_t input)> is_large);

/// Whether an element of a parameter of float32 is, or is NaN.
bool exceeds_float16(const Parameter& parameter);
/// The same, but parameters of many elements are taken for weights, which are not, without being read.
bool may_exceed_float16(const Parameter& parameter);

}  // namespace mxinfer::ops

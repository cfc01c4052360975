// The dtypes that MXNet's NumPy operators give to the results of two dtypes.
//
//   promoted_dtype(DType::int64, DType::float16);   // float16
#pragma once

#include <mxinfer/tensor.h>

#include <optional>

#include "graph/graph.h"

namespace mxinfer::ops {

/// The wider of two floats, of two integers; a float beside an integer; the other beside a boolean. Nothing
/// for uint8 and int8, neither of which holds the other's numbers, and for dtypes without arithmetic.
std::optional<DType> promoted_dtype(DType a, DType b);

/// The same for a quotient: that of two integers of one dtype, or of booleans, is float32. Nothing for
/// integers of two dtypes, and for floats of two.
std::optional<DType> quotient_dtype(DType a, DType b);

/// The dtype of output 0 from those of both inputs, if the node's inputs may have different ones; else
/// nullptr.
using MixedDType = std::optional<DType> (*)(DType a, DType b);
MixedDType mixed_dtype(const graph::Node& node);

}  // namespace mxinfer::ops

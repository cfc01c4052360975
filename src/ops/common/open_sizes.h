// Operators whose output sizes depend on values (OpDef::bounded_form): the bounded form has the outputs with
// room for the most there can be and, as a last one, the sizes that they have, which
// passes/bind/cut_at_data.h asks for.
#pragma once

#include <algorithm>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// The type of the sizes of `outputs` outputs: a row of Shape::kMaxRank for each, of which its rank is read.
inline TensorType sizes_type(std::size_t outputs) {
  return {DType::int64,
          Shape{static_cast<std::int64_t>(outputs), static_cast<std::int64_t>(Shape::kMaxRank)}};
}

/// Writes the row of an output into the sizes.
inline void set_sizes(std::int64_t* sizes, std::size_t output, const Shape& shape) {
  std::int64_t* row = sizes + output * Shape::kMaxRank;
  std::fill(std::copy(shape.begin(), shape.end(), row), row + Shape::kMaxRank, 0);
}

/// The two forms of an operator: `op`, whose infer() gives the largest sizes, as files have it, and as
/// _mxinfer_<name> with the sizes and `lower`.
std::vector<OpDef> open_and_bounded(OpDef op, const char* bounded_name, LowerFn lower);

}  // namespace mxinfer::ops

// Index inputs (and lengths) of the types that the kernels of a GPU read.
#pragma once

#include <string>

#include "base/fail.h"
#include "kernels/common/element_type.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

inline bool has_index_type(const OpProblem& node, std::size_t input) {
  const DType dtype = node.input(input).dtype;
  return dtype == DType::float32 || dtype == DType::int32 || dtype == DType::int64;
}

/// Why another one is rejected.
inline std::string no_index_type(const OpProblem& node, std::size_t input) {
  return concat("indices are ", to_string(node.input(input).dtype), ", not float32, int32 or int64");
}

/// Precondition: has_index_type.
inline kernels::ElementType index_type(const OpProblem& node, std::size_t input) {
  return static_cast<kernels::ElementType>(node.input(input).dtype);
}

}  // namespace mxinfer::ops

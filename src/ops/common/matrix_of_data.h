// Data as FullyConnected sees it.
#pragma once

#include "base/fail.h"
#include "ops/tensor_type.h"

namespace mxinfer::ops {

/// Data as a matrix. flatten: all dimensions but the first are one, and (N,) is N x 1; otherwise all but the
/// last.
struct Matrix {
  std::int64_t rows, depth;
};

inline Matrix as_matrix(const Shape& data, bool flatten) {
  if (data.rank() == 0) fail(ErrorCode::invalid_argument, "data is a scalar: expected 1 dimension or more");
  if (flatten) return {data[0], data.elements(1, data.rank())};
  return {data.elements(0, data.rank() - 1), data.back()};
}

}  // namespace mxinfer::ops

// What steps that multiply matrices share: data as a matrix, how finely their work is cut, and OpenBLAS.
#pragma once

#include "ops/op_def.h"

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

/// A few tasks for each thread, so that none waits long for the last.
constexpr std::int64_t task_hint(int threads) {
  return threads == 1 ? 1 : 4 * threads;
}

/// Loads OpenBLAS. Error(out_of_memory) if the system has no address space for its buffers,
/// Error(unsupported) if it is not installed.
void require_openblas(const LowerContext& context);

}  // namespace mxinfer::ops

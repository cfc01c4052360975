// Walks over the elements of ReduceDims.
#pragma once

#include "kernels/reduce/reduce.h"

namespace mxinfer::kernels {

/// The source offset of element i of some dimensions.
inline std::int64_t offset_of(const ReduceDims& dims, std::int64_t i) {
  std::int64_t offset = 0;
  for (std::size_t d = dims.rank; d-- > 0; i /= dims.sizes[d]) offset += i % dims.sizes[d] * dims.strides[d];
  return offset;
}

/// Calls body(offset) for each line of the innermost dimension.
template <typename Body>
void for_each_line(const ReduceDims& dims, const Body& body) {
  const std::int64_t length = dims.sizes[dims.rank - 1], count = dims.elements();
  for (std::int64_t i = 0; i < count; i += length) body(offset_of(dims, i));
}

/// Calls body(offset, number) for each element, the innermost dimension in the inner loop.
template <typename Body>
void for_each_offset(const ReduceDims& dims, const Body& body) {
  const std::int64_t length = dims.sizes[dims.rank - 1], step = dims.strides[dims.rank - 1];
  const std::int64_t count = dims.elements();
  for (std::int64_t i = 0; i < count; i += length) {
    const std::int64_t line = offset_of(dims, i);
    for (std::int64_t j = 0; j < length; ++j) body(line + j * step, i + j);
  }
}

}  // namespace mxinfer::kernels

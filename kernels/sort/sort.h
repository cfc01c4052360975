// The first k elements of each row in sorted order, and their indices.
//
// Equal elements keep the order of the C++ library's std::sort, as in MXNet: with libstdc++ the order of the
// input for rows of up to 16 elements, some fixed order for longer ones. In a row with a NaN, NaNs come last,
// ascending as descending, and equal elements, NaNs among them, keep the order of the input.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

/// Arrays are [outer][length][inner]; row r = o * inner + i. Null outputs are not written.
struct SortArgs {
  std::int64_t length = 0;
  std::int64_t inner = 1;
  std::int64_t k = 0;  ///< 1 .. length
  bool ascending = true;
  const void* src = nullptr;
  void* values = nullptr;   ///< [outer][k][inner], of src's type
  void* mask = nullptr;     ///< [outer][length][inner], of src's type: 1 for the first k, else 0
  void* indices = nullptr;  ///< [outer][k][inner], of index_type
  ElementType index_type = ElementType::float32;  ///< float32, float64, float16, uint8, int32 or int64
};

/// Bytes of scratch for a row.
inline std::size_t sort_scratch(std::int64_t length, std::size_t element_bytes) {
  return static_cast<std::size_t>(length) * (sizeof(std::int64_t) + element_bytes);
}

/// Computes rows [begin, end) with sort_scratch() bytes, 8-byte aligned, of its own.
using SortFn = void (*)(const SortArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end);

/// Null for booleans.
SortFn select_sort(ElementType type);

}  // namespace mxinfer::kernels

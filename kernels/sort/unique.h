// The different items of an array along one dimension, in ascending order: items are compared element by
// element, and NaN is above every number. Two are the same if all their bits are.
#pragma once

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

/// Arrays are [outer][length][inner]; item i is all elements [o][i][k], in this order. Null outputs are not
/// written. All have room for `length` items.
struct UniqueArgs {
  std::int64_t outer = 1;
  std::int64_t length = 0;
  std::int64_t inner = 1;
  const void* src = nullptr;
  void* values = nullptr;           ///< [outer][unique][inner]
  std::int64_t* first = nullptr;    ///< by unique item, where the first equal one is
  std::int64_t* inverse = nullptr;  ///< by item, which unique one it equals
  std::int64_t* counts = nullptr;   ///< by unique item, how many equal it
  std::int64_t* order = nullptr;    ///< scratch for `length` indices
};

/// Returns the number of unique items.
using UniqueFn = std::int64_t (*)(const UniqueArgs& args);

UniqueFn select_unique(ElementType type);

}  // namespace mxinfer::kernels

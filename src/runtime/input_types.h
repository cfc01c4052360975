// The types of inputs: what plans are made for, and what calls are compared by.
#pragma once

#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <algorithm>
#include <vector>

#include "ops/tensor_type.h"

namespace mxinfer::runtime {

inline std::vector<ops::TensorType> types_of(Span<const TensorView> inputs) {
  std::vector<ops::TensorType> types;
  for (const TensorView& input : inputs) types.push_back({input.dtype(), input.shape()});
  return types;
}

/// Whether types_of(inputs) == types, without making them.
inline bool are_of_types(Span<const TensorView> inputs, const std::vector<ops::TensorType>& types) {
  return std::equal(inputs.begin(), inputs.end(), types.begin(), types.end(),
                    [](const TensorView& input, const ops::TensorType& type) {
                      return input.dtype() == type.dtype && input.shape() == type.shape;
                    });
}

}  // namespace mxinfer::runtime

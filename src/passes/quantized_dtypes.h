// The dtypes that MXNet's operators on 8-bit values give, from their attributes and inputs.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::passes {

/// Of output 0, from the dtypes of the inputs as far as they are known; nothing for other operators, and if
/// it is not known.
std::optional<DType> quantized_dtype(const graph::Node& node,
                                     const std::vector<std::optional<DType>>& inputs);

}  // namespace mxinfer::passes

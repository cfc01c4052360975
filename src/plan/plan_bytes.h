// What a plan takes beside weights and workspaces.
#pragma once

#include <cstddef>

#include "plan/plan.h"

namespace mxinfer::plan {

/// About the bytes of its steps, descriptions and constants, those of its subgraphs too. Packed weights are
/// the weight store's, and parameters that others hold too are not counted.
std::size_t plan_bytes(const Plan& plan);

}  // namespace mxinfer::plan

// The memory of a plan besides weights and workspaces.
#pragma once

#include <cstddef>

#include "plan/plan.h"

namespace mxinfer::plan {

/// The approximate bytes of its steps, descriptions and constants, including its subgraphs. Does not count
/// packed weights, which belong to the weight store, or parameters that others hold too.
std::size_t plan_bytes(const Plan& plan);

}  // namespace mxinfer::plan

// Regions of a graph (plan/schedule/branches.h) as a plan runs them: workers of steps, each with its own
// scratch memory, and their texts for explain.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/plan.h"
#include "plan/schedule/branches.h"

namespace mxinfer::plan {

/// Where a node's step is in Plan::steps and in PlanInfo::steps.
struct StepOfNode {
  std::size_t step = 0;
  std::size_t info = 0;
};

/// Fills in Plan::parallel_regions, makes room for the scratch memory of the workers, and adds to the reasons
/// of their steps. `step_of` is by node, empty if nothing runs.
void add_parallel_regions(const std::vector<Region>& regions,
                          const std::vector<std::optional<StepOfNode>>& step_of, Plan& plan);

}  // namespace mxinfer::plan

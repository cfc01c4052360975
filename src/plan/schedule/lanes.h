// Sections of a graph (plan/schedule/branches.h) as a plan runs them: lanes of steps, each with scratch
// memory of its own, and what explain tells of them.
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

/// Fills in Plan::side_by_side, makes room for the scratch memory of the lanes, and adds to the reasons of
/// their steps. `step_of` is by node, empty where nothing runs.
void run_side_by_side(const std::vector<Section>& sections,
                      const std::vector<std::optional<StepOfNode>>& step_of, Plan& plan);

}  // namespace mxinfer::plan

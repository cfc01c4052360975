// Predicts the time of each step of a plan by the cost model. This measures the machine with all threads,
// which running a plan does not require.
//
//   PlanInfo info = predicted_info(*plan);   // plan->info, with StepInfo::predicted_ms
#pragma once

#include "plan/plan.h"

namespace mxinfer::plan {

PlanInfo predicted_info(const Plan& plan);

}  // namespace mxinfer::plan

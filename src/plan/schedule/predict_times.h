// What the cost model expects each step of a plan to take. To ask for it measures the machine with all
// threads, which to run a plan does not need.
//
//   PlanInfo info = predicted_info(*plan);   // plan->info, with StepInfo::predicted_ms
#pragma once

#include "plan/plan.h"

namespace mxinfer::plan {

PlanInfo predicted_info(const Plan& plan);

}  // namespace mxinfer::plan

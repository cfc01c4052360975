#include "plan/schedule/parallel_regions.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <string>

#include "base/fail.h"
#include "base/files/aligned_memory.h"

namespace mxinfer::plan {
namespace {

using StepOfNodes = std::vector<std::optional<StepOfNode>>;

std::string milliseconds(double seconds) {
  std::ostringstream text;
  text << std::setprecision(2) << 1e3 * seconds << " ms";
  return text.str();
}

// Where the steps of a branch are.
std::vector<StepOfNode> steps_of(const std::vector<std::int32_t>& nodes, const StepOfNodes& step_of) {
  std::vector<StepOfNode> steps;
  for (const std::int32_t node : nodes) {
    const auto& step = step_of[static_cast<std::size_t>(node)];
    if (step) steps.push_back(*step);
  }
  return steps;
}

// The workers of a region, with consecutive scratch memory; sets `scratch` to their total.
ParallelRegion parallel_region(const Region& region, const StepOfNodes& step_of, const Plan& plan,
                               std::size_t& scratch) {
  ParallelRegion result{plan.steps.size(), 0, {}};
  scratch = 0;
  for (const std::vector<std::size_t>& branches : region.workers) {
    Worker worker;
    worker.scratch = scratch;
    std::size_t most = 0;
    for (const std::size_t branch : branches) {
      for (const StepOfNode& at : steps_of(region.branches[branch], step_of)) {
        worker.steps.push_back(at.step);
        most = std::max(most, plan.steps[at.step].step.scratch_bytes);
        result.first = std::min(result.first, at.step);
        result.last = std::max(result.last, at.step + 1);
      }
    }
    scratch += aligned_size(most);
    result.workers.push_back(std::move(worker));
  }
  return result;
}

// The first step of the region states the reason, the others their branch.
void explain(const Region& region, const StepOfNodes& step_of, PlanInfo& info) {
  std::vector<std::pair<std::size_t, std::size_t>> of_branch;  // which of PlanInfo::steps, and its branch
  std::size_t branches = 0;
  for (const std::vector<std::int32_t>& branch : region.branches) {
    const std::vector<StepOfNode> steps = steps_of(branch, step_of);
    branches += steps.empty() ? 0 : 1;
    for (const StepOfNode& step : steps) of_branch.emplace_back(step.info, branches);
  }
  std::sort(of_branch.begin(), of_branch.end());
  for (const auto& [step, branch] : of_branch) {
    std::string& reason = info.steps[step].reason;
    reason += concat(reason.empty() ? "" : "; ", "branch ", branch, " of ", branches, " side by side");
    if (step != of_branch.front().first) continue;
    reason +=
        concat(", each on one thread, up to '", printable(info.steps[of_branch.back().first].node), "'");
    if (region.seconds_in_turn > 0)
      reason += concat(": predicted to take ", milliseconds(region.seconds), " against ",
                       milliseconds(region.seconds_in_turn), " in turn");
  }
}

}  // namespace

void add_parallel_regions(const std::vector<Region>& regions, const StepOfNodes& step_of, Plan& plan) {
  for (const Region& region : regions) {
    std::size_t scratch = 0;
    plan.parallel_regions.push_back(parallel_region(region, step_of, plan, scratch));
    plan.scratch_bytes = std::max(plan.scratch_bytes, scratch);
    plan.most_workers = std::max(plan.most_workers, region.workers.size());
    explain(region, step_of, plan.info);
  }
}

}  // namespace mxinfer::plan

#include "plan/schedule/lanes.h"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <string>

#include "base/checked.h"
#include "base/fail.h"

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

// The lanes of a section, their scratch one behind the other; `scratch` is set to what they take together.
SideBySide side_by_side(const Section& section, const StepOfNodes& step_of, const Plan& plan,
                        std::size_t& scratch) {
  SideBySide result{plan.steps.size(), 0, {}};
  scratch = 0;
  for (const std::vector<std::size_t>& branches : section.lanes) {
    Lane lane;
    lane.scratch = scratch;
    std::size_t most = 0;
    for (const std::size_t branch : branches) {
      for (const StepOfNode& at : steps_of(section.branches[branch], step_of)) {
        lane.steps.push_back(at.step);
        most = std::max(most, plan.steps[at.step].step.scratch_bytes);
        result.first = std::min(result.first, at.step);
        result.last = std::max(result.last, at.step + 1);
      }
    }
    scratch += static_cast<std::size_t>(
        round_up(static_cast<std::int64_t>(most), static_cast<std::int64_t>(kAlignment)));
    result.lanes.push_back(std::move(lane));
  }
  return result;
}

// The first step of the section says why, the others which branch they belong to.
void explain(const Section& section, const StepOfNodes& step_of, PlanInfo& info) {
  std::vector<std::pair<std::size_t, std::size_t>> of_branch;  // which of PlanInfo::steps, and its branch
  std::size_t branches = 0;
  for (const std::vector<std::int32_t>& branch : section.branches) {
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
    if (section.seconds_in_turn > 0)
      reason += concat(": predicted to take ", milliseconds(section.seconds), " against ",
                       milliseconds(section.seconds_in_turn), " in turn");
  }
}

}  // namespace

void run_side_by_side(const std::vector<Section>& sections, const StepOfNodes& step_of, Plan& plan) {
  for (const Section& section : sections) {
    std::size_t scratch = 0;
    plan.side_by_side.push_back(side_by_side(section, step_of, plan, scratch));
    plan.scratch_bytes = std::max(plan.scratch_bytes, scratch);
    plan.most_lanes = std::max(plan.most_lanes, section.lanes.size());
    explain(section, step_of, plan.info);
  }
}

}  // namespace mxinfer::plan

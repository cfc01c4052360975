// Plans made by hand, of one step or none, for tests of what keeps plans and runs them.
//
//   auto plan = test::hand_made_plan({{DType::float32, {4}}}, [](const ops::RunContext& run) { ... });
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "plan/plan.h"

namespace mxinfer::test {

inline constexpr std::size_t kHandMadeArenaBytes = 1000;

/// Its step takes the plan's inputs, and gives the plan's outputs, which are of the same types, and one more
/// that is the plan's arena.
inline std::shared_ptr<plan::Plan> hand_made_plan(const std::vector<ops::TensorType>& types,
                                                  std::function<void(const ops::RunContext&)> run = {}) {
  auto plan = std::make_shared<plan::Plan>();
  plan->origin = "a plan made by hand";
  plan->inputs = types;
  plan->outputs = types;
  plan->arena_bytes = kHandMadeArenaBytes;
  if (!run) return plan;
  plan::PlannedStep planned;
  planned.step.run = std::move(run);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    planned.inputs.push_back({plan::Location::Kind::input, index, nullptr, 0});
    planned.outputs.push_back({plan::Location::Kind::output, index, nullptr, 0});
  }
  planned.outputs.push_back({plan::Location::Kind::arena, 0, nullptr, 0});
  plan->most_operands = planned.inputs.size() + planned.outputs.size();
  plan->steps.push_back(std::move(planned));
  return plan;
}

}  // namespace mxinfer::test

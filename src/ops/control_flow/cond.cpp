// _cond: the one or the other of two subgraphs.
#include <algorithm>

#include "base/fail.h"
#include "ops/control_flow/control_flow.h"

namespace mxinfer::ops {
namespace {

constexpr const char* kCondLocations[] = {"cond_input_locs", "then_input_locs", "else_input_locs"};

std::vector<TensorType> infer_cond(const InferContext& context) {
  std::vector<std::vector<TensorType>> outputs;
  for (std::size_t k = 0; k < 3; ++k) {
    const Locations locations = context.attrs.tuple(kCondLocations[k]);
    check_locations(kCondLocations[k], locations, context.count());
    outputs.push_back(context.infer_subgraph(k, types_at(locations, context.inputs)));
  }
  check_condition(outputs[0]);
  const std::size_t count = count_of(context.attrs, "num_outputs");
  if (outputs[1].size() != count || outputs[2].size() != count) {
    fail(ErrorCode::malformed, "the branches give ", outputs[1].size(), " and ", outputs[2].size(),
         " outputs; num_outputs=", count);
  }
  for (std::size_t o = 0; o < count; ++o) {
    if (outputs[1][o] == outputs[2][o]) continue;
    fail(ErrorCode::invalid_argument, "output ", o, " is ", to_string(outputs[1][o]),
         " if the condition holds and ", to_string(outputs[2][o]),
         " if it does not; both must have the same shape and dtype");
  }
  return outputs[1];
}

Step lower_cond(LowerContext& context) {
  const std::vector<TensorType> inputs = input_types(context);
  struct Branch {
    Locations locations;
    std::shared_ptr<const Subplan> plan;
  };
  std::vector<Branch> branches;
  Step step;
  std::size_t workspace = 0, most_inputs = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Locations locations = context.attrs().tuple(kCondLocations[k]);
    branches.push_back({locations, context.subplan(k, types_at(locations, inputs))});
    const Subplan& plan = *branches[k].plan;
    workspace = std::max(workspace, plan.workspace_bytes());
    most_inputs = std::max(most_inputs, locations.size());
    step.thread_scratch_bytes = std::max(step.thread_scratch_bytes, plan.thread_scratch_bytes());
    step.flops = std::max(step.flops, plan.flops());
  }
  ScratchLayout layout(workspace);
  const std::size_t pointers = layout.take<void*>(static_cast<std::int64_t>(most_inputs));
  const std::size_t verdict = layout.take<double>(1);
  const TruthFn is_true = truth_of(branches[0].plan->outputs()[0].dtype);
  step.kernel = "cond";
  step.reason = "all branches are planned, one is run";
  step.scratch_bytes = layout.bytes();
  step.run = [=](const RunContext& run) {
    auto* sources = reinterpret_cast<const void**>(run.scratch + pointers);
    const auto run_branch = [&](const Branch& branch, void* const* outputs) {
      for (std::size_t i = 0; i < branch.locations.size(); ++i) sources[i] = run.inputs[branch.locations[i]];
      branch.plan->run(sources, outputs, run.scratch, run);
    };
    void* result = run.scratch + verdict;
    run_branch(branches[0], &result);
    run_branch(branches[is_true(result) ? 1 : 2], run.outputs);
  };
  return step;
}

}  // namespace

std::vector<OpDef> cond_ops() {
  OpDef branch = control_flow_op("_cond", "Runs one of two subgraphs; its condition chooses.",
                                 {"cond_input_locs", "then_input_locs", "else_input_locs"});
  branch.subgraphs = 3;
  branch.fixed_inputs = [](const Attrs& attrs, std::size_t k) { return attrs.tuple(kCondLocations[k]); };
  branch.infer = infer_cond;
  branch.lower = lower_cond;
  return {std::move(branch)};
}

}  // namespace mxinfer::ops

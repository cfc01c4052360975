// _while_loop: a subgraph as long as another one says so.
// _cond: the one or the other of two subgraphs.
#include <algorithm>
#include <cstring>

#include "ops/control_flow/control_flow.h"

namespace mxinfer::ops {
namespace {

// Where the inputs of the condition and of the body come from, and which inputs of the body are variables.
struct WhilePorts {
  Locations condition, body, variables;

  explicit WhilePorts(const Attrs& attrs)
      : condition(attrs.tuple("cond_input_locs")),
        body(attrs.tuple("func_input_locs")),
        variables(attrs.tuple("func_var_locs")) {}
  /// The input of the node that a variable starts from.
  std::int64_t start(std::size_t variable) const {
    return body[static_cast<std::size_t>(variables[variable])];
  }
  /// The variable that an input of the node is, -1 if it stays the same.
  std::int64_t variable_of(std::int64_t input) const {
    for (std::size_t v = 0; v < variables.size(); ++v) {
      if (start(v) == input) return static_cast<std::int64_t>(v);
    }
    return -1;
  }
};

std::vector<TensorType> infer_while(const InferContext& context) {
  const Attrs& attrs = context.attrs;
  check_locations("cond_input_locs", attrs.tuple("cond_input_locs"), context.count());
  check_locations("func_input_locs", attrs.tuple("func_input_locs"), context.count());
  check_locations("func_var_locs", attrs.tuple("func_var_locs"), attrs.tuple("func_input_locs").size());
  const WhilePorts ports(attrs);
  const std::size_t outs = count_of(attrs, "num_out_data");
  check_condition(context.infer_subgraph(0, types_at(ports.condition, context.inputs)));
  std::vector<TensorType> types = context.infer_subgraph(1, types_at(ports.body, context.inputs));
  if (types.size() != outs + ports.variables.size() || types.size() != count_of(attrs, "num_outputs")) {
    fail(ErrorCode::malformed, "the body has ", types.size(), " outputs; num_out_data=", outs, ", ",
         ports.variables.size(), " variables and num_outputs=", attrs.integer("num_outputs"), " do not fit");
  }
  for (std::size_t v = 0; v < ports.variables.size(); ++v)
    check_state("variable", v, context.inputs[static_cast<std::size_t>(ports.start(v))], types[outs + v]);
  for (std::size_t o = 0; o < outs; ++o)
    types[o].shape = with_steps(attrs.integer("max_iterations"), types[o].shape);
  return types;
}

struct WhileLoop {
  explicit WhileLoop(const Attrs& attrs) : ports(attrs) {}

  WhilePorts ports;
  std::shared_ptr<const Subplan> condition, body;
  TruthFn is_true = nullptr;
  std::int64_t most = 0;
  std::vector<std::size_t> out_bytes;
  LoopMemory memory;
  std::size_t condition_sources = 0, verdict = 0;

  std::size_t outs() const { return out_bytes.size(); }

  bool holds(const RunContext& run, const void* const* body_sources) const {
    auto* sources = reinterpret_cast<const void**>(run.scratch + condition_sources);
    for (std::size_t i = 0; i < ports.condition.size(); ++i) {
      const std::int64_t input = ports.condition[i], variable = ports.variable_of(input);
      sources[i] = variable < 0 ? run.inputs[input]
                                : body_sources[ports.variables[static_cast<std::size_t>(variable)]];
    }
    void* result = run.scratch + verdict;
    condition->run(sources, &result, run.scratch, run);
    return is_true(result);
  }

  void operator()(const RunContext& run) const {
    const void** sources = memory.sources(run);
    void** destinations = memory.destinations(run);
    for (std::size_t i = 0; i < ports.body.size(); ++i) sources[i] = run.inputs[ports.body[i]];
    std::int64_t t = 0;
    for (; t < most && holds(run, sources); ++t) {
      for (std::size_t o = 0; o < outs(); ++o)
        destinations[o] = run.output<std::byte>(o) + static_cast<std::size_t>(t) * out_bytes[o];
      for (std::size_t v = 0; v < ports.variables.size(); ++v)
        destinations[outs() + v] = memory.state(run, v, t);
      body->run(sources, destinations, run.scratch, run);
      for (std::size_t v = 0; v < ports.variables.size(); ++v)
        sources[ports.variables[v]] = destinations[outs() + v];
    }
    // MXNet leaves the rows of steps that were not made unwritten; here they are 0.
    for (std::size_t o = 0; o < outs(); ++o) {
      std::memset(run.output<std::byte>(o) + static_cast<std::size_t>(t) * out_bytes[o], 0,
                  static_cast<std::size_t>(most - t) * out_bytes[o]);
    }
    memory.give_states(run, ports.variables, outs());
  }
};

Step lower_while(LowerContext& context) {
  const std::vector<TensorType> inputs = input_types(context);
  WhileLoop loop(context.attrs());
  loop.condition = context.subplan(0, types_at(loop.ports.condition, inputs));
  loop.body = context.subplan(1, types_at(loop.ports.body, inputs));
  loop.is_true = truth_of(loop.condition->outputs()[0].dtype);
  loop.most = context.attrs().integer("max_iterations");
  const std::size_t outs = count_of(context.attrs(), "num_out_data");
  for (std::size_t o = 0; o < outs; ++o) loop.out_bytes.push_back(bytes_of(loop.body->outputs()[o]));

  ScratchLayout layout(std::max(loop.condition->workspace_bytes(), loop.body->workspace_bytes()));
  loop.condition_sources = layout.take<void*>(static_cast<std::int64_t>(loop.ports.condition.size()));
  loop.verdict = layout.take<double>(1);
  std::vector<TensorType> variables;
  for (std::size_t v = 0; v < loop.ports.variables.size(); ++v)
    variables.push_back(inputs[static_cast<std::size_t>(loop.ports.start(v))]);
  loop.memory.place(loop.ports.body.size(), loop.body->outputs().size(), variables, layout);

  Step step{.kernel = concat("while_loop, at most ", loop.most, loop.most == 1 ? " step" : " steps")};
  step.reason = "condition and body are planned once";
  step.scratch_bytes = layout.bytes();
  step.thread_scratch_bytes =
      std::max(loop.condition->thread_scratch_bytes(), loop.body->thread_scratch_bytes());
  step.flops = (loop.condition->flops() + loop.body->flops()) * static_cast<double>(loop.most);
  step.run = std::move(loop);
  return step;
}

Locations fixed_in_while(const Attrs& attrs, std::size_t subgraph) {
  const WhilePorts ports(attrs);
  for (std::int64_t variable : ports.variables) {
    if (variable < 0 || variable >= static_cast<std::int64_t>(ports.body.size())) return {};
  }
  Locations fixed = subgraph == 0 ? ports.condition : ports.body;
  for (std::int64_t& input : fixed) {
    if (ports.variable_of(input) >= 0) input = -1;
  }
  return fixed;
}

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

std::vector<OpDef> while_loop_ops() {
  OpDef repeat = control_flow_op("_while_loop",
                                 "Runs its body while its condition holds, at most max_iterations times. "
                                 "Outputs: the stacked outputs of the steps, with 0 for steps that did not "
                                 "run (MXNet leaves them unwritten), then the last variables.",
                                 {"cond_input_locs", "func_input_locs", "func_var_locs"});
  repeat.attrs.push_back(integer_attr("num_out_data").at_least(0));
  repeat.attrs.push_back(integer_attr("max_iterations").at_least(1));
  repeat.subgraphs = 2;
  repeat.fixed_inputs = fixed_in_while;
  repeat.infer = infer_while;
  repeat.lower = lower_while;

  return {std::move(repeat)};
}

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

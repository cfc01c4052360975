// _foreach: a subgraph over the rows of its inputs.
// _mxinfer_by_sample: what the plan makes of a network's first operators, for a batch: its subgraph runs on
// one sample after another, each thread on a sample of its own, so that what passes from operator to operator
// stays in that thread's cache. Inputs and outputs hold their samples in front, (N, ...).
#include "ops/common/scratch_layout.h"
#include "ops/control_flow/control_flow.h"
#include "tensor/data_desc.h"

namespace mxinfer::ops {
namespace {

/// What the body gets of `data` in one step: a row, which of numbers in a row is one number of shape (1,).
/// Precondition: a rank of 1 at least.
Shape step_shape(const Shape& data) {
  return data.rank() == 1 ? Shape{1} : without_batch(data);
}

// Where the inputs of a _foreach go: data, then states, then what stays the same, each to an input of the
// body. The body's outputs are those that are stacked, then the states.
struct ForeachPorts {
  Locations data, states, remain;

  explicit ForeachPorts(const Attrs& attrs)
      : data(attrs.tuple("in_data_locs")),
        states(attrs.tuple("in_state_locs")),
        remain(attrs.tuple("remain_locs")) {}
  std::size_t count() const { return data.size() + states.size() + remain.size(); }
  /// By input of the node: which input of the body it is.
  Locations all() const {
    Locations all = data;
    all.insert(all.end(), states.begin(), states.end());
    all.insert(all.end(), remain.begin(), remain.end());
    return all;
  }
};

// Rows with elements are in memory, so their number is in proportion to it; of rows without any there could
// be more than a life has seconds.
void check_steps(const Shape& data) {
  constexpr std::int64_t kMostEmptySteps = 1 << 20;
  if (data.elements() > 0 || data[0] <= kMostEmptySteps) return;
  fail(ErrorCode::unsupported, "data 0 has shape ", to_string(data), ", which is ", data[0],
       " steps through rows without elements; expected at most ", kMostEmptySteps, " of these");
}

void check_foreach(const InferContext& context, const ForeachPorts& ports) {
  if (ports.count() != context.count()) {
    fail(ErrorCode::malformed, "in_data_locs, in_state_locs and remain_locs name ", ports.count(),
         " inputs; the node has ", context.count());
  }
  if (ports.data.empty())
    fail(ErrorCode::unsupported, "in_data_locs is empty; there is nothing to go through");
  check_locations("in_data_locs, in_state_locs or remain_locs", ports.all(), ports.count());
  std::vector<bool> taken(ports.count());
  for (std::int64_t location : ports.all()) {
    if (taken[static_cast<std::size_t>(location)])
      fail(ErrorCode::malformed, "two inputs go to input ", location, " of the body");
    taken[static_cast<std::size_t>(location)] = true;
  }
  for (std::size_t i = 0; i < ports.data.size(); ++i) {
    if (context.shape(i).rank() > 0 && context.shape(i)[0] == context.shape(0)[0]) continue;
    fail(ErrorCode::invalid_argument, "data ", i, " has shape ", to_string(context.shape(i)), ", data 0 ",
         to_string(context.shape(0)), "; all need the same number of steps in front");
  }
  check_steps(context.shape(0));
}

std::vector<TensorType> foreach_body(const ForeachPorts& ports, const std::vector<TensorType>& inputs) {
  std::vector<TensorType> body(inputs.size());
  const Locations all = ports.all();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    TensorType type = inputs[i];
    if (i < ports.data.size()) type.shape = step_shape(type.shape);
    body[static_cast<std::size_t>(all[i])] = type;
  }
  return body;
}

std::vector<TensorType> infer_foreach(const InferContext& context) {
  const ForeachPorts ports(context.attrs);
  check_foreach(context, ports);
  const std::size_t outs = count_of(context.attrs, "num_out_data");
  std::vector<TensorType> types = context.infer_subgraph(0, foreach_body(ports, context.inputs));
  if (types.size() != outs + ports.states.size() || types.size() != count_of(context.attrs, "num_outputs")) {
    fail(ErrorCode::malformed, "the body has ", types.size(), " outputs; num_out_data=", outs, ", ",
         ports.states.size(), " states and num_outputs=", context.attrs.integer("num_outputs"),
         " do not fit");
  }
  for (std::size_t s = 0; s < ports.states.size(); ++s)
    check_state("state", s, context.inputs[ports.data.size() + s], types[outs + s]);
  for (std::size_t o = 0; o < outs; ++o) types[o].shape = with_steps(context.shape(0)[0], types[o].shape);
  return types;
}

Step lower_foreach(LowerContext& context) {
  const ForeachPorts ports(context.attrs());
  const std::vector<TensorType> inputs = input_types(context);
  const auto body = context.subplan(0, foreach_body(ports, inputs));
  const std::size_t outs = count_of(context.attrs(), "num_out_data");
  const std::int64_t steps = inputs[0].shape[0];

  ScratchLayout layout(body->workspace_bytes());
  LoopMemory memory;
  const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(ports.data.size());
  const std::vector<TensorType> states(first, first + static_cast<std::ptrdiff_t>(ports.states.size()));
  memory.place(inputs.size(), body->outputs().size(), states, layout);
  std::vector<std::size_t> data_bytes, out_bytes;
  for (std::size_t i = 0; i < ports.data.size(); ++i)
    data_bytes.push_back(steps > 0 ? bytes_of(inputs[i]) / static_cast<std::size_t>(steps) : 0);
  for (std::size_t o = 0; o < outs; ++o) out_bytes.push_back(bytes_of(body->outputs()[o]));

  Step step{.kernel = concat("foreach, ", steps, steps == 1 ? " step" : " steps")};
  step.reason = "the body is planned once";
  step.scratch_bytes = layout.bytes();
  step.thread_scratch_bytes = body->thread_scratch_bytes();
  step.flops = body->flops() * static_cast<double>(steps);
  step.run = [=](const RunContext& run) {
    const void** sources = memory.sources(run);
    void** destinations = memory.destinations(run);
    const std::size_t first_state = ports.data.size(), first_remain = first_state + ports.states.size();
    for (std::size_t i = 0; i < ports.remain.size(); ++i)
      sources[ports.remain[i]] = run.inputs[first_remain + i];
    for (std::size_t s = 0; s < ports.states.size(); ++s)
      sources[ports.states[s]] = run.inputs[first_state + s];
    for (std::int64_t t = 0; t < steps; ++t) {
      const auto at = static_cast<std::size_t>(t);
      for (std::size_t i = 0; i < ports.data.size(); ++i)
        sources[ports.data[i]] = run.input<std::byte>(i) + at * data_bytes[i];
      for (std::size_t o = 0; o < outs; ++o) destinations[o] = run.output<std::byte>(o) + at * out_bytes[o];
      for (std::size_t s = 0; s < ports.states.size(); ++s) destinations[outs + s] = memory.state(run, s, t);
      body->run(sources, destinations, run.scratch, run);
      for (std::size_t s = 0; s < ports.states.size(); ++s) sources[ports.states[s]] = destinations[outs + s];
    }
    memory.give_states(run, ports.states, outs);
  };
  return step;
}

Locations fixed_in_foreach(const Attrs& attrs, std::size_t /*subgraph*/) {
  const ForeachPorts ports(attrs);
  Locations fixed(ports.count(), -1);
  for (std::size_t i = 0; i < ports.remain.size(); ++i) {
    const std::int64_t to = ports.remain[i];
    if (to >= 0 && to < static_cast<std::int64_t>(fixed.size()))
      fixed[static_cast<std::size_t>(to)] =
          static_cast<std::int64_t>(ports.data.size() + ports.states.size() + i);
  }
  return fixed;
}

// A step reads a row of each data input; a state has the shape that the step gives it.
void unify_foreach(const graph::Node& node, PartialShapes& inputs, PartialShapes& outputs,
                   CompleteSubgraph complete) {
  if (node.subgraphs.size() != 1) return;
  const graph::Graph& body = *node.subgraphs[0];
  const ForeachPorts ports(node.attrs);
  const Locations to = ports.all();
  if (to.size() != inputs.size() || outputs.size() != body.heads.size() || ports.data.empty()) return;
  if (!are_locations(to, to.size()) || outputs.size() < ports.states.size()) return;
  const std::size_t first = ports.data.size(), outs = outputs.size() - ports.states.size();
  if (!inputs[0] || inputs[0]->rank() == 0) return;

  PartialShapes given(inputs.size()), heads(outputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    PartialShape& shape = given[static_cast<std::size_t>(to[i])];
    shape = inputs[i];
    if (i < first && shape && shape->rank() > 0) shape = step_shape(*shape);
  }
  for (std::size_t s = 0; s < ports.states.size(); ++s)
    unify(given[static_cast<std::size_t>(ports.states[s])], outputs[outs + s]);
  complete(body, given, heads);
  for (std::size_t s = 0; s < ports.states.size(); ++s) {
    unify(inputs[first + s], heads[outs + s]);
    unify(inputs[first + s], given[static_cast<std::size_t>(ports.states[s])]);
    unify(outputs[outs + s], inputs[first + s]);
  }
  for (std::size_t o = 0; o < outs; ++o) {
    if (heads[o]) learn(outputs[o], with_steps((*inputs[0])[0], *heads[o]));
  }
}

std::vector<TensorType> with_batch(std::vector<TensorType> types, std::int64_t batch) {
  for (TensorType& type : types) type.shape[0] = batch;
  return types;
}

std::vector<TensorType> infer_by_sample(const InferContext& context) {
  return with_batch(context.infer_subgraph(0, with_batch(context.inputs, 1)), context.shape(0)[0]);
}

struct SampleMemory {
  std::size_t workspace = 0, sources = 0, destinations = 0, bytes = 0;

  SampleMemory(const Subplan& body, std::size_t inputs) {
    ScratchLayout layout(body.thread_scratch_bytes());
    workspace = layout.take<std::byte>(static_cast<std::int64_t>(body.workspace_bytes()));
    sources = layout.take<const void*>(static_cast<std::int64_t>(inputs));
    destinations = layout.take<void*>(static_cast<std::int64_t>(body.outputs().size()));
    bytes = layout.bytes();
  }
};

Step lower_by_sample(LowerContext& context) {
  std::vector<TensorType> inputs;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) inputs.push_back(context.input(i));
  const std::int64_t batch = inputs.at(0).shape[0];
  const auto body = context.subplan(0, with_batch(inputs, 1));
  const SampleMemory memory(*body, inputs.size());
  std::vector<std::size_t> input_bytes, output_bytes;
  for (const TensorType& type : inputs)
    input_bytes.push_back(bytes_of(type) / static_cast<std::size_t>(batch));
  for (const TensorType& type : body->outputs()) output_bytes.push_back(bytes_of(type));

  Step step{.kernel = concat("one sample after another, ", batch)};
  step.reason = "what passes between these operators stays in a thread's cache";
  step.thread_scratch_bytes = memory.bytes;
  step.flops = body->flops() * static_cast<double>(batch);
  step.run = [=](const RunContext& run) {
    parallel_for(batch, 1, [&](std::int64_t sample, std::int64_t /*end*/) {
      const auto at = static_cast<std::size_t>(sample);
      std::byte* mine = run.my_scratch();
      auto** sources = reinterpret_cast<const void**>(mine + memory.sources);
      auto** destinations = reinterpret_cast<void**>(mine + memory.destinations);
      for (std::size_t i = 0; i < input_bytes.size(); ++i)
        sources[i] = run.input<std::byte>(i) + at * input_bytes[i];
      for (std::size_t o = 0; o < output_bytes.size(); ++o)
        destinations[o] = run.output<std::byte>(o) + at * output_bytes[o];
      // Threads without a sample help with loops of the others; those that wait for help take no second
      // sample, whose operands would overwrite these.
      isolate([&] { body->run(sources, destinations, mine + memory.workspace, run); });
    });
  };
  return step;
}

}  // namespace

std::vector<OpDef> foreach_ops() {
  OpDef loop = control_flow_op("_foreach",
                               "Runs its subgraph on each row of the data inputs, and passes states from row "
                               "to row. Outputs: the stacked rows, then the last states.",
                               {"in_data_locs", "in_state_locs", "remain_locs"});
  loop.attrs.push_back(integer_attr("num_out_data").at_least(0));
  loop.subgraphs = 1;
  loop.fixed_inputs = fixed_in_foreach;
  loop.unify_subgraphs = unify_foreach;
  loop.infer = infer_foreach;
  loop.lower = lower_foreach;

  return {std::move(loop)};
}

std::vector<OpDef> by_sample_ops() {
  return {{.name = "_mxinfer_by_sample",
           .summary = "Made by the plan: runs its subgraph on each sample of a batch.",
           .inputs = any_ports(),
           .traits = {.runs_bodies_in_parallel = true},
           .made_by_passes = true,
           .infer = infer_by_sample,
           .lower = lower_by_sample,
           .subgraphs = 1}};
}

}  // namespace mxinfer::ops

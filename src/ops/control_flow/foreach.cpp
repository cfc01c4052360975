// _foreach: a subgraph over the rows of its inputs.
#include <algorithm>

#include "base/fail.h"
#include "ops/control_flow/foreach_ports.h"

namespace mxinfer::ops {
namespace {

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

// The types of the body's inputs.
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

  Step step;
  step.kernel = concat("foreach, ", steps, steps == 1 ? " step" : " steps");
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

}  // namespace

std::vector<OpDef> foreach_ops() {
  OpDef loop = control_flow_op("_foreach",
                               "Runs its subgraph on each row of the data inputs, and passes states from row "
                               "to row. Outputs: the stacked rows, then the last states.",
                               {"in_data_locs", "in_state_locs", "remain_locs"});
  loop.attrs.push_back(graph::integer_attr("num_out_data").at_least(0));
  loop.subgraphs = 1;
  loop.fixed_inputs = fixed_in_foreach;
  loop.unify_subgraphs = unify_foreach;
  loop.infer = infer_foreach;
  loop.lower = lower_foreach;

  return {std::move(loop)};
}

}  // namespace mxinfer::ops

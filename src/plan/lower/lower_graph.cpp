#include "plan/lower/lower_graph.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "kernels/speed/cpu_rates.h"
#include "ops/backend.h"
#include "plan/lower/choose_implementations.h"
#include "plan/lower/node_lowering.h"
#include "plan/memory/strided_views.h"
#include "plan/schedule/machine.h"

namespace mxinfer::plan {
namespace {

using graph::Node;
using ops::TensorType;

bool is_empty(const std::vector<TensorType>& types) {
  return std::all_of(types.begin(), types.end(), [](const TensorType& t) { return t.shape.elements() == 0; });
}

// The time for the arithmetic of a step or for moving its operands, whichever is longer.
kernels::Work estimated_work(const ops::OpProblem& node, const ops::Step& step) {
  std::size_t bytes = 0;
  for (std::size_t o = 0; o < node.num_outputs(); ++o) bytes += ops::bytes_of(node.output(o));
  for (std::size_t i = 0; i < node.num_inputs(); ++i) bytes += ops::bytes_of(node.input(i));
  kernels::Work work;
  work.flops = step.flops;
  work.weight_bytes = static_cast<double>(bytes);
  return work;
}

const Parameter* first_parameter(const graph::Graph& graph, const Node& node) {
  for (graph::Value input : node.inputs) {
    const Node& producer = graph.nodes[static_cast<std::size_t>(input.node)];
    if (producer.constant) return producer.constant.get();
  }
  return nullptr;
}

// Nothing to compute, so implementations need not handle empty values.
ops::Implementation empty_implementation() {
  ops::Implementation one;
  one.name = "empty";
  one.lower = [](ops::LowerContext&) {
    ops::Step step;
    step.kernel = "empty";
    step.run = [](const ops::RunContext&) {};
    return step;
  };
  return one;
}

// The implementations of each node on its device, and the chosen one.
class Choices {
 public:
  Choices(const Placement& placement, const PlanOptions& options, Plan& plan)
      : placement_(placement), options_(options), rejected_(placement.graph().nodes.size()) {
    std::vector<NodeImplementations> nodes;
    for (std::size_t id = 0; id < placement.graph().nodes.size(); ++id) nodes.push_back(listed(id));
    // Does not use measured rates: they differ from process to process, and implementations differ in the
    // last bits of their results.
    const kernels::MachineRates& rates =
        options.rates != nullptr ? *options.rates : kernels::default_rates(options.target);
    choices_ = choose_implementations(nodes, options, rates, &plan.winograd_bytes);
  }

  const Choice& of(std::size_t id) const { return choices_[id]; }
  const std::vector<RejectedImplementation>& rejected(std::size_t id) const { return rejected_[id]; }

 private:
  NodeImplementations listed(std::size_t id) {
    const Node& node = placement_.graph().nodes[id];
    if (node.is_variable()) return {};
    if (is_empty(placement_.types[id])) return {{{}, {empty_implementation()}}, nullptr};
    return in_context(
        [&] { return graph::describe(node); },
        [&] {
          return NodeImplementations{listed_of_op(id), first_parameter(placement_.graph(), node)};
        });
  }

  ops::Implementations listed_of_op(std::size_t id) {
    if (options_.device) {
      ops::Implementations all = accepting(*options_.backend, options_.device->name(), id);
      // Without the shape, which is the key of measurements on the CPU.
      if (node_is_on_device(placement_, id)) return {{}, std::move(all.all)};
    }
    return accepting(ops::cpu_backend(), "", id);
  }

  // The implementations that accept the node; notes the others for explain.
  ops::Implementations accepting(const ops::Backend& backend, const std::string& device, std::size_t id) {
    ops::Implementations all =
        backend.implementations(NodeProblem(placement_.graph(), placement_.types, id, options_));
    const std::string place = device.empty() ? "" : " on " + device;
    for (const ops::Implementation& one : all.all) {
      if (!one.rejects.empty()) rejected_[id].push_back({one.name + place, one.rejects});
    }
    if (all.all.empty() && !device.empty())
      rejected_[id].push_back({"on " + device, "the device has no implementation of the operator"});
    all.all = ops::accepted(all);
    return all;
  }

  const Placement& placement_;
  const PlanOptions& options_;
  std::vector<std::vector<RejectedImplementation>> rejected_;
  std::vector<Choice> choices_;
};

StepInfo step_info(const ops::OpProblem& node, const ops::Step& step, const Choice& choice) {
  StepInfo info;
  info.node = node.node().name;
  info.op = node.node().op_name;
  for (std::size_t o = 0; o < node.num_outputs(); ++o)
    info.output += (o > 0 ? ", " : "") + ops::to_string(node.output(o));
  info.kernel = step.run ? step.kernel : "alias";
  info.reason = step.reason + choice.implementation->reason;
  if (!choice.reason.empty()) info.reason += "; " + choice.reason;
  info.notes = node.node().notes;
  info.flops = step.flops;
  return info;
}

void note_device(const device::Device& device, StepInfo& step) {
  step.device = device.name();
  if (step.kernel != "alias") step.kernel += concat(" [", step.device, "]");
}

// The steps of a node's subgraphs, behind it; their nodes as "loop0/fc".
void append_subplans(const Node& node, Plan& plan, std::size_t first) {
  for (std::size_t i = first; i < plan.subplans.size(); ++i) {
    for (StepInfo step : plan.subplans[i]->info.steps) {
      step.node = node.name + "/" + step.node;
      step.flops = 0;  // counted by the node that runs them
      step.inner = true;
      plan.info.steps.push_back(std::move(step));
    }
  }
}

}  // namespace

const kernels::MachineRates* rates_for(const PlanOptions& options) {
  if (options.rates != nullptr || options.target == kernels::Target::ref) return options.rates;
  return &machine_rates(options.target, 1);
}

std::vector<Lowered> lower_graph(Placement& placement, const PlanOptions& options, WeightStore& weights,
                                 Storage& storage, Plan& plan) {
  const graph::Graph& graph = placement.graph();
  const kernels::MachineRates* rates = rates_for(options);
  const Choices choices(placement, options, plan);
  const auto backend_of = [&](std::size_t id) -> const ops::Backend& {
    return node_is_on_device(placement, id) ? *options.backend : ops::cpu_backend();
  };
  StridedViews strides(graph, placement.types, backend_of);
  for (const PlacedPart& part : strides.place_parts())
    storage.place_input(part.concatenation, 0, part.input, part.offset);
  std::vector<Lowered> lowered;
  const auto lower = [&](std::size_t id) {
    const Node& node = graph.nodes[id];
    const std::size_t subplans = plan.subplans.size();
    const Choice& choice = choices.of(id);
    if (!choice.implementation) fail(ErrorCode::internal, "no implementation accepts it");
    const bool on_device = node_is_on_device(placement, id);
    NodeLowering context(graph, placement.types, id, options, on_device ? options.device : nullptr, strides,
                         weights, storage, plan);
    ops::Step step = choice.implementation->lower(context);
    if (!step.run && !context.all_aliased()) fail(ErrorCode::internal, "it was lowered to nothing");
    if (options.list_tunable && choice.kernels.size() > 1 && !choice.shape.empty()) {
      plan.tunable.push_back({choice.shape, choice.kernels});
      isolate_node(graph, placement.types, id, plan.tunable.back());
    }
    StepCost cost;
    cost.subplans = plan.subplans.size() - subplans;
    // The rates are the CPU's; with a device they say little about the time of a call.
    if (rates != nullptr && step.run && !options.device) {
      const auto& work = choice.implementation->work;
      cost.work = work ? *work : estimated_work(context, step);
    }
    plan.costs.push_back(cost);
    const std::size_t at = plan.info.steps.size();
    plan.info.steps.push_back(step_info(context, step, choice));
    if (on_device) note_device(*options.device, plan.info.steps.back());
    plan.info.steps.back().rejected = choices.rejected(id);
    append_subplans(node, plan, subplans);
    if (step.run)
      lowered.push_back({id, at, plan.costs.size() - 1, std::move(step), context.packed_inputs()});
  };
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (graph.nodes[id].is_variable()) continue;
    in_context([&] { return graph::describe(graph.nodes[id]); }, [&] { lower(id); });
  }
  return lowered;
}

}  // namespace mxinfer::plan

#include "plan/plan.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/aligned_memory.h"
#include "base/checked.h"
#include "base/fail.h"
#include "kernels/speed/speed.h"
#include "passes/pipeline.h"
#include "plan/lower/choose_variants.h"
#include "plan/lower/node_lowering.h"
#include "plan/memory/join_rows.h"
#include "plan/memory/storage.h"
#include "plan/schedule/lanes.h"
#include "plan/schedule/machine.h"
#include "plan/shapes/infer.h"

namespace mxinfer::plan {
namespace {

using graph::Node;
using ops::TensorType;

bool is_empty(const std::vector<TensorType>& types) {
  return std::all_of(types.begin(), types.end(), [](const TensorType& t) { return t.shape.elements() == 0; });
}

// What the machine needs for the arithmetic of a step, or to move its operands, whichever takes longer.
kernels::Work work_of(const Node& node, const ValueTypes& types, const std::vector<TensorType>& outputs,
                      const ops::Step& step) {
  std::size_t bytes = 0;
  for (const TensorType& output : outputs) bytes += ops::bytes_of(output);
  for (graph::Value input : node.inputs)
    bytes +=
        ops::bytes_of(types[static_cast<std::size_t>(input.node)][static_cast<std::size_t>(input.index)]);
  kernels::Work work;
  work.flops = step.flops;
  work.weight_bytes = static_cast<double>(bytes);
  return work;
}

StepInfo step_info(const Node& node, const std::vector<TensorType>& outputs, const ops::Step& step) {
  StepInfo info;
  info.node = node.name;
  info.op = node.op_name;
  info.output = ops::to_string(outputs[0]);
  for (std::size_t i = 1; i < outputs.size(); ++i) info.output += ", " + ops::to_string(outputs[i]);
  info.kernel = step.run ? step.kernel : "alias";
  info.reason = step.reason;
  info.notes = node.notes;
  info.flops = step.flops;
  return info;
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

// A step and the node it came from, until storage has decided where its operands are.
struct Lowered {
  std::size_t node;
  std::size_t info;  ///< which of PlanInfo::steps tells of it
  std::size_t cost;  ///< which of Plan::costs is its
  ops::Step step;
  std::set<std::size_t> packed_inputs;
};

const Parameter* first_parameter(const graph::Graph& graph, const Node& node) {
  for (graph::Value input : node.inputs) {
    const graph::Node& producer = graph.nodes[static_cast<std::size_t>(input.node)];
    if (producer.constant) return producer.constant.get();
  }
  return nullptr;
}

/// The rates to choose by, of one core; nullptr where there are no vectors to measure.
const kernels::MachineRates* rates_for(const PlanOptions& options) {
  if (options.rates != nullptr || options.target == kernels::Target::ref) return options.rates;
  return &machine_rates(options.target, 1);
}

std::vector<Lowered> lower_all(const graph::Graph& graph, const ValueTypes& types, const PlanOptions& options,
                               WeightStore& weights, Storage& storage, Plan& plan) {
  RowStrides rows(graph, types);
  const kernels::MachineRates* rates = rates_for(options);
  std::vector<Choice> choices(graph.nodes.size());
  if (rates != nullptr) {
    const auto variants_of = [&](std::size_t id) -> NodeVariants {
      const Node& node = graph.nodes[id];
      if (node.is_variable() || !node.op->variants || is_empty(types[id])) return {};
      const NodeLowering context(graph, types, id, nullptr, rows, options, weights, storage, plan);
      return {in_context([&] { return graph::describe(node); }, [&] { return node.op->variants(context); }),
              first_parameter(graph, node)};
    };
    choices = choose_variants(graph.nodes.size(), variants_of, options,
                              kernels::steadied(*rates, kernels::usual_rates(options.target)),
                              &plan.winograd_bytes);
  }
  rows.join([&](const JoinedRows& part) { storage.hold(part.join, 0, part.input, part.offset); });
  std::vector<Lowered> lowered;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.is_variable()) continue;
    in_context(
        [&] { return graph::describe(node); },
        [&] {
          const std::size_t subplans = plan.subplans.size();
          const Choice& choice = choices[id];
          NodeLowering context(graph, types, id, choice.variant ? &*choice.variant : nullptr, rows, options,
                               weights, storage, plan);
          ops::Step step;
          // Nothing to compute, and kernels need not know what empty means.
          if (is_empty(types[id])) {
            step.kernel = "empty";
            step.run = [](const ops::RunContext&) {};
          } else {
            step = node.op->lower(context);
            if (!step.run && !context.all_aliased()) fail(ErrorCode::internal, "it was lowered to nothing");
          }
          if (options.list_tunable && choice.kernels.size() > 1) {
            plan.tunable.push_back({choice.shape, choice.kernels});
            isolate_node(graph, types, id, plan.tunable.back());
          }
          StepInfo info = step_info(node, types[id], step);
          if (!choice.reason.empty()) info.reason += "; " + choice.reason;
          StepCost cost;
          cost.subplans = plan.subplans.size() - subplans;
          if (rates != nullptr && step.run)
            cost.work = choice.variant ? choice.variant->work : work_of(node, types, types[id], step);
          plan.costs.push_back(cost);
          const std::size_t at = plan.info.steps.size();
          plan.info.steps.push_back(std::move(info));
          append_subplans(node, plan, subplans);
          if (step.run)
            lowered.push_back({id, at, plan.costs.size() - 1, std::move(step), context.packed_inputs()});
        });
  }
  return lowered;
}

// Leaves out the steps whose inputs are all made where the output has them: there is nothing to move.
void drop_moves(const Storage& storage, std::vector<Lowered>& lowered, Plan& plan) {
  const auto is_done = [&](const Lowered& step) {
    return storage.holds_inputs(static_cast<std::int32_t>(step.node));
  };
  for (const Lowered& step : lowered) {
    if (!is_done(step)) continue;
    StepInfo& info = plan.info.steps[step.info];
    info.kernel = "alias";
    info.reason = "its inputs are made in their places";
    plan.costs[step.cost] = {};
  }
  lowered.erase(std::remove_if(lowered.begin(), lowered.end(), is_done), lowered.end());
}

// Where a value is that something reads as it is, parameters included; those of a file are read when the plan
// first runs.
Location readable(const graph::Graph& graph, Location location, WeightStore& weights, Plan& plan) {
  if (location.kind != Location::Kind::constant) return location;
  const auto& parameter = graph.nodes[static_cast<std::size_t>(location.index)].constant;
  if (parameter->in_memory()) {
    location.constant = keep_value(*parameter, plan)->raw();
  } else {
    plan.packed.add(weights.stored(parameter));
    location.constant = plan.packed.all().back()->data();
  }
  return location;
}

// What a node takes on one core, by node.
std::vector<NodeTime> node_times(std::size_t nodes, const std::vector<Lowered>& lowered, const Plan& plan,
                                 const kernels::MachineRates* rates) {
  std::vector<NodeTime> times(nodes);
  for (const Lowered& step : lowered) {
    NodeTime& time = times[step.node];
    time.runs = true;
    const auto& work = plan.costs[step.cost].work;
    if (rates != nullptr && work) time.seconds = kernels::predicted_seconds(*work, *rates, 1);
  }
  return times;
}

// How many threads can work at the same time.
int cores_of(const PlanOptions& options) {
  return std::min(options.threads, options.rates != nullptr ? options.rates->cores : usable_cores());
}

std::vector<Section> sections_of(const graph::Graph& graph, const std::vector<Lowered>& lowered,
                                 const Plan& plan, const PlanOptions& options) {
  const int lanes = options.branches == Branches::where_it_pays ? cores_of(options) : options.threads;
  if (lanes < 2) return {};
  return find_sections(graph, node_times(graph.nodes.size(), lowered, plan, rates_for(options)), lanes,
                       options.branches);
}

PlannedStep locate(const graph::Graph& graph, const ValueTypes& types, const Storage& storage,
                   Lowered lowered, WeightStore& weights, Plan& plan) {
  PlannedStep planned;
  const std::vector<graph::Value>& inputs = graph.nodes[lowered.node].inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Location location = storage.location(inputs[i]);
    planned.inputs.push_back(lowered.packed_inputs.count(i) > 0 ? location
                                                                : readable(graph, location, weights, plan));
  }
  for (std::size_t o = 0; o < types[lowered.node].size(); ++o) {
    planned.outputs.push_back(
        storage.location({static_cast<std::int32_t>(lowered.node), static_cast<std::int32_t>(o)}));
  }
  planned.step = std::move(lowered.step);
  return planned;
}

void fill_info(Plan& plan, const PlanOptions& options, const Storage& storage) {
  plan.info.target = kernels::to_string(options.target);
  plan.info.precision = kernels::to_string(options.precision);
  plan.info.threads = options.threads;
  plan.info.arena_bytes = plan.arena_bytes;
  plan.info.intermediate_bytes = storage.unshared_bytes();
  if (options.threads > usable_cores()) {
    plan.info.warnings.push_back(concat(options.threads, " threads share ", usable_cores(),
                                        usable_cores() == 1 ? " core" : " cores",
                                        ": more of them than cores make nothing faster"));
  }
  plan.info.warnings.insert(plan.info.warnings.end(), options.warnings.begin(), options.warnings.end());
  std::set<const void*> seen;
  for (const auto& buffer : plan.packed.all()) {
    if (!buffer->is_as_stored() && seen.insert(buffer.get()).second)
      plan.info.packed_weight_bytes += buffer->bytes();
  }
}

void check_scratch(const graph::Node& node, const ops::Step& step) {
  const std::size_t most = std::max(step.scratch_bytes, step.thread_scratch_bytes);
  if (most <= kMostBytes) return;
  fail(ErrorCode::out_of_memory, graph::describe(node), ": it would work in ", most,
       " bytes, more than any process has; give smaller inputs, or correct the attribute that asks for so "
       "much");
}

}  // namespace

std::shared_ptr<const Plan> make_plan(const graph::Graph& given, const std::vector<TensorType>& inputs,
                                      const PlanOptions& options, WeightStore& weights, std::string origin) {
  auto plan = std::make_shared<Plan>();
  plan->origin = std::move(origin);
  plan->inputs = inputs;
  plan->threads = options.threads;
  plan->target = options.target;
  if (options.rates != nullptr) plan->rates = *options.rates;
  const passes::Bound bound = passes::bind(given, inputs, options.by_sample);
  const graph::Graph& graph = bound.rewritten ? *bound.rewritten : given;
  const ValueTypes& types = bound.types;
  for (graph::Value head : graph.heads) {
    plan->outputs.push_back(types[static_cast<std::size_t>(head.node)][static_cast<std::size_t>(head.index)]);
  }
  Storage storage(graph, types);
  auto lowered = lower_all(graph, types, options, weights, storage, *plan);
  storage.take_up_holds();
  drop_moves(storage, lowered, *plan);
  const std::vector<Section> sections = sections_of(graph, lowered, *plan, options);
  plan->arena_bytes = storage.place(sections);
  plan->copies = storage.copies();
  for (OutputCopy& copy : plan->copies) copy.from = readable(graph, copy.from, weights, *plan);
  std::vector<std::optional<StepOfNode>> step_of(graph.nodes.size());
  for (Lowered& step : lowered) {
    step_of[step.node] = StepOfNode{plan->steps.size(), step.info};
    check_scratch(graph.nodes[step.node], step.step);
    plan->scratch_bytes = std::max(plan->scratch_bytes, step.step.scratch_bytes);
    plan->thread_scratch_bytes = std::max(plan->thread_scratch_bytes, step.step.thread_scratch_bytes);
    plan->steps.push_back(locate(graph, types, storage, std::move(step), weights, *plan));
    const PlannedStep& planned = plan->steps.back();
    plan->most_operands = std::max(plan->most_operands, planned.inputs.size() + planned.outputs.size());
  }
  run_side_by_side(sections, step_of, *plan);
  plan->thread_scratch_bytes = static_cast<std::size_t>(
      round_up(static_cast<std::int64_t>(plan->thread_scratch_bytes), static_cast<std::int64_t>(kAlignment)));
  fill_info(*plan, options, storage);
  return plan;
}

}  // namespace mxinfer::plan

#include "plan/plan.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/fail.h"
#include "base/files/aligned_memory.h"
#include "passes/bind/bind.h"
#include "plan/lower/lower_graph.h"
#include "plan/lower/node_lowering.h"
#include "plan/memory/storage.h"
#include "plan/schedule/machine.h"
#include "plan/schedule/parallel_regions.h"

namespace mxinfer::plan {
namespace {

using ops::TensorType;

// Drops the steps whose inputs are all written directly into the output: there is nothing to copy.
void drop_copies(const Storage& storage, std::vector<Lowered>& lowered, Plan& plan) {
  const auto is_done = [&](const Lowered& step) {
    return storage.all_inputs_placed(static_cast<std::int32_t>(step.node));
  };
  for (const Lowered& step : lowered) {
    if (!is_done(step)) continue;
    StepInfo& info = plan.info.steps[step.info];
    info.kernel = "alias";
    info.reason = "its inputs are written directly into it";
    plan.costs[step.cost] = {};
  }
  lowered.erase(std::remove_if(lowered.begin(), lowered.end(), is_done), lowered.end());
}

// The steps that run on the CPU although there is a device. Throws if CPU fallback is disabled.
void count_steps_on_cpu(const Placement& placement, const std::vector<Lowered>& lowered,
                        const PlanOptions& options, Plan& plan) {
  constexpr int kNamed = 5;
  std::string names;
  int& count = plan.info.steps_on_cpu;
  for (const Lowered& step : lowered) {
    const graph::Node& node = placement.graph().nodes[step.node];
    if (node_is_on_device(placement, step.node) || device_copy(node) != DeviceCopy::none) continue;
    if (++count > kNamed) continue;
    const StepInfo& info = plan.info.steps[step.info];
    names += concat(count > 1 ? "; " : "", graph::describe(node));
    if (!info.rejected.empty()) names += concat(": ", info.rejected.front().reason);
  }
  if (count == 0 || options.cpu_fallback) return;
  if (count > kNamed) names += concat("; and ", count - kNamed, " more");
  fail(ErrorCode::unsupported, options.device->name(), " has no kernel for ",
       count == 1 ? "a node" : concat(count, " nodes"), " (", names,
       "); run the model with Options::cpu_fallback, or on the CPU");
}

// The location of a value that a step reads unpacked, parameters included: those in a file or for a device
// are there when the plan first runs.
Location readable(const graph::Graph& graph, Location location, WeightStore& weights, Plan& plan,
                  const std::shared_ptr<device::Device>& device = nullptr) {
  if (location.kind != Location::Kind::constant) return location;
  const auto& parameter = graph.nodes[static_cast<std::size_t>(location.index)].constant;
  if (parameter->in_memory() && !device) {
    location.constant = keep_value(*parameter, plan)->raw();
  } else {
    plan.packed.add(weights.stored(parameter, device));
    location.constant = plan.packed.all().back()->data();
  }
  return location;
}

// The time of each node on one core.
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

// The number of threads that can work at the same time.
int cores_of(const PlanOptions& options) {
  return std::min(options.threads, options.rates != nullptr ? options.rates->cores : usable_cores());
}

std::vector<Region> regions_of(const graph::Graph& graph, const std::vector<Lowered>& lowered,
                               const Plan& plan, const PlanOptions& options) {
  const int workers = options.branches == Branches::where_it_pays ? cores_of(options) : options.threads;
  // A device's steps are enqueued in one stream.
  if (workers < 2 || options.device) return {};
  return find_regions(graph, node_times(graph.nodes.size(), lowered, plan, rates_for(options)), workers,
                      options.branches);
}

PlannedStep locate(const Placement& placement, const Storage& storage, Lowered lowered, WeightStore& weights,
                   Plan& plan) {
  PlannedStep planned;
  const std::vector<graph::Value>& inputs = placement.graph().nodes[lowered.node].inputs;
  const auto device = reads_device(placement, lowered.node) ? plan.device : nullptr;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Location location = storage.location(inputs[i]);
    const bool packed = lowered.packed_inputs.count(i) > 0;
    planned.inputs.push_back(packed ? location
                                    : readable(placement.graph(), location, weights, plan, device));
  }
  for (std::size_t o = 0; o < placement.types[lowered.node].size(); ++o) {
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
  if (options.device) plan.info.device = options.device->name();
  plan.info.device_bytes = plan.device_bytes;
  plan.info.arena_bytes = plan.arena_bytes;
  plan.info.intermediate_bytes = storage.unshared_bytes();
  if (options.threads > usable_cores()) {
    plan.info.warnings.push_back(concat(options.threads, " threads share ", usable_cores(),
                                        usable_cores() == 1 ? " core" : " cores",
                                        ": more threads than cores make nothing faster"));
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
  fail(ErrorCode::out_of_memory, graph::describe(node), ": it would need ", most,
       " bytes, more than any process has; give smaller inputs, or correct the attribute that asks for so "
       "much");
}

// A network of halves keeps their type on a device that has it.
PlanOptions options_for(const graph::Graph& graph, const PlanOptions& options) {
  PlanOptions own = options;
  const bool is_default = options.precision == kernels::Precision::float32;
  if (!graph.was_halves || !is_default || !options.device) return own;
  const auto precision =
      *graph.was_halves == DType::bfloat16 ? kernels::Precision::bfloat16 : kernels::Precision::float16;
  if (options.device->has_precision(precision)) own.precision = precision;
  return own;
}

// The final graph that the steps compute, the types of its values, and the device of each node.
Placement place(const graph::Graph& given, const std::vector<TensorType>& inputs,
                const PlanOptions& options) {
  // A device takes whole batches.
  passes::BindOptions bind;
  bind.splits_batches = options.by_sample && !options.device;
  bind.fuses_views = options.fuses_views && options.device && options.device->kind() == device::Kind::cuda;
  bind.packs_outputs = !options.operands_on_device;
  passes::Bound bound = passes::bind(given, inputs, bind);
  if (options.device)
    return place_on_device(bound.rewritten ? *bound.rewritten : given, bound.types, options);
  const std::size_t nodes = bound.types.size();
  return {&given, std::move(bound.rewritten), std::move(bound.types), std::vector<bool>(nodes)};
}

void add_steps(const Placement& placement, const Storage& storage, std::vector<Lowered> lowered,
               const std::vector<Region>& regions, ArenaBytes arena, WeightStore& weights, Plan& plan) {
  std::vector<std::optional<StepOfNode>> step_of(placement.graph().nodes.size());
  std::size_t device_scratch = 0;
  for (Lowered& step : lowered) {
    const std::size_t node = step.node;
    step_of[node] = StepOfNode{plan.steps.size(), step.info};
    check_scratch(placement.graph().nodes[node], step.step);
    const std::size_t scratch = step.step.scratch_bytes;
    plan.thread_scratch_bytes = std::max(plan.thread_scratch_bytes, step.step.thread_scratch_bytes);
    plan.steps.push_back(locate(placement, storage, std::move(step), weights, plan));
    PlannedStep& planned = plan.steps.back();
    const bool on_device = node_is_on_device(placement, node);
    planned.copy = device_copy(placement.graph().nodes[node]);
    planned.is_enqueued = on_device || planned.copy != DeviceCopy::none;
    if (on_device) {
      planned.device_scratch = aligned_size(arena.device);
      device_scratch = std::max(device_scratch, scratch);
    } else {
      plan.scratch_bytes = std::max(plan.scratch_bytes, scratch);
    }
    plan.most_operands = std::max(plan.most_operands, planned.inputs.size() + planned.outputs.size());
  }
  plan.device_bytes = aligned_size(arena.device) + aligned_size(device_scratch);
  add_parallel_regions(regions, step_of, plan);
  plan.thread_scratch_bytes = aligned_size(plan.thread_scratch_bytes);
}

}  // namespace

std::shared_ptr<const Plan> make_plan(const graph::Graph& given, const std::vector<TensorType>& inputs,
                                      const PlanOptions& given_options, WeightStore& weights,
                                      std::string origin) {
  const PlanOptions options = options_for(given, given_options);
  auto plan = std::make_shared<Plan>();
  plan->origin = std::move(origin);
  plan->inputs = inputs;
  plan->threads = options.threads;
  plan->target = options.target;
  plan->device = options.device;
  plan->operands_on_device = options.operands_on_device;
  if (options.rates != nullptr) plan->rates = *options.rates;
  Placement placement = place(given, inputs, options);
  for (graph::Value head : placement.graph().heads) {
    plan->outputs.push_back(
        placement.types[static_cast<std::size_t>(head.node)][static_cast<std::size_t>(head.index)]);
  }
  Storage storage(placement.graph(), placement.types, placement.on_device, options.operands_on_device);
  auto lowered = lower_graph(placement, options, weights, storage, *plan);
  storage.place_inputs();
  drop_copies(storage, lowered, *plan);
  if (options.device) count_steps_on_cpu(placement, lowered, options, *plan);
  const std::vector<Region> regions = regions_of(placement.graph(), lowered, *plan, options);
  const ArenaBytes arena = storage.place(regions);
  plan->arena_bytes = arena.host;
  plan->copies = storage.copies();
  const auto device_of_outputs = options.operands_on_device ? options.device : nullptr;
  for (OutputCopy& copy : plan->copies)
    copy.from = readable(placement.graph(), copy.from, weights, *plan, device_of_outputs);
  add_steps(placement, storage, std::move(lowered), regions, arena, weights, *plan);
  fill_info(*plan, options, storage);
  return plan;
}

}  // namespace mxinfer::plan

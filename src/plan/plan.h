// Plan: a graph prepared for one set of input shapes. Kernels are chosen, weights packed, and every
// intermediate has its place in one arena. Immutable; any number of executors may run it at the same time,
// each with its own arena.
//
//   auto plan = make_plan(graph, {{DType::float32, {1, 3, 224, 224}}}, {Target::avx2, 2}, weights);
//   runtime::Executor executor(plan);
//   executor.run(inputs, outputs);
#pragma once

#include <mxinfer/plan_info.h>
#include <mxinfer/tuning.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/aligned_memory.h"
#include "device/device.h"
#include "graph/graph.h"
#include "kernels/common/precision.h"
#include "kernels/common/target.h"
#include "kernels/common/work.h"
#include "ops/backend.h"
#include "ops/op_def.h"
#include "ops/step.h"
#include "plan/lower/tunable_node.h"
#include "plan/lower/weight_store.h"
#include "plan/schedule/branches.h"

namespace mxinfer::plan {

/// The location of a value when the plan runs.
struct Location {
  enum class Kind : std::uint8_t {
    input,     ///< the caller's input `index`
    output,    ///< the caller's output `index`
    constant,  ///< parameter `index` of the graph, at `constant`
    arena,     ///< memory of the plan
    device,    ///< memory of the plan on its device
  };
  Kind kind = Kind::arena;
  std::int32_t index = 0;
  const void* constant = nullptr;  ///< null if the step reads a packed form instead
  std::size_t offset = 0;          ///< bytes from there
};

/// The direction of a step that only copies between the CPU and the device.
enum class DeviceCopy : std::uint8_t { none, to_device, to_host };

struct PlannedStep {
  ops::Step step;
  /// Whether it enqueues its work in the device's stream: a device step, or a copy to or from the device.
  bool is_enqueued = false;
  DeviceCopy copy = DeviceCopy::none;
  std::optional<std::size_t>
      device_scratch{};  ///< of a step on the device: offset of its scratch memory there
  std::vector<Location> inputs;
  std::vector<Location> outputs;
};

/// Steps that one thread runs, in this order.
struct Worker {
  std::vector<std::size_t> steps;
  std::size_t scratch = 0;  ///< where their scratch begins, in bytes from the start of the plan's
};

/// Steps [first, last) are those of branches (plan/schedule/branches.h) and run side by side.
struct ParallelRegion {
  std::size_t first = 0;
  std::size_t last = 0;
  std::vector<Worker> workers;
};

/// An output that no step writes in place: a passed-through input or parameter, or a value that is output
/// twice.
struct OutputCopy {
  Location from;
  std::int32_t output = 0;
  std::size_t bytes = 0;
};

/// The predicted work of a step (plan/schedule/predict_times.h), none if unknown; or the subgraphs that it
/// runs, the next of Plan::subplans.
struct StepCost {
  std::optional<kernels::Work> work;
  std::size_t subplans = 0;
};

struct Plan {
  std::string
      origin;  ///< what it was made for, for errors: "model 'digits' with data float32 (1, 1, 28, 28)"
  std::vector<ops::TensorType> inputs;
  std::vector<ops::TensorType> outputs;
  std::vector<PlannedStep> steps;
  std::vector<ParallelRegion> parallel_regions;  ///< in order
  std::vector<OutputCopy> copies;
  std::size_t arena_bytes = 0;
  std::size_t device_bytes = 0;   ///< of its values, scratch memory and counters on the device
  std::size_t scratch_bytes = 0;  ///< the most that one step needs, or the workers of a region together
  std::size_t thread_scratch_bytes =
      0;                          ///< the most that one step needs for each thread, rounded to the alignment
  std::size_t most_operands = 0;  ///< the most inputs and outputs that one step has
  std::size_t most_workers = 1;   ///< how many steps run at the same time
  int threads = 1;
  kernels::Target target = kernels::Target::ref;
  std::shared_ptr<device::Device> device = nullptr;  ///< PlanOptions::device
  bool operands_on_device = false;                   ///< PlanOptions::operands_on_device
  PlanInfo info;                                     ///< but for StepInfo::predicted_ms
  std::vector<StepCost> costs;                       ///< of the steps of `info` that are no subgraph's
  std::optional<kernels::MachineRates> rates;        ///< PlanOptions::rates
  std::vector<TunableNode> tunable;                  ///< where PlanOptions::list_tunable; its subgraphs' too
  std::size_t winograd_bytes = 0;                    ///< what counts against PlanOptions::max_winograd_bytes
  /// What the steps point into.
  std::vector<std::shared_ptr<const Tensor>> parameters;
  PackedWeights packed;
  /// Of the subgraphs of control flow operators.
  std::vector<std::shared_ptr<const Plan>> subplans;
  /// The counters of its steps (LowerContext::take_zeroed), in memory of their own: they are zero when a run
  /// begins.
  std::size_t zeroed_bytes = 0;
};

struct PlanOptions {
  kernels::Target target = kernels::Target::ref;
  int threads = 1;
  /// As Options::max_winograd_bytes.
  std::size_t max_winograd_bytes = std::numeric_limits<std::size_t>::max();
  /// Choices that were measured, or null.
  std::shared_ptr<const Tuning> tuning = nullptr;
  /// The speed of the machine. If null, kernels::default_rates choose implementations, and everything else
  /// uses rates measured at the first plan.
  const kernels::MachineRates* rates = nullptr;
  /// Whether operators that move elements on a device, and those between them, become one step
  /// (passes/bind/fuse_views.cpp).
  bool fuses_views = true;
  /// Whether first operators may run sample by sample (passes/bind/split_batch.h).
  bool by_sample = true;
  Branches branches = Branches::where_it_pays;
  bool list_tunable = false;
  /// Runs the nodes that `backend` implements; the others run on the CPU. If null, all run on the CPU.
  /// Precondition: the backend opened this device.
  std::shared_ptr<device::Device> device = nullptr;
  const ops::Backend* backend = nullptr;
  /// Those that runtime::Planner plans for, of which `device` is the first; make_plan() reads only `device`.
  std::vector<ops::OpenedDevice> devices{};
  /// Inputs and outputs of the graph are in the device's memory instead of host memory.
  bool operands_on_device = false;
  /// Whether nodes that the device cannot compute run on the CPU; otherwise make_plan throws
  /// Error(unsupported) for them.
  bool cpu_fallback = true;
  /// Added to PlanInfo::warnings.
  std::vector<std::string> warnings{};
  /// That of products. On the CPU for explain: passes::lower_precision has seen to it. A device's kernels
  /// follow it, and so do the types in which it stores values (plan/lower/stored_halves.h).
  kernels::Precision precision = kernels::Precision::float32;
};

/// `inputs` are the types of the network's inputs, by Node::input_index; `origin` becomes Plan::origin.
/// Throws what inference and lowering throw, with the node in front.
std::shared_ptr<const Plan> make_plan(const graph::Graph& graph, const std::vector<ops::TensorType>& inputs,
                                      const PlanOptions& options, WeightStore& weights,
                                      std::string origin = {});

}  // namespace mxinfer::plan

// Implementation: one way to compute a node on one device. An operator lists those of the CPU, best first,
// the reference last; a backend lists those of its device (ops/backend.h). The plan uses the cheapest one
// that accepts the node.
//
//   op.implementations = [](const OpProblem& node) {
//     return Implementations{describe(node), {direct(node), winograd(node), reference(node)}};
//   };
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/common/work.h"
#include "ops/step.h"

namespace mxinfer::ops {

class LowerContext;
using LowerFn = std::function<Step(LowerContext&)>;

struct Implementation {
  std::string name;       ///< "conv_nhwc_winograd4_f32"
  std::string rejects{};  ///< why it rejects the node, for explain; empty if it accepts it
  std::string reason{};   ///< its advantage, for explain
  /// On one thread, for the cost model; absent: the planner estimates it by operations and bytes. For a
  /// device, an estimate that is comparable only within the device.
  std::optional<kernels::Work> work{};
  /// Bytes of packed weights that Options::max_winograd_bytes counts.
  std::size_t bounded_bytes = 0;
  /// Bytes by which packed weights exceed those stored (memory_price()).
  std::size_t extra_weight_bytes = 0;
  LowerFn lower = nullptr;
};

struct Implementations {
  /// Everything that the time depends on except the number of threads, as text: the key of tuned choices.
  std::string shape{};
  std::vector<Implementation> all{};
};

/// The time on one thread; 0 if it states no work.
double predicted_seconds(const Implementation& one, const kernels::MachineRates& rates);

/// What larger weights must save, as seconds: they take memory, and longer to load. Their growth counts as if
/// it passed through the second-level cache 20 times.
double memory_price(const Implementation& one, const kernels::MachineRates& rates);

/// The implementations that accept the node, in order.
std::vector<Implementation> accepted(const Implementations& implementations);

/// The cheapest implementation that accepts the node, the first of equal ones. Throws Error(internal) if all
/// reject it.
const Implementation& cheapest(const Implementations& implementations, const kernels::MachineRates& rates);

}  // namespace mxinfer::ops

// Which implementation (ops/implementation.h) computes each node: the one that was measured to be fastest if
// a tuning has its shape, else the one whose predicted cost is least; as long as the packed weights of
// Winograd's algorithm have room.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/implementation.h"
#include "plan/plan.h"

namespace mxinfer::plan {

/// The implementations of a node that do not reject it, none if nothing is computed, and the parameter that
/// is packed for them: nodes that share it share what is packed.
struct NodeImplementations {
  ops::Implementations implementations;
  const Parameter* weights = nullptr;
};

struct Choice {
  std::optional<ops::Implementation> implementation;  ///< absent if nothing is computed
  std::string reason;                                 ///< by how much it is better, for explain
  std::string shape{};                                ///< Implementations::shape
  std::vector<std::string> kernels{};                 ///< the names of all
};

/// By node. The choice depends on graph, shapes, target, tuning, bound and `rates`, on threads it does not:
/// results are the same bits at any number of them. Throws Error(malformed) if the tuning names a kernel
/// that does not compute the shape. `winograd_bytes` is set to the memory of what is bounded.
std::vector<Choice> choose_implementations(const std::vector<NodeImplementations>& nodes,
                                           const PlanOptions& options, const kernels::MachineRates& rates,
                                           std::size_t* winograd_bytes = nullptr);

}  // namespace mxinfer::plan

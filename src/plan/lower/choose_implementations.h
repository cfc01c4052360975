// Which implementation (ops/implementation.h) computes each node: the fastest one if a tuning has measured
// its shape, otherwise the one with the least predicted cost, as long as the packed weights of Winograd's
// algorithm stay within their bound.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/implementation.h"
#include "plan/plan.h"

namespace mxinfer::plan {

/// The implementations of a node that accept it (none if nothing is computed), and the parameter that is
/// packed for them. Nodes that share the parameter share its packed form.
struct NodeImplementations {
  ops::Implementations implementations;
  const Parameter* weights = nullptr;
};

struct Choice {
  std::optional<ops::Implementation> implementation;  ///< absent if nothing is computed
  std::string reason;                                 ///< the margin over the next best, for explain
  std::string shape{};                                ///< Implementations::shape
  std::vector<std::string> kernels{};                 ///< the names of all
};

/// By node. The choice depends on graph, shapes, target, tuning, bound and `rates`, but not on the number of
/// threads, so results are the same bits with any number. Throws Error(malformed) if the tuning names a
/// kernel that does not compute the shape. Sets `winograd_bytes` to the memory that counts against the bound.
std::vector<Choice> choose_implementations(const std::vector<NodeImplementations>& nodes,
                                           const PlanOptions& options, const kernels::MachineRates& rates,
                                           std::size_t* winograd_bytes = nullptr);

}  // namespace mxinfer::plan

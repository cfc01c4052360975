// Which variant (ops/variant.h) computes each node: the one that was measured to be fastest, where a tuning
// has its shape, else the one whose predicted cost is least; as long as the weights of Winograd's algorithm
// have room.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ops/variant.h"
#include "plan/plan.h"

namespace mxinfer::plan {

/// The variants of a node, none where it has none, and the parameter that is packed for them: nodes that
/// share it share what is packed.
struct NodeVariants {
  ops::Variants variants;
  const Parameter* weights = nullptr;
};

struct Choice {
  std::optional<ops::Variant> variant;  ///< absent where there is nothing to choose
  std::string reason;                   ///< by how much, for explain
  std::string shape{};                  ///< Variants::shape
  std::vector<std::string> kernels{};   ///< of all variants
};

/// By node of a graph of `nodes` nodes. `variants_of` gives those of a node, none where it has none. The
/// choice depends on graph, shapes, target, tuning, bound and `rates`, on threads it does not: results are
/// the same bits at any number of them. Throws Error(malformed) where the tuning names a kernel that does not
/// compute the shape. `winograd_bytes` is set to the memory of what is bounded.
std::vector<Choice> choose_variants(std::size_t nodes,
                                    const std::function<NodeVariants(std::size_t node)>& variants_of,
                                    const PlanOptions& options, const kernels::MachineRates& rates,
                                    std::size_t* winograd_bytes = nullptr);

}  // namespace mxinfer::plan

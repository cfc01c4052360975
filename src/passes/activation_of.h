// The activation that a node is, for passes and tools that put it into the operator before it.
#pragma once

#include <optional>

#include "graph/graph.h"

namespace mxinfer::passes {

/// What the node does to each element, if post-ops can do it: Activation, LeakyReLU, clip and so on.
std::optional<graph::PostOps> activation_of(const graph::Node& node);

}  // namespace mxinfer::passes

// Explains a node that rejects its inputs because a state fixed in the file has another batch.
#pragma once

#include <string>

#include "shapes/infer.h"

namespace mxinfer::shapes {

/// The end of an error message about a node that rejects its inputs. It names inputs that come from _zeros,
/// _ones or _full of a fixed shape, or from constants folded from these, such as the begin states of unrolled
/// networks. Empty if there are none, or no other inputs. `known`: the types of the nodes before it.
std::string fixed_states_before(const graph::Graph& graph, const graph::Node& node, const ValueTypes& known);

}  // namespace mxinfer::shapes

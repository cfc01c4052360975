// Why a node rejects its inputs, where a state that the file fixes meets another batch.
#pragma once

#include <string>

#include "shapes/infer.h"

namespace mxinfer::shapes {

/// The end of a message on a node that does not take its inputs: those of them that come from _zeros, _ones
/// or _full of a fixed shape, or are constants that passes have made of these, and not from the network's
/// inputs. Begin states of unrolled networks do. Empty if there are none, or nothing else. `known`: the types
/// of the nodes in front of it.
std::string fixed_states_before(const graph::Graph& graph, const graph::Node& node, const ValueTypes& known);

}  // namespace mxinfer::shapes

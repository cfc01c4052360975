// Finds the output that gives the next value of each state.
#pragma once

#include <cstddef>
#include <vector>

#include "sequence/sequence_layout.h"

namespace mxinfer::api {

/// Sets SequenceLayout::states, and the axes of samples of inputs that take states. Uses the pairs of the
/// options; otherwise pairs an RNN's states with its state outputs, and others in order with the last outputs
/// of the network, if their types are equal; none if that fails. Throws Error(invalid_argument) for pairs of
/// the options that do not fit. Precondition: SequenceLayout::known_length is one of the network's.
void pair_states(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout);

/// The outputs, of `outputs` in all, that give the next states of those inputs: an RNN's state outputs,
/// otherwise the last outputs in order. Each input has its own output, and not all outputs are states; empty
/// if that fails. Does not compare types.
std::vector<StatePair> guessed_pairs(const graph::Graph& graph, const std::vector<std::size_t>& inputs,
                                     std::size_t outputs);

}  // namespace mxinfer::api

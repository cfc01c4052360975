// Which output gives the next value of each state.
#pragma once

#include <cstddef>
#include <vector>

#include "sequence/sequence_layout.h"

namespace mxinfer::api {

/// Sets SequenceLayout::states, and the axes of samples of inputs that take states. Pairs are the options';
/// otherwise an RNN's states go with its outputs of them, and others in order with the last outputs of the
/// network, if their types are the same; none where that does not come out. Throws Error(invalid_argument)
/// for pairs of the options that do not fit. Precondition: SequenceLayout::known_length is one of the
/// network's.
void pair_states(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout);

/// The outputs, of so many, that go on with the states which those inputs take: an RNN's outputs of its
/// states, and else the last outputs in order. Each has one of its own, and not all outputs are states; empty
/// where that does not come out. Types are not looked at.
std::vector<StatePair> guessed_pairs(const graph::Graph& graph, const std::vector<std::size_t>& inputs,
                                     std::size_t outputs);

}  // namespace mxinfer::api

// Which output gives the next value of each state.
#pragma once

#include "sequence/sequence_layout.h"

namespace mxinfer::api {

/// Sets SequenceLayout::states, and the axes of samples of inputs that take states. Pairs are the options';
/// otherwise an RNN's states go with its outputs of them, and others in order with the last outputs of the
/// network, if their types are the same; none where that does not come out. Throws Error(invalid_argument)
/// for pairs of the options that do not fit. Precondition: SequenceLayout::known_length is one of the
/// network's.
void pair_states(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout);

}  // namespace mxinfer::api

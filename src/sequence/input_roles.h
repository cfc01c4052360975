// What each input of a network of sequences is for, by options, descriptors and what reads it.
#pragma once

#include "sequence/sequence_layout.h"

namespace mxinfer::api {

/// Sets SequenceLayout::inputs, sequence and length, and of states those inputs that take them: the options',
/// or those that may be left out. Throws Error(invalid_argument) for names that are not the network's.
void find_roles(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout);

}  // namespace mxinfer::api

// Determines the role of each input of a sequence network, by options, descriptors and readers.
#pragma once

#include <string_view>

#include "sequence/sequence_layout.h"

namespace mxinfer::api {

/// Whether an input of this name takes lengths: "length", or a name that ends in "_length", such as
/// "valid_length".
bool is_length_name(std::string_view name);

/// Sets SequenceLayout::inputs, sequence and length, and of states those inputs that take them: the options',
/// or those that may be left out. Throws Error(invalid_argument) for names that are not the network's.
void find_roles(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout);

}  // namespace mxinfer::api

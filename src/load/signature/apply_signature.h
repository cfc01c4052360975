// Makes the signature of a model: the caller's descriptors take precedence over the file's, and these over
// guesses.
//
// A signature in the file is checked against the graph: every input exists, the number of outputs matches,
// and if inference gives outputs for the stated shapes, they match the stated ones.
#pragma once

#include <mxinfer/model.h>

#include <vector>

#include "model/model_data.h"

namespace mxinfer::api {

/// The given descriptors of inputs: the caller's, and the file's for the others. Precondition:
/// ModelData::file_signature and transforms_left_off are set.
std::vector<DataDesc> described_inputs(const ModelData& data, const LoadOptions& options);

/// Sets ModelData::signature, declared and labels, and gives the inputs the order of the file's signature.
/// The graph has its parameters bound, Node::input_index set and the outputs that the caller asks for. Throws
/// Error(malformed) if the file's signature and its graph contradict each other, Error(invalid_argument)
/// for options that do not fit the network. `advice` ends the text of a contradiction.
void apply_signature(ModelData& data, const LoadOptions& options,
                     const char* advice = "; `mxinfer sign --replace` writes a signature that fits");

}  // namespace mxinfer::api

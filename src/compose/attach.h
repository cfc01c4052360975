// Attaches transforms to a network: one graph of preprocessing, the network and postprocessing.
//
//   EndToEndModel model = attach(network, request);
//   write_symbol(model.graph);                     // with the signature in it
//   parameters_of(network, model);                 // what goes into the .params file
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tools/transforms.h>

#include <memory>
#include <string>
#include <vector>

#include "compose/network.h"
#include "compose/texts/attach_texts.h"

namespace mxinfer::api {

struct AttachRequest {
  TransformLists transforms;        ///< with the texts as they were given
  std::vector<PreparedText> texts;  ///< transforms.texts with their files read
  TransformLists post;
  Signature signature;
  std::vector<std::string> labels;
};

struct EndToEndModel {
  graph::Graph graph;  ///< carries the signature
  Signature signature;
  std::vector<std::string> lines;  ///< of ModelBuilder::describe
  std::vector<std::string> warnings;
  std::vector<AddedParameter> parameters;  ///< beside the network's
};

/// Reads the files that the texts name. Errors as Vocabulary::load.
void prepare_texts(AttachRequest& request);

/// Throws Error naming the list and the step. The texts of the request are prepared.
EndToEndModel attach(const Network& network, const AttachRequest& request);

/// The contents of the .params file; valid while network and model live.
std::vector<formats::ArrayToWrite> parameters_of(const Network& network, const EndToEndModel& model);

/// Adds the parameters of transforms that are not yet present. Throws Error(invalid_argument) for one that
/// exists with another value: all graphs of a bundle share their parameters.
void add_arrays(const EndToEndModel& model, std::vector<formats::ArrayToWrite>& arrays);

/// The model ready to run; shares the network's values.
std::unique_ptr<ModelData> build_end_to_end(const Network& network, const EndToEndModel& model,
                                            const LoadOptions& options);

}  // namespace mxinfer::api

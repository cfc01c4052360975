// Attaches transforms to a network: one graph of preprocessing, the network and postprocessing.
//
//   EndToEndModel model = attach(network, request);
//   write_symbol(model.graph);                     // with the signature in it
//   parameters_of(network);                        // what goes into the .params file
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/tools/transforms.h>

#include <memory>
#include <string>
#include <vector>

#include "compose/network.h"

namespace mxinfer::api {

struct AttachRequest {
  TransformLists transforms;
  TransformLists post;
  Signature signature;
  std::vector<std::string> labels;
};

struct EndToEndModel {
  graph::Graph graph;  ///< carries the signature
  Signature signature;
  std::vector<std::string> lines;  ///< of ModelBuilder::describe
  std::vector<std::string> warnings;
};

/// Throws Error naming the list and the step.
EndToEndModel attach(const Network& network, const AttachRequest& request);

/// The model ready to run; shares the network's values.
std::unique_ptr<ModelData> build_end_to_end(const Network& network, const EndToEndModel& model,
                                            const LoadOptions& options);

}  // namespace mxinfer::api

// A network that transforms are attached to.
//
//   Network network = make_network(read_model("resnet18_v1"), {});
//   EndToEndModel model = attach(network, request);
//   write_params(file, parameters_of(network));
#pragma once

#include <mxinfer/model.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formats/arrays/write_params.h"
#include "graph/graph.h"
#include "load/load_model.h"
#include "model/model_data.h"

namespace mxinfer::api {

struct Network {
  graph::Graph graph;               ///< as in the file, with training inputs but without values
  std::unique_ptr<ModelData> bare;  ///< as it runs: values, signature, labels
  std::vector<std::string> arrays;  ///< the names of its parameters in the file, in order
};

/// Takes ownership of the files read. Throws as Model::load, and Error(invalid_argument) if the model has
/// transforms.
Network make_network(RawModel raw, const LoadOptions& options);

/// The values of its parameters, by the names of their nodes.
std::map<std::string, std::shared_ptr<const Parameter>> values_of(const Network& network);

/// The parameters under the names that the network's file gives them; valid while the network lives.
std::vector<formats::ArrayToWrite> parameters_of(const Network& network);

}  // namespace mxinfer::api

// Fuses transforms, a network and what stands behind it into one graph.
//
//   Network network = read_network("resnet18_v1", {});
//   FusedModel fused = fuse(network, request);
//   write_symbol(fused.graph);                     // with the signature in it
//   network.parameters();                          // what goes into the .params file
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/signature.h>
#include <mxinfer/tools/transforms.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formats/signature_json.h"
#include "formats/write_params.h"
#include "graph/graph.h"
#include "load/load_model.h"
#include "model/model_data.h"

namespace mxinfer::api {

/// A network before anything is put in front of it.
struct Network {
  graph::Graph graph;               ///< as the file has it: training inputs and all, without values
  std::unique_ptr<ModelData> bare;  ///< as it runs: values, signature, labels
  std::vector<std::string> arrays;  ///< the names of its parameters in the file, in order
};

/// Takes over what was read. Throws as Model::load, and Error(invalid_argument) where it has transforms.
Network make_network(RawModel raw, const LoadOptions& options);

/// The parameters under the names that the network's file gives them; valid while the network lives.
std::vector<formats::ArrayToWrite> parameters_of(const Network& network);

struct FuseRequest {
  TransformLists transforms;
  TransformLists post;
  Signature signature;
  std::vector<std::string> labels;
};

struct FusedModel {
  graph::Graph graph;  ///< carries the signature
  Signature signature;
  std::vector<std::string> lines;
  std::vector<std::string> warnings;
};

/// Throws Error naming the list and the step.
FusedModel fuse(const Network& network, const FuseRequest& request);

/// The fused model ready to run; shares the network's values.
std::unique_ptr<ModelData> build_fused(const Network& network, const FusedModel& fused,
                                       const LoadOptions& options);

}  // namespace mxinfer::api

// Loads an archive into a RawModel, and applies what archives say besides the network.
#pragma once

#include <mxinfer/signature.h>

#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "load/load_model.h"
#include "sources/source.h"

namespace mxinfer::api {

/// If the archive is a local file with packed weights, the model keeps it open and reads weights when it
/// needs them.
RawModel read_archive(const std::shared_ptr<const sources::Source>& archive, const LoadOptions& options,
                      Purpose purpose = Purpose::run);

/// Gives variables of these names shape hints, as if the symbol file had them. Returns warnings.
std::vector<std::string> add_shape_hints(graph::Graph& graph,
                                         const std::vector<formats::DescribedShape>& inputs);

/// Fills in output shapes that cannot be inferred from the network.
void complete_outputs(Signature& signature, const std::vector<formats::DescribedShape>& outputs);

}  // namespace mxinfer::api

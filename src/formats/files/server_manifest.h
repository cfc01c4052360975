// Metadata in the archives of model servers and SageMaker: the members of the pair, and the shapes of inputs
// and outputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/files/archived_model.h"

namespace mxinfer::formats {

/// Members by name; empty if the manifest does not say.
struct ServerManifest {
  std::string symbol, params, signature;
  bool imperative = false;  ///< the network is a program
};

/// MANIFEST.json of a .model or MAR-INF/MANIFEST.json of a .mar file. Throws Error(malformed).
ServerManifest parse_server_manifest(std::string_view text);

struct DescribedShapes {
  std::vector<DescribedShape> inputs, outputs;
};

/// signature.json: {"inputs": [{"data_name": "data", "data_shape": [1, 3, 224, 224]}], "outputs": ...}.
DescribedShapes parse_server_signature(std::string_view text);
/// model-shapes.json: [{"name": "data", "shape": [1, 3, 224, 224]}].
DescribedShapes parse_model_shapes(std::string_view text);

}  // namespace mxinfer::formats

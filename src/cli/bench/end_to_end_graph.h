// Networks for `mxinfer bench --preset end-to-end`, as model files in memory: ResNet-18 with random weights,
// and any network behind the usual image transforms.
//
//   NetworkFiles network = random_resnet18();
//   auto end_to_end = load_with_steps(network, {"resize", "to_tensor", "normalize"});
#pragma once

#include <mxinfer/model.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mxinfer::cli {

/// A symbol file and a .params file.
struct NetworkFiles {
  nlohmann::json symbol;
  std::vector<char> params;
};

/// ResNet-18 v1 for 1000 classes, as Gluon exports it. Its random weights are always the same.
NetworkFiles random_resnet18();

/// PREFIX-symbol.json and its parameters; `params_path` empty: PREFIX-0000.params.
NetworkFiles read_network(const std::string& prefix, const std::string& params_path);

/// The name of the network's only input. Error(unsupported) if it has several.
std::string input_name(const NetworkFiles& network);

/// The network behind "resize" (to 224 x 224), "to_tensor" and "normalize" (as for ImageNet), as one model
/// that takes bytes (n, height, width, 3).
Model load_with_steps(const NetworkFiles& network, const std::vector<std::string>& steps);
/// The network alone, float32 (n, 3, 224, 224).
Model load_bare(const NetworkFiles& network);
/// The steps alone. If "normalize" comes first, they take floats (n, 3, height, width), otherwise bytes.
Model load_steps(const std::vector<std::string>& steps);

}  // namespace mxinfer::cli

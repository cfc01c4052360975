// Bundles (.mxz): a model in one file, with its parameters, its labels, and one or more graphs that share the
// parameters.
//
//   mxinfer::pack_bundle("models/digits", "digits.mxz");
//   auto model = mxinfer::Model::load("digits.mxz");           // LoadOptions::graph names another graph
//   mxinfer::unpack_model("digits.mxz", "copy/digits");        // the pair again
//
// docs/how-to/bundle.md describes the file. ModelBuilder::save_bundle writes bundles with transforms.
#pragma once

#include <mxinfer/export.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

struct PackOptions {
  /// The number in the name of the .params file, if there are several.
  std::optional<int> epoch{};
  /// The name of the network's graph, which becomes the bundle's default.
  std::string name = "prediction";
  /// Further graphs: the paths of their symbol files, by name. Their parameters must be among the network's.
  std::map<std::string, std::string> graphs{};
};

/// Writes a bundle of a model's files, unchanged: whatever Model::load takes but a bundle, with the labels
/// beside it. The file is replaced at once, or left as it was. Errors as Model::load, for each graph, though
/// operators need not be supported; invalid_argument for names of graphs and if the file cannot be
/// written.
MXINFER_API void pack_bundle(const std::string& network, const std::string& bundle,
                             const PackOptions& options = {});

/// Writes what an archive holds (a bundle, or another that Model::load takes) as PREFIX-symbol.json,
/// PREFIX-0000.params if it has parameters, and synset.txt in the same folder if it has labels. Of a
/// bundle, `graph` says which; empty: its default. Returns the paths. Errors as Model::load; invalid_argument
/// if a file cannot be written, or if the folder has a synset.txt with other labels.
MXINFER_API std::vector<std::string> unpack_model(const std::string& archive, const std::string& prefix,
                                                  const std::string& graph = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer

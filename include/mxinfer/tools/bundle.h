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
#include <mxinfer/options.h>
#include <mxinfer/predictor.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What weights are packed for: predictors with these options find them packed in the bundle.
struct PackedFor {
  /// `target` and `precision` matter, and what chooses kernels: `max_winograd_bytes` and `tuning_file`. The
  /// device must be the CPU.
  Options options{};
  /// The shapes of inputs, as Predictor::warmup takes them. Kernels depend on them. Calls with other shapes
  /// pack the weights whose kernel differs.
  std::vector<NamedShape> shapes{};
};

/// What a bundle contains.
struct PackOptions {
  /// The number in the name of the .params file, if there are several.
  std::optional<int> epoch{};
  /// The name of the network's graph, which becomes the bundle's default.
  std::string name = "prediction";
  /// The paths of symbol files of further graphs, by name. Their parameters must be among the network's.
  std::map<std::string, std::string> graphs{};
  /// Stores the weights of the network's graph packed for each of these, beside the parameters. Entries with
  /// the same target and precision share what is the same, such as those of several batch sizes.
  std::vector<PackedFor> packed_for{};
};

/// Writes a bundle of a model's unchanged files, with the labels beside them. `network` is anything that
/// Model::load takes except a bundle. The file is replaced in one step, or stays as it was. Throws as
/// Model::load, for each graph, except that operators need not be supported. Throws Error(invalid_argument)
/// if the name of a graph is invalid, the file cannot be written, or weights are to be packed for another
/// device than the CPU. While weights are packed, throws as Predictor and Predictor::warmup.
MXINFER_API void pack_bundle(const std::string& network, const std::string& bundle,
                             const PackOptions& options = {});

/// Writes the contents of an archive (a bundle, or another that Model::load takes) as PREFIX-symbol.json. If
/// it has parameters, writes PREFIX-0000.params; if it has labels, writes synset.txt in the same folder. For
/// a bundle, `graph` names the graph; empty: the default. Returns the paths. Throws as Model::load. Throws
/// Error(invalid_argument) if a file cannot be written or the folder has a synset.txt with other labels.
MXINFER_API std::vector<std::string> unpack_model(const std::string& archive, const std::string& prefix,
                                                  const std::string& graph = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer

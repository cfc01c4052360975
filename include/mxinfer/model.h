// Model: a network and its weights. A model is read once and never changes, and any number of predictors and
// threads share it. A Model object is a handle: copies are cheap and refer to the same weights.
//
//   mxinfer::Model model = mxinfer::Model::load("models/digits");   // a folder or a prefix
//   mxinfer::Predictor a(model), b(model);                          // one set of weights
//   model.signature().inputs[0].name;                               // "data"
//   model.labels();                                                 // the lines of synset.txt beside it
#pragma once

#include <mxinfer/byte_source.h>
#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/load_options.h>
#include <mxinfer/memory_use.h>
#include <mxinfer/signature.h>
#include <mxinfer/span.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer::api {
struct ModelData;
class ModelAccess;
}  // namespace mxinfer::api

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Reads class names for LoadOptions::labels from a path or an address: one per line, as in synset.txt.
/// Throws Error(not_found), Error(network), or Error(malformed) if the text is not UTF-8.
[[nodiscard]] MXINFER_API std::vector<std::string> load_labels(const std::string& path);
/// As above, with LoadOptions::remote and LoadOptions::schemes for addresses.
[[nodiscard]] MXINFER_API std::vector<std::string> load_labels(const std::string& path,
                                                               const LoadOptions& options);

/// A network and its weights. Immutable and thread-safe.
class MXINFER_API Model {
 public:
  /// Loads a model from a path or an address, which names one of:
  /// - a prefix: "resnet18_v1" for resnet18_v1-symbol.json and resnet18_v1-0000.params
  /// - a symbol file
  /// - a folder that contains one model
  /// - a file that contains the model: a bundle (.mxz), a model server's archive (.mar, .model), SageMaker's
  ///   model.tar.gz, or any zip, tar or tar.gz file with one pair in it. Nothing is unpacked to disk, and no
  ///   program in the file is run.
  ///
  /// Throws Error with one of these codes:
  /// - not_found: there is no such file
  /// - malformed: a file is damaged; the message names the file and the place in it
  /// - unsupported: the message lists every missing operator and the nodes that need it
  /// - invalid_argument: several files match, which the message lists, or the options do not fit the network
  /// - network: an address cannot be fetched (docs/how-to/addresses.md)
  [[nodiscard]] static Model load(const std::string& uri, const LoadOptions& options = {});
  /// Loads a model from sources of your own. The source of the parameters is kept and read later, as a file
  /// is, unless LoadOptions::read_weights_at_once is set. Throws as above, and what the sources throw.
  [[nodiscard]] static Model load(const ModelSources& sources, const LoadOptions& options = {});
  /// Loads two files, each by its own path or address. If the network has no parameters, `params_path` is
  /// empty. If LoadOptions::sha256 is not empty, each file must have one of those digests. If an address ends
  /// in "#sha256=...", its file must have that digest.
  [[nodiscard]] static Model load_files(const std::string& symbol_path, const std::string& params_path,
                                        const LoadOptions& options = {});
  /// Loads a model from the contents of its two files in memory. The bytes are not needed after the call. If
  /// the network has no parameters, `params` is empty.
  [[nodiscard]] static Model load_memory(ByteSpan symbol_json, ByteSpan params,
                                         const LoadOptions& options = {});
  /// Loads a file that contains a whole model, as load() does, from memory.
  [[nodiscard]] static Model load_archive(ByteSpan archive, const LoadOptions& options = {});

  // Copies are cheap. A move copies: the moved-from object still refers to the same model.
  Model(const Model&) noexcept;
  Model& operator=(const Model&) noexcept;
  ~Model();

  /// Returns the prefix or file that the model came from.
  [[nodiscard]] const std::string& name() const noexcept;
  /// Returns the inputs and outputs. Inputs are as you or the file describe them. If neither does, they are
  /// inferred from the parameters, and free dimensions are -1. Output shapes follow from the inputs, if these
  /// determine them.
  [[nodiscard]] const Signature& signature() const noexcept;
  /// Returns the class names, or an empty list if there are none.
  [[nodiscard]] const std::vector<std::string>& labels() const noexcept;
  /// Returns what is unusual but harmless about the files, such as parameters that nothing uses.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;
  /// Returns the memory of the weights at about this moment. It grows as plans add packed forms of them.
  [[nodiscard]] ModelMemory memory() const;

 private:
  friend class api::ModelAccess;
  explicit Model(std::shared_ptr<const api::ModelData> data) noexcept;
  std::shared_ptr<const api::ModelData> data_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

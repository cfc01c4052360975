// Model: a network and its weights, read once, never changed, shared by any number of predictors and threads.
// A Model object is a handle: copies are cheap and stand for the same weights.
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

/// Reads class names for LoadOptions::labels: one a line, as in synset.txt, from a path or an address. Throws
/// Error(not_found), Error(network), or Error(malformed) if the text is not UTF-8.
[[nodiscard]] MXINFER_API std::vector<std::string> load_labels(const std::string& path);
/// The same, with what the options say of addresses.
[[nodiscard]] MXINFER_API std::vector<std::string> load_labels(const std::string& path,
                                                               const LoadOptions& options);

class MXINFER_API Model {
 public:
  /// Loads a prefix ("resnet18_v1" for resnet18_v1-symbol.json and resnet18_v1-0000.params), a symbol file,
  /// a folder that holds one model, or one file that holds the model: a bundle (.mxz), a model server's
  /// archive (.mar, .model), SageMaker's model.tar.gz, or any zip, tar or tar.gz file with one pair in it;
  /// nothing is unpacked to disk, and no program in it is run. Errors: not_found (no such file, several
  /// candidates are listed), malformed (the file and the place in it), unsupported (every operator that is
  /// missing, with the nodes that need it), invalid_argument (options that do not fit the network), network
  /// (an address that cannot be fetched; docs/how-to/addresses.md).
  [[nodiscard]] static Model load(const std::string& uri, const LoadOptions& options = {});
  /// From sources of the caller. The parameters' is kept and read from later, as a file is, unless
  /// LoadOptions::read_weights_at_once. Errors also as the sources throw them.
  [[nodiscard]] static Model load(const ModelSources& sources, const LoadOptions& options = {});
  /// Loads two files by their own names, paths or addresses; an empty params path is for networks without
  /// parameters. Each must have one of LoadOptions::sha256, if there are any, and what "#sha256=..." behind
  /// its own address says.
  [[nodiscard]] static Model load_files(const std::string& symbol_path, const std::string& params_path,
                                        const LoadOptions& options = {});
  /// Loads from memory: the contents of the two files, not their names. The bytes are not needed after the
  /// call; no params are for networks without parameters.
  [[nodiscard]] static Model load_memory(ByteSpan symbol_json, ByteSpan params,
                                         const LoadOptions& options = {});
  /// Loads a file that holds a whole model, as load() does, from memory.
  [[nodiscard]] static Model load_archive(ByteSpan archive, const LoadOptions& options = {});

  // Copies are cheap; a model that was moved from stays the same model, so that there is never none.
  Model(const Model&) noexcept;
  Model& operator=(const Model&) noexcept;
  ~Model();

  /// The prefix or file it came from.
  [[nodiscard]] const std::string& name() const noexcept;
  /// Inputs as the file or the caller describes them; if neither does, as guessed from the parameters,
  /// with -1 for what is free. Output shapes are those that follow, if the inputs determine them.
  [[nodiscard]] const Signature& signature() const noexcept;
  /// Class names, empty if there are none.
  [[nodiscard]] const std::vector<std::string>& labels() const noexcept;
  /// What was odd about the files but did no harm, such as parameters that nothing uses.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;
  /// What its weights take, at about this moment: plans add packed forms of them.
  [[nodiscard]] ModelMemory memory() const;

 private:
  friend class api::ModelAccess;
  explicit Model(std::shared_ptr<const api::ModelData> data) noexcept;
  std::shared_ptr<const api::ModelData> data_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

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

/// What becomes of operators that draw random numbers, such as _image_random_flip_left_right, which MXNet
/// runs at inference too.
enum class RandomTransforms {
  reject,    ///< Error(unsupported) naming the nodes
  identity,  ///< they leave pictures as they are; random crops take the centre
  execute,   ///< they draw from a generator started with LoadOptions::seed
};

struct LoadOptions {
  /// The number in the name of the .params file. Without it the one file there is is taken; several are an
  /// error.
  std::optional<int> epoch{};
  /// Descriptors of the inputs, where the file carries none or others than the caller wants. Names must be
  /// inputs of the network; those left out keep what the file says.
  std::vector<DataDesc> inputs{};
  /// Variables that will be given values, by name. They are inputs even where they stand for a parameter of a
  /// layer (the beta of a LayerNorm), which would otherwise be one that the file lacks; and where the file
  /// has a value for them, which is then not used. Names of other things mean nothing here.
  std::vector<std::string> input_names{};
  /// Inner values to give as outputs instead of the network's own, by the names of `mxinfer inspect`:
  /// "fc1_output", or "fc1" for the first output of a node.
  std::vector<std::string> outputs{};
  /// Class names, instead of those in the file or in synset.txt beside the model.
  std::vector<std::string> labels{};
  /// false: leaves off the transforms in front of and behind the network, and gives the bare network, bit for
  /// bit as if it had never had any. Nothing to do for models without transforms.
  bool load_transforms = true;
  /// Runs the sample stored in the file, if there is one, and compares with the output stored beside it;
  /// Error(malformed) where they differ, as with a damaged file, or a processor that computes wrongly.
  bool verify = false;
  RandomTransforms random_transforms = RandomTransforms::reject;
  std::uint64_t seed = 0;  ///< for RandomTransforms::execute
  /// false: large weights of a .params file are read when a plan first needs them, which starts sooner and
  /// takes less memory. The file is held open; it may be renamed, replaced by another or deleted, but not
  /// written to: a predict that then needs weights it has not read yet, for inputs of another size for
  /// instance, is Error(malformed), and what has been planned before goes on. true: all is read at once, and
  /// the file not needed any more. Models from memory and from archives always are.
  bool read_weights_at_once = false;
  /// Which network of a bundle (.mxz), by its name; empty: the one that the bundle says is the default.
  std::string graph{};
};

/// Reads class names for LoadOptions::labels: one a line, as in synset.txt. Throws Error(not_found), or
/// Error(malformed) where the text is not UTF-8.
[[nodiscard]] MXINFER_API std::vector<std::string> load_labels(const std::string& path);

class MXINFER_API Model {
 public:
  /// Loads a prefix ("resnet18_v1" for resnet18_v1-symbol.json and resnet18_v1-0000.params), a symbol file,
  /// a folder that holds one model, or one file that holds the model: a bundle (.mxz), a model server's
  /// archive (.mar, .model), SageMaker's model.tar.gz, or any zip, tar or tar.gz file with one pair in it;
  /// nothing is unpacked to disk, and no program in it is run. Errors: not_found (no such file, several
  /// candidates are listed), malformed (the file and the place in it), unsupported (every operator that is
  /// missing, with the nodes that need it), invalid_argument (options that do not fit the network).
  [[nodiscard]] static Model load(const std::string& uri, const LoadOptions& options = {});
  /// From sources of the caller. The parameters' is kept and read from later, as a file is, unless
  /// LoadOptions::read_weights_at_once. Errors also as the sources throw them.
  [[nodiscard]] static Model load(const ModelSources& sources, const LoadOptions& options = {});
  /// Loads two files by their own names; an empty params path is for networks without parameters.
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
  /// Inputs as the file or the caller describes them; where neither does, as guessed from the parameters,
  /// with -1 for what is free. Output shapes are those that follow, where the inputs determine them.
  [[nodiscard]] const Signature& signature() const noexcept;
  /// Class names, empty where there are none.
  [[nodiscard]] const std::vector<std::string>& labels() const noexcept;
  /// What was odd about the files but did no harm, such as parameters that nothing uses.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

 private:
  friend class api::ModelAccess;
  explicit Model(std::shared_ptr<const api::ModelData> data) noexcept;
  std::shared_ptr<const api::ModelData> data_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

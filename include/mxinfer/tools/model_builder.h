// ModelBuilder: attaches transforms to a network and makes one model of the whole. The preprocessing is then
// part of the model, which takes images as they are.
//
//   namespace t = mxinfer::transforms;
//   mxinfer::ModelBuilder builder("resnet18_v1");
//   builder.transforms({t::resize(224, 224), t::to_tensor(),
//                       t::normalize({0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f})});
//   builder.post({t::softmax(), t::top_k(5)});
//   builder.save("resnet18_end_to_end");        // -symbol.json and -0000.params, which MXNet runs too
//   auto model = builder.build();               // the same without files
//
// A transform becomes an operator of MXNet and does what that operator does.
// docs/reference/transforms.md lists them.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/signature.h>
#include <mxinfer/tools/transforms.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Attaches transforms to a network. Functions that return a ModelBuilder& return *this. Use an object from
/// one thread at a time.
class MXINFER_API ModelBuilder {
 public:
  /// Reads the network as Model::load does. Uses these options: epoch, inputs (what the network takes, if the
  /// file does not say so), outputs and labels. Throws as Model::load, and Error(invalid_argument) if the
  /// network has transforms already.
  explicit ModelBuilder(const std::string& network, const LoadOptions& options = {});
  /// As above, from two files or from memory.
  static ModelBuilder from_files(const std::string& symbol_path, const std::string& params_path,
                                 const LoadOptions& options = {});
  static ModelBuilder from_memory(ByteSpan symbol_json, ByteSpan params, const LoadOptions& options = {});
  ~ModelBuilder();
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;

  /// Sets the transforms of every input that has no list of its own.
  ModelBuilder& transforms(std::vector<Transform> steps);
  /// Sets the transforms of one input. An empty list leaves the input as it is.
  ModelBuilder& transforms(const std::string& input, std::vector<Transform> steps);
  /// Sets the columns of an input that takes rows of features, (N, features). The columns become inputs of
  /// the whole, in this order, and their numbers are concatenated.
  ModelBuilder& columns(const std::string& input, std::vector<ColumnTransform> columns);
  /// Adds texts that become inputs of the network, to those of earlier calls. The files that the steps name
  /// are read now. Throws Error(invalid_argument) or as Vocabulary::load; the message names the step.
  ModelBuilder& texts(TextTransform text);
  /// Sets all of these at once, as read from a file. Its texts replace earlier ones.
  ModelBuilder& set_transforms(const TransformLists& lists);
  /// Sets the transforms after every output that has no list of its own, or after one output.
  ModelBuilder& post(std::vector<Transform> steps);
  ModelBuilder& post(const std::string& output, std::vector<Transform> steps);
  ModelBuilder& set_post(const TransformLists& lists);

  /// Sets the inputs and outputs of the whole; either list may be empty. Without it, inputs with transforms
  /// take images of any size, uint8 (-1, -1, -1, C) NHWC, and outputs are inferred. An input belongs to the
  /// network's input of that name. The others belong to the remaining inputs, in order, and the whole takes
  /// their names. Outputs are in the order of the network's, and the whole takes their names.
  ModelBuilder& signature(Signature signature);
  /// As above, from a JSON file: {"inputs": [{"name", "shape", "dtype", "layout", "meaning"}], "outputs":
  /// ..}.
  ModelBuilder& signature_file(const std::string& path);
  /// Sets the class names. Default: those of the network (synset.txt beside it).
  ModelBuilder& labels(std::vector<std::string> labels);

  /// Sets an image (JPEG, PNG) or array (.npy) that is run once and stored with its outputs. A program that
  /// loads the model can then verify what it computes (LoadOptions::verify). For models with one input, or by
  /// the input's name.
  ModelBuilder& sample(const std::string& file);
  ModelBuilder& sample(const std::string& input, const std::string& file);

  /// Writes PREFIX-symbol.json and PREFIX-0000.params. Throws Error(invalid_argument) or Error(unsupported);
  /// the message says which step of which list does not fit and what its input is.
  void save(const std::string& prefix) const;
  /// Adds a graph for save_bundle: the same network with other transforms, such as for validation. The
  /// signature and sample belong to the model's own graph only; labels belong to all. A name is letters,
  /// digits, '-', '_' and '.'.
  ModelBuilder& add_graph(const std::string& name, const TransformLists& transforms,
                          const TransformLists& post = {});
  /// Writes a bundle, one file for the whole (docs/how-to/bundle.md). It contains the model as graph
  /// "prediction", which Model::load takes, and the added graphs, which share the parameters. Throws as save.
  void save_bundle(const std::string& path) const;
  /// Returns the model that save() would write.
  Model build(const LoadOptions& options = {}) const;

  /// Returns the inputs and outputs of the whole. Throws as save.
  Signature fused_signature() const;
  /// Returns what the steps become: "data_resize0 = _image_resize: uint8 (-1, 224, 224, 3)". Throws as save.
  std::vector<std::string> describe() const;
  /// Returns what is unusual but possible in the lists, such as a normalize of bytes. Throws as save.
  std::vector<std::string> warnings() const;

 private:
  struct Impl;
  explicit ModelBuilder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

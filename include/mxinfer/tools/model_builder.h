// ModelBuilder: puts transforms in front of a network and behind it, and makes one model of the whole, which
// takes images as they are: their preparation is part of the model.
//
//   namespace t = mxinfer::transforms;
//   mxinfer::ModelBuilder builder("resnet18_v1");
//   builder.transforms({t::resize(224, 224), t::to_tensor(),
//                       t::normalize({0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f})});
//   builder.post({t::softmax(), t::top_k(5)});
//   builder.save("resnet18_end_to_end");        // -symbol.json and -0000.params, which MXNet runs too
//   auto model = builder.build();               // the same without files
//
// What a transform does is what the operator of MXNet does that it becomes; docs/how-to/end-to-end.md lists
// them.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/signature.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>
#include <mxinfer/tools/transforms.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

class MXINFER_API ModelBuilder {
 public:
  /// Reads the network, as Model::load. Of the options, epoch, inputs (what the network takes, if the file
  /// does not say), outputs and labels count. Errors as Model::load; invalid_argument if the network has
  /// transforms already.
  explicit ModelBuilder(const std::string& network, const LoadOptions& options = {});
  static ModelBuilder from_files(const std::string& symbol_path, const std::string& params_path,
                                 const LoadOptions& options = {});
  static ModelBuilder from_memory(ByteSpan symbol_json, ByteSpan params, const LoadOptions& options = {});
  ~ModelBuilder();
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;

  /// What stands in front of every input that has no list of its own.
  ModelBuilder& transforms(std::vector<Transform> steps);
  /// What stands in front of one input; an empty list leaves it as it is.
  ModelBuilder& transforms(const std::string& input, std::vector<Transform> steps);
  /// What an input of the network that takes rows of features, (N, features), is made of: the columns become
  /// inputs of the whole, in this order, and their numbers stand one beside the other.
  ModelBuilder& columns(const std::string& input, std::vector<ColumnTransform> columns);
  /// Texts that become inputs of the network; each call adds to those before. The files that the steps name
  /// are read now. Errors: invalid_argument and those of Vocabulary::load, naming the step.
  ModelBuilder& texts(TextTransform text);
  /// All of these from a file; its texts replace those before.
  ModelBuilder& set_transforms(const TransformLists& lists);
  /// What stands behind every output that has no list of its own, or behind one.
  ModelBuilder& post(std::vector<Transform> steps);
  ModelBuilder& post(const std::string& output, std::vector<Transform> steps);
  ModelBuilder& set_post(const TransformLists& lists);

  /// What the whole takes and gives; either list may be empty. Without it, inputs with transforms take
  /// images of any size, uint8 (-1, -1, -1, C) NHWC, and what the outputs are follows. Inputs belong to the
  /// network's by name, or else by order, and then give theirs to the whole; outputs by order, names and all.
  ModelBuilder& signature(Signature signature);
  /// As above, from a JSON file: {"inputs": [{"name", "shape", "dtype", "layout", "meaning"}], "outputs":
  /// ..}.
  ModelBuilder& signature_file(const std::string& path);
  /// Class names. Without them, those of the network (synset.txt beside it).
  ModelBuilder& labels(std::vector<std::string> labels);

  /// An image (JPEG, PNG) or an array (.npy) to be run once and stored with its outputs, so that a program
  /// that loads the model can check what it computes (LoadOptions::verify). For models of one input, or by
  /// the input's name.
  ModelBuilder& sample(const std::string& file);
  ModelBuilder& sample(const std::string& input, const std::string& file);

  /// Writes PREFIX-symbol.json and PREFIX-0000.params. Errors: invalid_argument or unsupported, saying which
  /// step of which list does not fit and what reaches it.
  void save(const std::string& prefix) const;
  /// Another graph for save_bundle: the same network with other transforms, as for validation. Signature and
  /// sample are the model's own alone; labels are for all. A name is letters, digits, '-', '_' and '.'.
  ModelBuilder& add_graph(const std::string& name, const TransformLists& transforms,
                          const TransformLists& post = {});
  /// Writes a bundle, one file for all of it (docs/how-to/bundle.md): the model as graph "prediction", which
  /// is what Model::load takes, and the graphs added, which share the parameters. Errors as save.
  void save_bundle(const std::string& path) const;
  Model build(const LoadOptions& options = {}) const;

  /// What the whole takes and gives. Errors as save.
  Signature fused_signature() const;
  /// What the steps become: "data_resize0 = _image_resize: uint8 (-1, 224, 224, 3)". Errors as save.
  std::vector<std::string> describe() const;
  /// What is odd about the lists, such as a normalize of bytes, but can be done. Errors as save.
  std::vector<std::string> warnings() const;

 private:
  struct Impl;
  explicit ModelBuilder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

// ModelBuilder: puts transforms in front of a network and behind it, and makes one model of the whole, which
// takes pictures and needs nobody to know how they were prepared in training.
//
//   namespace t = mxinfer::transforms;
//   mxinfer::ModelBuilder builder("resnet18_v1");
//   builder.transforms({t::resize(224, 224), t::to_tensor(),
//                       t::normalize({0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f})});
//   builder.post({t::softmax(), t::top_k(5)});
//   builder.save("resnet18_end_to_end");        // -symbol.json and -0000.params, which MXNet runs too
//   auto model = builder.build();               // the same without files
//
// What a transform does is what the operator of MXNet does that it becomes; docs/end-to-end.md lists them.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/signature.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// One step: a short name such as "resize", or the name of any operator with one input; and attributes as
/// MXNet writes them: {"size", "(224, 224)"}.
struct Transform {
  std::string op;
  std::map<std::string, std::string> attrs{};
};

/// Lists of steps as a file has them.
struct TransformLists {
  std::vector<Transform> all{};                           ///< for every input (or output)
  std::map<std::string, std::vector<Transform>> named{};  ///< for those of these names
};

/// Reads a list of steps, [{"op": "resize", "size": [224, 224]}, {"op": "to_tensor"}], or an object from the
/// name of an input (or output) to such a list. Throws Error(malformed) naming the step and the key. Whether
/// the steps make sense is for ModelBuilder to say.
MXINFER_API TransformLists parse_transforms(ByteSpan json);
/// The same from a file. Throws also Error(not_found).
MXINFER_API TransformLists read_transforms(const std::string& path);

/// The steps that have short names. Sizes are in MXNet's order, width first; `interpolation` is MXNet's
/// number: 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos.
namespace transforms {

/// Bytes of a JPEG or PNG to pixels; must be the first step. The input then takes encoded pictures.
MXINFER_API Transform decode(bool color = true, bool rgb = true);
/// As decode, but the input takes the path of a file.
MXINFER_API Transform read_image(bool color = true, bool rgb = true);
MXINFER_API Transform resize(int width, int height, int interpolation = 1);
/// The shorter side to `size`, the other in proportion; keep_ratio = false: both sides.
MXINFER_API Transform resize(int size, bool keep_ratio, int interpolation = 1);
/// mx.image.resize_short.
MXINFER_API Transform resize_short(int size, int interpolation = 1);
MXINFER_API Transform crop(int x, int y, int width, int height);
/// mx.image.center_crop: a picture smaller than that is enlarged.
MXINFER_API Transform center_crop(int width, int height, int interpolation = 1);
MXINFER_API Transform crop_resize(int x, int y, int width, int height, int to_width, int to_height,
                                  int interpolation = 1);
/// The largest size of the same aspect that fits, centred on pixels of `value`.
MXINFER_API Transform letterbox(int width, int height, float value = 0, int interpolation = 1);
MXINFER_API Transform pad(int left, int top, int right, int bottom, float value = 0);
MXINFER_API Transform flip_left_right();
MXINFER_API Transform flip_top_bottom();
/// "rgb2bgr", "bgr2rgb", "rgb2gray", "bgr2gray" or "gray2rgb".
MXINFER_API Transform convert_color(const std::string& code);
/// (H, W, C) of 0..255 to (C, H, W) of 0..1, float32.
MXINFER_API Transform to_tensor();
/// (x - mean[c]) / std[c] on (C, H, W); one value for all channels, or one for each.
MXINFER_API Transform normalize(const std::vector<float>& mean, const std::vector<float>& std);
MXINFER_API Transform cast(DType dtype);
MXINFER_API Transform scale(float factor);
/// Over all dimensions, the batch included: (0, 3, 1, 2) moves the channels to the front.
MXINFER_API Transform transpose(const std::vector<int>& axes);

// Behind a network.
MXINFER_API Transform softmax(int axis = -1);
MXINFER_API Transform sigmoid();
/// The k largest of the last axis, largest first: two outputs, scores and int32 ids. Must be the last step.
MXINFER_API Transform top_k(int k);
/// Rows (id, score, left, top, right, bottom) of detection networks: three outputs, ids, scores and boxes.
/// Must be the last step.
MXINFER_API Transform boxes();

}  // namespace transforms

class MXINFER_API ModelBuilder {
 public:
  /// Reads the network, as Model::load. Of the options, epoch, inputs (what the network takes, where the file
  /// does not say), outputs and labels count. Errors as Model::load; invalid_argument where the network has
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
  /// Both of these from a file.
  ModelBuilder& set_transforms(const TransformLists& lists);
  /// What stands behind every output that has no list of its own, or behind one.
  ModelBuilder& post(std::vector<Transform> steps);
  ModelBuilder& post(const std::string& output, std::vector<Transform> steps);
  ModelBuilder& set_post(const TransformLists& lists);

  /// What the whole takes and gives; either list may be empty. Without it, inputs with transforms take
  /// pictures of any size, uint8 (-1, -1, -1, C) NHWC, and what the outputs are follows. Inputs belong to the
  /// network's by name, or else by order, and then give theirs to the whole; outputs by order, names and all.
  ModelBuilder& signature(Signature signature);
  /// As above, from a JSON file: {"inputs": [{"name", "shape", "dtype", "layout", "meaning"}], "outputs":
  /// ..}.
  ModelBuilder& signature_file(const std::string& path);
  /// Class names. Without them, those of the network (synset.txt beside it).
  ModelBuilder& labels(std::vector<std::string> labels);

  /// A picture (JPEG, PNG) or an array (.npy) to be run once and stored with its outputs, so that whoever
  /// loads the model can check what it computes (LoadOptions::verify). For models of one input, or by the
  /// input's name.
  ModelBuilder& sample(const std::string& file);
  ModelBuilder& sample(const std::string& input, const std::string& file);

  /// Writes PREFIX-symbol.json and PREFIX-0000.params. Errors: invalid_argument or unsupported, saying which
  /// step of which list does not fit and what reaches it.
  void save(const std::string& prefix) const;
  /// Another graph for save_bundle: the same network with other transforms, as for validation. Signature and
  /// sample are the model's own alone; labels are for all. A name is letters, digits, '-', '_' and '.'.
  ModelBuilder& add_graph(const std::string& name, const TransformLists& transforms,
                          const TransformLists& post = {});
  /// Writes a bundle, one file for all of it (docs/bundle.md): the model as graph "prediction", which is what
  /// Model::load takes, and the graphs added, which share the parameters. Errors as save.
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

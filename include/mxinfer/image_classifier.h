// ImageClassifier: a Classifier for pictures. An end-to-end model preprocesses them itself; for a bare
// network the preprocessing is data.
//
//   mxinfer::ImageClassifier whole("end_to_end");          // resizes and normalises by its own transforms
//   mxinfer::ImageOptions options;                          // a bare network: say how
//   options.preprocess = mxinfer::Preprocess::preset("imagenet");
//   mxinfer::ImageClassifier classifier("resnet18_v1", options);
//   for (const auto& [label, score, index] : classifier.classify_file("kitten.jpg", 5)) ...
//   classifier.classify_bytes(request.body(), 5);          // a JPEG or PNG in memory: no file is opened
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/classifier.h>
#include <mxinfer/image.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {

/// How a picture becomes the network's size.
enum class ResizePolicy {
  stretch,          ///< to width x height, whatever the aspect
  short_side_crop,  ///< short side to `resize_short`, then the centre of width x height
  letterbox,        ///< the largest size of the same aspect that fits, centred on `pad_value`
};

/// What happens between the picture (RGB, or grey) and the network: resize, then
/// value = (pixel * scale - mean[c]) / std[c] for each channel c in the order of `color`. A network of one
/// channel gets grey pictures; one of three gets a grey picture three times.
struct Preprocess {
  ResizePolicy resize = ResizePolicy::stretch;
  /// short_side_crop: the short side before the crop; 0: the network's height * 256 / 224, rounded.
  int resize_short = 0;
  Interpolation interpolation = Interpolation::linear;
  ColorOrder color = ColorOrder::rgb;
  float scale = 1.0f;
  std::array<float, 3> mean = {0, 0, 0};  ///< in the order of `color`; one-channel networks use the first
  std::array<float, 3> std = {1, 1, 1};
  float pad_value = 0;  ///< letterbox: the pixel value outside the picture, 0..255
  /// Height and width to give a network whose signature leaves them free; 0: ImageOptions must say.
  int network_size = 0;

  /// Named settings: "raw" (0..255, stretch), "imagenet" (GluonCV, model zoo: short side 256, crop, 0..1,
  /// mean (0.485, 0.456, 0.406), std (0.229, 0.224, 0.225)), "imagenet_symbol" (mean (123.68, 116.779,
  /// 103.939)), "unit" (0..1), "minus_one_to_one" ((x - 127.5) / 127.5), "insightface" ((x - 127.5) / 128).
  /// The imagenet ones set network_size to 224, insightface to 112. Throws Error(not_found), listing the
  /// names, for another.
  static MXINFER_API Preprocess preset(const std::string& name);
  static MXINFER_API const std::vector<std::string>& preset_names();
};

struct ImageOptions {
  /// For a bare network. With a model that does it itself, leave it as it is: what would be done twice is an
  /// Error(invalid_argument).
  Preprocess preprocess{};
  bool apply_exif = true;  ///< turn pictures as their EXIF orientation says
  /// Height and width to give the network; where its signature fixes them (by more than a guess) they must be
  /// the same.
  std::optional<int> height{};
  std::optional<int> width{};
  Options options{};
};

class MXINFER_API ImageClassifier : public Classifier {
 public:
  /// The model must have one input, (N, C, H, W) or (N, H, W, C) by its layout, with C 1 or 3, of float32 or
  /// uint8, or be an end-to-end model that takes encoded pictures. Errors (invalid_argument) otherwise, where
  /// a bare network leaves height and width free and the options do not give them, and where the options
  /// would preprocess pictures that the model preprocesses itself.
  explicit ImageClassifier(std::shared_ptr<const Model> model, const ImageOptions& options = {});
  explicit ImageClassifier(const std::string& uri, const ImageOptions& options = {},
                           const LoadOptions& load = {});
  ~ImageClassifier() override;
  ImageClassifier(ImageClassifier&&) noexcept;
  ImageClassifier& operator=(ImageClassifier&&) noexcept;

  using Classifier::classify;
  using Classifier::classify_batch;
  /// As Predictor::warmup; without shapes it runs one picture, as classify does.
  void warmup(const std::vector<NamedShape>& shapes = {}) const override;
  /// One picture: from a file, from the bytes of a JPEG or PNG, or from pixels. top_k as in
  /// Classifier::classify. classify_bytes opens no file, whatever the bytes are: what is neither JPEG nor
  /// PNG, such as a path, is Error(malformed). So what a client sent goes to classify_bytes.
  std::vector<Classification> classify_file(const std::string& path, std::optional<int> top_k = {}) const;
  std::vector<Classification> classify_bytes(ByteSpan encoded, std::optional<int> top_k = {}) const;
  std::vector<Classification> classify(const Image& image, std::optional<int> top_k = {}) const;
  // Text could be a path or a file's bytes: call classify_file(path) or classify_bytes(encoded).
  std::vector<Classification> classify(ByteSpan use_classify_file_or_classify_bytes,
                                       std::optional<int> top_k = {}) const = delete;
  /// Lists of files, of the bytes of files, or of pictures, of any sizes, run as one batch; one list for
  /// each. Decoding and preprocessing use all threads. With `errors`, pictures that cannot be read or do not
  /// fit are reported there, by position and in order, and cost the others nothing; their lists are empty.
  std::vector<std::vector<Classification>> classify_files(const std::vector<std::string>& paths,
                                                          std::optional<int> top_k = {},
                                                          std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Classification>> classify_bytes_list(
      const ByteSpans& encoded, std::optional<int> top_k = {},
      std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Classification>> classify_batch(Span<const Image> images,
                                                          std::optional<int> top_k = {},
                                                          std::vector<ItemError>* errors = nullptr) const;

  /// A bare network's input for pictures, (images, C, H, W) or (images, H, W, C); what classify feeds it.
  /// Error(unsupported) for a model that resizes pictures itself.
  Tensor preprocess(Span<const Image> images) const;

 private:
  Tensor preprocess(Span<const Image> images, std::vector<ItemError>* errors) const;
  std::vector<Tensor> run(Span<const Image> images, std::vector<ItemError>* errors) const;
  std::vector<std::vector<Classification>> classify_each(std::size_t count,
                                                         const std::function<Image(std::size_t)>& read,
                                                         std::optional<int> top_k,
                                                         std::vector<ItemError>* errors) const;
  struct ImageImpl;
  std::unique_ptr<ImageImpl> image_;
};

}  // namespace mxinfer

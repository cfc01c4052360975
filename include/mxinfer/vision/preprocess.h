// Preprocess: how an image becomes a network's input, for the classes that take images, and for programs
// that feed a Predictor by themselves.
//
//   mxinfer::ImageOptions options;
//   options.preprocess.mean = {127.5f, 127.5f, 127.5f};
//   const mxinfer::ImageInput input = mxinfer::image_input(predictor.model(), options);
//   mxinfer::PreparedImages prepared = mxinfer::prepare_images(images, options.preprocess, input);
//   auto outputs = predictor.predict({prepared.tensor});        // boxes in pixels of the network's input
//   mxinfer::Box box = prepared.maps[0].to_source(found);       // in pixels of images[0]
#pragma once

#include <mxinfer/activation.h>
#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/options.h>
#include <mxinfer/tensor.h>
#include <mxinfer/vision/detections.h>
#include <mxinfer/vision/image.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How an image becomes the network's size.
enum class ResizePolicy {
  stretch,          ///< to width x height, whatever the aspect
  short_side_crop,  ///< short side to `resize_short`, then the centre of width x height
  letterbox,        ///< the largest size of the same aspect that fits, centred on `pad_value`
};

/// What happens between the image (RGB, or grey) and the network: resize, then
/// value = (pixel * scale - mean[c]) / std[c] for each channel c in the order of `color`. Before that, images
/// get the channels of the network (convert_channels).
struct Preprocess {
  ResizePolicy resize = ResizePolicy::stretch;
  /// short_side_crop: the short side before the crop; 0: the network's height * 256 / 224, rounded.
  int resize_short = 0;
  Interpolation interpolation = Interpolation::linear;
  ColorOrder color = ColorOrder::rgb;
  float scale = 1.0f;
  std::array<float, 3> mean = {0, 0, 0};  ///< in the order of `color`; one-channel networks use the first
  std::array<float, 3> std = {1, 1, 1};
  float pad_value = 0;  ///< letterbox: the pixel value outside the image, 0..255
  /// Height and width to give a network whose signature leaves them free; 0: ImageOptions must say.
  int network_size = 0;

  /// Named settings: "raw" (0..255, stretch), "imagenet" (GluonCV, model zoo: short side 256, crop, 0..1,
  /// mean (0.485, 0.456, 0.406), std (0.229, 0.224, 0.225)), "imagenet_symbol" (mean (123.68, 116.779,
  /// 103.939)), "unit" (0..1), "minus_one_to_one" ((x - 127.5) / 127.5), "insightface" ((x - 127.5) / 128).
  /// The imagenet ones set network_size to 224, insightface to 112. Throws Error(not_found), listing the
  /// names, for another.
  [[nodiscard]] static MXINFER_API Preprocess preset(const std::string& name);
  [[nodiscard]] static MXINFER_API const std::vector<std::string>& preset_names();
};

/// How an ImageClassifier treats images and scores.
struct ImageOptions {
  /// For a bare network. With a model that does it itself, leave it as it is: what would be done twice is an
  /// Error(invalid_argument).
  Preprocess preprocess{};
  bool apply_exif = true;  ///< turn images as their EXIF orientation says
  /// Height and width to give the network; if its signature fixes them (by more than a guess) they must be
  /// the same.
  std::optional<int> height{};
  std::optional<int> width{};
  Activation activation = Activation::none;  ///< as ClassifierOptions::activation
  std::optional<float> min_score{};          ///< as ClassifierOptions::min_score
  Options options{};
};

/// What a network's input of images looks like.
struct ImageInput {
  int channels = 3;
  int height = 0;
  int width = 0;
  bool channels_last = false;    ///< (N, H, W, C) rather than (N, C, H, W)
  DType dtype = DType::float32;  ///< float32, float16 or uint8
};

/// Where an image lies in the network's input: x of the image = (x of the input - offset_x) * scale_x.
struct ImageMap {
  double offset_x = 0;
  double offset_y = 0;
  double scale_x = 1;
  double scale_y = 1;
  Size source{};  ///< of the image

  /// A box in pixels of the network's input, in pixels of the image and cut at its edges.
  [[nodiscard]] MXINFER_API Box to_source(const Box& box) const noexcept;
  /// A point in pixels of the network's input, in pixels of the image, whether inside of it or not.
  [[nodiscard]] MXINFER_API Point to_source(const Point& point) const noexcept;
};

/// Images as a network takes them.
struct PreparedImages {
  Tensor tensor;               ///< (images, C, H, W) or (images, H, W, C)
  std::vector<ImageMap> maps;  ///< one for each image
};

/// What the model's one input takes, as ImageClassifier decides it: from its signature, and if that leaves
/// height and width free from the options. Errors (invalid_argument): an input that is not an image, sizes
/// that nothing says or that contradict each other, a model that preprocesses images itself.
[[nodiscard]] MXINFER_API ImageInput image_input(const Model& model, const ImageOptions& options = {});

/// Resizes and normalises images of any sizes, on the calling thread. The same bits as ImageClassifier
/// feeds its network. Errors (invalid_argument): an empty image, sides of `input` below 1, options that
/// contradict the input. Thread-safe.
[[nodiscard]] MXINFER_API PreparedImages prepare_images(Span<const Image> images, const Preprocess& options,
                                                        const ImageInput& input);

}  // namespace MXINFER_ABI
}  // namespace mxinfer

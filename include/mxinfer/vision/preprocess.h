// Preprocess: how an image becomes a network's input. The classes that take images use it, and you can use it
// to feed a Predictor yourself.
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

/// How an image is resized to the network's input.
enum class ResizePolicy {
  stretch,          ///< to width x height, without keeping the aspect
  short_side_crop,  ///< the short side to `resize_short`, then the centre of width x height
  letterbox,        ///< to the largest size of the same aspect that fits, centred on `pad_value`
};

/// How an image (RGB or grey) becomes a network's input. The image is converted to the network's channels
/// (convert_channels) and resized. Then value = (pixel * scale - mean[c]) / std[c] for each channel c, in the
/// order of `color`.
struct Preprocess {
  ResizePolicy resize = ResizePolicy::stretch;
  /// For short_side_crop: the short side before the crop. 0: the network's height * 256 / 224, rounded.
  int resize_short = 0;
  Interpolation interpolation = Interpolation::linear;
  ColorOrder color = ColorOrder::rgb;
  float scale = 1.0f;
  std::array<float, 3> mean = {0, 0, 0};  ///< in the order of `color`; one-channel networks use the first
  std::array<float, 3> std = {1, 1, 1};
  float pad_value = 0;  ///< for letterbox: the pixel value outside the image, 0 to 255
  /// The height and width of a network whose signature leaves them free. 0: ImageOptions must give them.
  int network_size = 0;

  /// Returns a named preset. Throws Error(not_found), which lists the names, if there is none:
  /// - "raw": 0 to 255, stretch
  /// - "imagenet": GluonCV's model zoo: short side 256, crop, 0 to 1, mean (0.485, 0.456, 0.406), std (0.229,
  ///   0.224, 0.225); network_size 224
  /// - "imagenet_symbol": short side 256, crop, mean (123.68, 116.779, 103.939); network_size 224
  /// - "unit": 0 to 1
  /// - "minus_one_to_one": (x - 127.5) / 127.5
  /// - "insightface": (x - 127.5) / 128; network_size 112
  [[nodiscard]] static MXINFER_API Preprocess preset(const std::string& name);
  [[nodiscard]] static MXINFER_API const std::vector<std::string>& preset_names();
};

/// How an ImageClassifier prepares images and computes scores.
struct ImageOptions {
  /// For a bare network. If the model preprocesses images itself, leave the default: repeating a step is an
  /// Error(invalid_argument).
  Preprocess preprocess{};
  bool apply_exif = true;  ///< turn images upright by their EXIF orientation
  /// The height and width of the network. If the signature fixes them (other than by inference), they must be
  /// equal.
  std::optional<int> height{};
  std::optional<int> width{};
  Activation activation = Activation::none;  ///< as ClassifierOptions::activation
  std::optional<float> min_score{};          ///< as ClassifierOptions::min_score
  Options options{};
  /// Decodes JPEGs at a half, a quarter or an eighth of their sides, if they keep at least the pixels that
  /// the image is resized to. Large photos then take a fraction of the time. Scores change a little, because
  /// pixels are averaged before the resize, which with `linear` skips most of them. Damage below the part of
  /// a JPEG that the network reads is not found. Without effect on PNGs, and on models that cut or enlarge
  /// images before anything else.
  bool scaled_decoding = false;
  /// How many images of a list run as one batch. The batches run side by side on the threads, so that one is
  /// decoded while the network runs on another, and only those at work are in memory. 0: the whole list is
  /// one batch.
  int batch_size = 0;
};

/// The image input of a network.
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
  Size source{};  ///< the size of the image

  /// Converts a box from pixels of the network's input to pixels of the image, cut at its edges.
  [[nodiscard]] MXINFER_API Box to_source(const Box& box) const noexcept;
  /// Converts a point from pixels of the network's input to pixels of the image. It may be outside the image.
  [[nodiscard]] MXINFER_API Point to_source(const Point& point) const noexcept;
};

/// Images in the form that a network takes.
struct PreparedImages {
  Tensor tensor;               ///< (images, C, H, W) or (images, H, W, C)
  std::vector<ImageMap> maps;  ///< one for each image
};

/// Returns what the model's one input takes, as ImageClassifier determines it: from the signature, and if
/// that leaves height and width free, from the options. Throws Error(invalid_argument) if the input is not an
/// image, the size is unknown or contradictory, or the model preprocesses images itself.
[[nodiscard]] MXINFER_API ImageInput image_input(const Model& model, const ImageOptions& options = {});

/// Resizes and normalises images of any sizes, on the calling thread. The result has the same bits as the
/// input that ImageClassifier passes to its network. Throws Error(invalid_argument) if an image is empty, a
/// side of `input` is below 1, or the options contradict the input. Thread-safe.
[[nodiscard]] MXINFER_API PreparedImages prepare_images(Span<const Image> images, const Preprocess& options,
                                                        const ImageInput& input);

}  // namespace MXINFER_ABI
}  // namespace mxinfer

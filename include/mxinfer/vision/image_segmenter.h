// ImageSegmenter: a Predictor that finds the class of every pixel of an image.
//
//   mxinfer::SegmenterOptions options;                          // an end-to-end model needs none
//   options.preprocess = mxinfer::Preprocess::preset("imagenet");
//   options.preprocess.resize = mxinfer::ResizePolicy::stretch;
//   mxinfer::ImageSegmenter segmenter("deeplab_resnet50_voc", options);
//   for (const auto& area : segmenter.segment_file("street.jpg").areas)      // the largest first
//     std::cout << area.label << ' ' << area.part << '\n';
#pragma once

#include <mxinfer/activation.h>
#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/label_image.h>
#include <mxinfer/vision/preprocess.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How a segmenter prepares images and reads outputs.
struct SegmenterOptions {
  Preprocess preprocess{};  ///< this field and the next three are those of ImageOptions
  bool apply_exif = true;
  std::optional<int> height{};
  std::optional<int> width{};
  /// Turns the values of a pixel into scores, for SegmentOptions::min_score and networks of one class.
  Activation activation = Activation::none;
  Options options{};
};

/// How each pixel gets its class.
struct SegmentOptions {
  /// Pixels whose best class has a lower score become kUnknownLabel.
  std::optional<float> min_score{};
  /// true: interpolates the scores (bilinear) at each pixel of the image and then takes the best class, which
  /// gives smooth borders. false: takes the class of the nearest element of the network's map, as if the map
  /// were resized with Interpolation::nearest.
  bool smooth = true;
};

/// How much of an image shows one class.
struct SegmentArea {
  std::string label;  ///< the class name, or the index as text if the model has no labels
  int index = 0;      ///< the position of the class in the labels
  std::int64_t pixels = 0;
  double part = 0;  ///< the fraction of all pixels of the image, 0 to 1
};

/// The class of every pixel of an image.
struct Segmentation {
  Image labels;                    ///< a label image of the size of your image
  std::vector<SegmentArea> areas;  ///< the largest first
};

/// Takes networks of one of two kinds:
/// - The first output with four dimensions is scores, float32 (batch, classes, height, width), of 1 to 255
///   classes. Examples are GluonCV's FCN, PSPNet and DeepLab, whose further outputs are for training. If
///   there is one class, a pixel has label 1 if its score is above 0.5, otherwise 0.
/// - An output is positions in the labels, (batch, height, width) of any numeric dtype, with a width other
///   than 1, 4 or 6.
///
/// The map may be smaller than the network's input. It is mapped back through the preprocessing, for every
/// ResizePolicy. Pixels that a crop cut off become kUnknownLabel. If an end-to-end model resizes images
/// itself, the map covers the whole image.
class MXINFER_API ImageSegmenter : public Predictor {
 public:
  /// The input must be an image as for ImageClassifier, and an output must be a map. Throws as
  /// ImageClassifier, and Error(invalid_argument) if no output can be a map.
  explicit ImageSegmenter(const Model& model, const SegmenterOptions& options = {});
  explicit ImageSegmenter(const std::string& uri, const SegmenterOptions& options = {},
                          const LoadOptions& load = {});
  ImageSegmenter(const ImageSegmenter&) noexcept;
  ImageSegmenter& operator=(const ImageSegmenter&) noexcept;
  ~ImageSegmenter() override;

  /// Segments one image: a file at a path or address, the bytes of a JPEG or PNG, or pixels, as
  /// ObjectDetector::detect_file takes them. Throws Error(invalid_argument) if the outputs are not maps or
  /// min_score is NaN. Thread-safe.
  Segmentation segment_file(const std::string& path, const SegmentOptions& options = {}) const;
  Segmentation segment_bytes(ByteSpan encoded, const SegmentOptions& options = {}) const;
  Segmentation segment(const Image& image, const SegmentOptions& options = {}) const;
  // Deleted because text may be a path or the bytes of a file: call segment_file or segment_bytes.
  Segmentation segment(ByteSpan use_segment_file_or_segment_bytes,
                       const SegmentOptions& options = {}) const = delete;
  /// Segments a list of files, of bytes of files, or of images. The images may have any sizes and run as one
  /// batch. With `errors`, images that fail are appended there, and their label images are empty.
  std::vector<Segmentation> segment_files(const std::vector<std::string>& paths,
                                          const SegmentOptions& options = {},
                                          std::vector<ItemError>* errors = nullptr) const;
  std::vector<Segmentation> segment_bytes_list(const ByteSpans& encoded, const SegmentOptions& options = {},
                                               std::vector<ItemError>* errors = nullptr) const;
  std::vector<Segmentation> segment_batch(Span<const Image> images, const SegmentOptions& options = {},
                                          std::vector<ItemError>* errors = nullptr) const;

  /// As segment and segment_file, through queue(). An Image shares its pixels with yours.
  [[nodiscard]] Prediction<Segmentation> segment_async(Image image, const SegmentOptions& options = {},
                                                       const SubmitOptions& submit = {}) const;
  [[nodiscard]] Prediction<Segmentation> segment_file_async(std::string path,
                                                            const SegmentOptions& options = {},
                                                            const SubmitOptions& submit = {}) const;

 private:
  std::vector<Segmentation> segment_each(const std::vector<Image>& images, const SegmentOptions& options,
                                         std::vector<ItemError>* errors) const;
  struct SegmenterImpl;
  std::shared_ptr<const SegmenterImpl> segmenter_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

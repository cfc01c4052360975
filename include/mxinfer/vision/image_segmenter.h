// ImageSegmenter: a Predictor that says of every pixel of an image what it shows.
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

struct SegmenterOptions {
  Preprocess preprocess{};  ///< this and the next three as in ImageOptions
  bool apply_exif = true;
  std::optional<int> height{};
  std::optional<int> width{};
  /// What makes a pixel's numbers scores, for SegmentOptions::min_score and networks of one class.
  Activation activation = Activation::none;
  Options options{};
};

struct SegmentOptions {
  /// Pixels whose best class scores less are kUnknownLabel.
  std::optional<float> min_score{};
  /// true: scores are interpolated (bilinear) at each pixel of the image before the best is taken, which
  /// gives smooth borders; false: each pixel takes the class of the nearest element of the network's map, as
  /// after resizing the map with Interpolation::nearest.
  bool smooth = true;
};

/// How much of an image shows one class.
struct SegmentArea {
  std::string label;  ///< the class name; the index as text if the model has no labels
  int index = 0;
  std::int64_t pixels = 0;
  double part = 0;  ///< of all pixels of the image, 0..1
};

struct Segmentation {
  Image labels;                    ///< of the size of the image that was given: a label image
  std::vector<SegmentArea> areas;  ///< the largest first
};

/// Takes networks whose first output of four dimensions is scores, float32 (batch, classes, height, width),
/// of 1 to 255 classes, such as GluonCV's FCN, PSPNet and DeepLab (whose further outputs are for training),
/// and those that give positions in the labels, (batch, height, width) of any number type, but not 1, 4 or 6
/// wide. The map may be smaller than the network's input. A network of one class gives label 1 where its
/// score is above 0.5, else 0.
///
/// The map is led back through the preprocessing, whatever its ResizePolicy; pixels that a crop cut off are
/// kUnknownLabel. Of an end-to-end model that resizes images itself, the map is taken to cover the whole
/// image.
class MXINFER_API ImageSegmenter : public Predictor {
 public:
  /// The input must be an image as for ImageClassifier, and the outputs maps. Errors as there, and
  /// (invalid_argument) if no output can be a map.
  explicit ImageSegmenter(const Model& model, const SegmenterOptions& options = {});
  explicit ImageSegmenter(const std::string& uri, const SegmenterOptions& options = {},
                          const LoadOptions& load = {});
  ImageSegmenter(const ImageSegmenter&) noexcept;
  ImageSegmenter& operator=(const ImageSegmenter&) noexcept;
  ~ImageSegmenter() override;

  /// One image: from a file, by path or address, from the bytes of a JPEG or PNG, or from pixels; see
  /// ObjectDetector::detect_file. Errors (invalid_argument): outputs that are no maps, a min_score that is
  /// not a number. Thread-safe.
  Segmentation segment_file(const std::string& path, const SegmentOptions& options = {}) const;
  Segmentation segment_bytes(ByteSpan encoded, const SegmentOptions& options = {}) const;
  Segmentation segment(const Image& image, const SegmentOptions& options = {}) const;
  // Text could be a path or a file's bytes: call segment_file(path) or segment_bytes(encoded).
  Segmentation segment(ByteSpan use_segment_file_or_segment_bytes,
                       const SegmentOptions& options = {}) const = delete;
  /// Lists of files or of images, of any sizes, run as one batch. With `errors`, images that cannot be read
  /// or do not fit are reported there, and their label images are empty.
  std::vector<Segmentation> segment_files(const std::vector<std::string>& paths,
                                          const SegmentOptions& options = {},
                                          std::vector<ItemError>* errors = nullptr) const;
  std::vector<Segmentation> segment_bytes_list(const ByteSpans& encoded, const SegmentOptions& options = {},
                                               std::vector<ItemError>* errors = nullptr) const;
  std::vector<Segmentation> segment_batch(Span<const Image> images, const SegmentOptions& options = {},
                                          std::vector<ItemError>* errors = nullptr) const;

  /// As segment and segment_file, through queue(). An Image shares its pixels with the caller's.
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

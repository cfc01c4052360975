// ObjectDetector: a Predictor that finds objects in images. It returns the class, score and box of each, in
// pixels of your image.
//
//   mxinfer::DetectorOptions options;                          // an end-to-end model needs none
//   options.preprocess = mxinfer::Preprocess::preset("imagenet");
//   options.preprocess.resize = mxinfer::ResizePolicy::stretch;
//   mxinfer::ObjectDetector detector("ssd_512_resnet50_v1_voc", options);
//   for (const auto& found : detector.detect_file("street.jpg"))   // the best first
//     std::cout << found.label << ' ' << found.box.left << '\n';
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/detect_options.h>
#include <mxinfer/vision/detect_report.h>
#include <mxinfer/vision/detections.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/preprocess.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The units of the boxes that a network returns.
enum class BoxUnits {
  automatic,  ///< relative for a network that ends in MultiBoxDetection, otherwise pixels
  relative,   ///< fractions of the sides of the network's input, 0 to 1
  pixels,     ///< pixels of the network's input
};

/// Returns the objects of one image of the batch, in any order. `outputs` are all outputs of the network,
/// `image` is the position in the batch. Boxes and landmarks are in DetectorOptions::units. You may return
/// objects with low scores: the detector leaves them out. An object with a class below 0 is ignored. An empty
/// label becomes that of the model. The decoder is called from every thread that detects, several at a time.
using DetectionDecoder =
    std::function<std::vector<Detection>(Span<const Tensor> outputs, std::int64_t image)>;

/// How a detector prepares images and reads outputs.
struct DetectorOptions {
  Preprocess preprocess{};  ///< this field and the next three are those of ImageOptions
  bool apply_exif = true;
  std::optional<int> height{};
  std::optional<int> width{};
  BoxUnits units = BoxUnits::automatic;
  Options options{};
  /// Decodes outputs that are not detections of a known form. If it throws, the error says so; a function
  /// that takes a list with `errors` reports it for that image only.
  DetectionDecoder decoder{};
};

/// Takes networks of one of three kinds:
/// - The outputs are ids, scores and boxes, by the meanings in the signature or in the form of GluonCV's SSD,
///   YOLO, CenterNet and Faster R-CNN: the first three are float32 (batch, rows, 1), (batch, rows, 1) and
///   (batch, rows, 4).
/// - One output (batch, rows, 6) is id, score, left, top, right, bottom, as returned by MXNet's SSD, whose
///   training graph works too.
/// - The outputs have any other form, and DetectorOptions::decoder reads them.
///
/// Rows whose id is below 0 are empty. An output of meaning landmarks, float32 (batch, rows, 2 k), gives each
/// row k points.
///
/// Boxes are mapped back through the preprocessing, for every ResizePolicy, and cut at the edges of the
/// image. Boxes that are outside the image, have no area or are not numbers are left out. Landmarks are
/// mapped back and not cut.
class MXINFER_API ObjectDetector : public Predictor {
 public:
  /// The input must be an image as for ImageClassifier. Throws as ImageClassifier. Throws
  /// Error(invalid_argument) if the model has no boxes, such as a classifier, and there is no decoder. Throws
  /// Error(unsupported) if the model resizes images itself and its boxes are in pixels, because the size of
  /// that image is unknown.
  explicit ObjectDetector(const Model& model, const DetectorOptions& options = {});
  explicit ObjectDetector(const std::string& uri, const DetectorOptions& options = {},
                          const LoadOptions& load = {});
  ObjectDetector(const ObjectDetector&) noexcept;
  ObjectDetector& operator=(const ObjectDetector&) noexcept;
  ~ObjectDetector() override;

  /// Returns the objects in one image, in descending order of score. The image is a file at a path or
  /// address, the bytes of a JPEG or PNG, or pixels.
  ///
  /// Use detect_bytes for what clients send: it never opens a file. If the bytes are neither JPEG nor PNG,
  /// such as a path, it throws Error(malformed). An address is fetched by the model's LoadOptions::remote,
  /// without a copy on disk; throws Error(network) if this fails.
  ///
  /// Throws Error(invalid_argument) if:
  /// - the outputs are not detections, or the decoder throws
  /// - max_detections is below 1, or an NmsOptions is out of its range
  /// - a class is not one of the model's
  std::vector<Detection> detect_file(const std::string& path, const DetectOptions& options = {}) const;
  std::vector<Detection> detect_bytes(ByteSpan encoded, const DetectOptions& options = {}) const;
  std::vector<Detection> detect(const Image& image, const DetectOptions& options = {}) const;
  // Deleted because text may be a path or the bytes of a file: call detect_file or detect_bytes.
  std::vector<Detection> detect(ByteSpan use_detect_file_or_detect_bytes,
                                const DetectOptions& options = {}) const = delete;
  /// Finds the objects in a list of files, of bytes of files, or of images. The images may have any sizes and
  /// run as one batch. Returns one list for each. With `errors`, images that fail are appended there, and
  /// their lists are empty. Up to RemoteOptions::connections addresses are fetched at a time, ahead of
  /// decoding.
  std::vector<std::vector<Detection>> detect_files(const std::vector<std::string>& paths,
                                                   const DetectOptions& options = {},
                                                   std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Detection>> detect_bytes_list(const ByteSpans& encoded,
                                                        const DetectOptions& options = {},
                                                        std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Detection>> detect_batch(Span<const Image> images,
                                                   const DetectOptions& options = {},
                                                   std::vector<ItemError>* errors = nullptr) const;

  /// Returns what detect(), detect_file() and detect_bytes() find, and why each other candidate was left out.
  /// Throws as those functions.
  DetectReport report(const Image& image, const DetectOptions& options = {}) const;
  DetectReport report_file(const std::string& path, const DetectOptions& options = {}) const;
  DetectReport report_bytes(ByteSpan encoded, const DetectOptions& options = {}) const;

  /// As detect, detect_file and detect_bytes, through queue(). An Image shares its pixels with yours. Bytes
  /// passed as a view or an lvalue are borrowed until the prediction has ended; an rvalue string or vector is
  /// moved.
  [[nodiscard]] Prediction<std::vector<Detection>> detect_async(Image image,
                                                                const DetectOptions& options = {},
                                                                const SubmitOptions& submit = {}) const;
  [[nodiscard]] Prediction<std::vector<Detection>> detect_file_async(std::string path,
                                                                     const DetectOptions& options = {},
                                                                     const SubmitOptions& submit = {}) const;
  [[nodiscard]] Prediction<std::vector<Detection>> detect_bytes_async(ByteSpan encoded,
                                                                      const DetectOptions& options = {},
                                                                      const SubmitOptions& submit = {}) const;
  template <typename Bytes, typename = std::enable_if_t<owns_bytes_v<Bytes>>>
  [[nodiscard]] Prediction<std::vector<Detection>> detect_bytes_async(
      Bytes&& encoded, const DetectOptions& options = {}, const SubmitOptions& submit = {}) const {
    const auto owner = hold(std::forward<Bytes>(encoded));
    return detect_held_async(owner, ByteSpan(*owner), options, submit);
  }

 private:
  struct ImageJob;
  struct FileJob;
  struct BytesJob;
  Prediction<std::vector<Detection>> detect_held_async(std::shared_ptr<const void> owner, ByteSpan encoded,
                                                       const DetectOptions& options,
                                                       const SubmitOptions& submit) const;
  std::vector<std::vector<Detection>> detect_each(const std::vector<Image>& images,
                                                  const DetectOptions& options,
                                                  std::vector<ItemError>* errors) const;
  /// Reads the network's outputs for one image of that size.
  std::vector<Detection> rows_of(const std::vector<Tensor>& outputs, Size size,
                                 const DetectOptions& options) const;
  struct DetectorImpl;
  std::shared_ptr<const DetectorImpl> detector_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

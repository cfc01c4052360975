// ObjectDetector: a Predictor that finds objects in images: what they are, how sure the network is, and
// where, in pixels of the image that was given.
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

/// What the coordinates of a network's boxes are in.
enum class BoxUnits {
  automatic,  ///< relative for a network that ends in MultiBoxDetection, pixels for any other
  relative,   ///< parts of the sides of the network's input, 0..1
  pixels,     ///< pixels of the network's input
};

/// What a network's outputs found in one image of the batch, in any order: boxes and landmarks in the units
/// of DetectorOptions::units. `outputs` are all outputs of the network, `image` the position in the batch.
/// Rows that score less than wanted may be given: the detector leaves them out. A class below 0 stands for
/// nothing; an empty label for that of the model. Called from every thread that detects, several at a time.
using DetectionDecoder =
    std::function<std::vector<Detection>(Span<const Tensor> outputs, std::int64_t image)>;

struct DetectorOptions {
  Preprocess preprocess{};  ///< this and the next three as in ImageOptions
  bool apply_exif = true;
  std::optional<int> height{};
  std::optional<int> width{};
  BoxUnits units = BoxUnits::automatic;
  Options options{};
  /// For outputs that are no detections of a known form: decodes them. What it throws is an Error that says
  /// so, of that image alone where a list reports errors of its items.
  DetectionDecoder decoder{};
};

/// Takes networks whose outputs are ids, scores and boxes (by the signature's meanings, or as GluonCV's SSD,
/// YOLO, CenterNet and Faster R-CNN give them: the first three of float32 (batch, rows, 1), (batch, rows, 1)
/// and (batch, rows, 4)), and those with one output (batch, rows, 6) of id, score, left, top, right, bottom,
/// such as MXNet's SSD, also saved as it was trained. Rows whose id is below 0 stand for nothing.
///
/// An output that means landmarks, float32 (batch, rows, 2 k), gives each row k points. Networks of any other
/// form need DetectorOptions::decoder.
///
/// Boxes are led back through the preprocessing, whatever its ResizePolicy, and cut at the image's edges;
/// what lies outside of the image, has no area, or is not a number is left out. Landmarks are led back and
/// not cut.
class MXINFER_API ObjectDetector : public Predictor {
 public:
  /// The input must be an image as for ImageClassifier. Errors as there, (invalid_argument) for a model that
  /// has no boxes, such as a classifier, unless there is a decoder, and (unsupported) if a model resizes its
  /// images itself and its boxes are in pixels, whose size nothing says.
  explicit ObjectDetector(const Model& model, const DetectorOptions& options = {});
  explicit ObjectDetector(const std::string& uri, const DetectorOptions& options = {},
                          const LoadOptions& load = {});
  ObjectDetector(const ObjectDetector&) noexcept;
  ObjectDetector& operator=(const ObjectDetector&) noexcept;
  ~ObjectDetector() override;

  /// The objects in one image, by falling score: from a file, by path or address, from the bytes of a JPEG or
  /// PNG, or from pixels. detect_bytes opens no file, whatever the bytes are: what is neither JPEG nor PNG,
  /// such as a path, is Error(malformed). So what a client sent goes to detect_bytes. Errors
  /// (invalid_argument): outputs that are not detections, max_detections below 1, classes that the model has
  /// not, what NmsOptions does not take, what the decoder threw. An address is fetched as
  /// LoadOptions::remote of the model says, without a copy on disk; Error(network) if it cannot be.
  std::vector<Detection> detect_file(const std::string& path, const DetectOptions& options = {}) const;
  std::vector<Detection> detect_bytes(ByteSpan encoded, const DetectOptions& options = {}) const;
  std::vector<Detection> detect(const Image& image, const DetectOptions& options = {}) const;
  // Text could be a path or a file's bytes: call detect_file(path) or detect_bytes(encoded).
  std::vector<Detection> detect(ByteSpan use_detect_file_or_detect_bytes,
                                const DetectOptions& options = {}) const = delete;
  /// Lists of files, of the bytes of files, or of images, of any sizes, run as one batch; one list for
  /// each. With `errors`, images that cannot be read or do not fit are reported there, and their lists are
  /// empty. Of addresses RemoteOptions::connections are fetched at a time, ahead of what is decoded.
  std::vector<std::vector<Detection>> detect_files(const std::vector<std::string>& paths,
                                                   const DetectOptions& options = {},
                                                   std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Detection>> detect_bytes_list(const ByteSpans& encoded,
                                                        const DetectOptions& options = {},
                                                        std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Detection>> detect_batch(Span<const Image> images,
                                                   const DetectOptions& options = {},
                                                   std::vector<ItemError>* errors = nullptr) const;

  /// What detect(), detect_file() and detect_bytes() find, and what became of everything else that the
  /// network gave: for the question why an object is missing. Errors as there.
  DetectReport report(const Image& image, const DetectOptions& options = {}) const;
  DetectReport report_file(const std::string& path, const DetectOptions& options = {}) const;
  DetectReport report_bytes(ByteSpan encoded, const DetectOptions& options = {}) const;

  /// As detect, detect_file and detect_bytes, through queue(). An Image shares its pixels with the caller's;
  /// bytes given as a view or an lvalue are borrowed until the prediction has ended, an rvalue string or
  /// vector moves in.
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
  /// Of the network's outputs for one image of that size.
  std::vector<Detection> rows_of(const std::vector<Tensor>& outputs, Size size,
                                 const DetectOptions& options) const;
  struct DetectorImpl;
  std::shared_ptr<const DetectorImpl> detector_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

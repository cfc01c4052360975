// ImageClassifier: a Classifier for images. An end-to-end model preprocesses images itself; for a bare
// network you pass the preprocessing as options.
//
//   mxinfer::ImageClassifier whole("end_to_end");          // resizes and normalises by its own transforms
//   mxinfer::ImageOptions options;                          // a bare network: say how
//   options.preprocess = mxinfer::Preprocess::preset("imagenet");
//   mxinfer::ImageClassifier classifier("resnet18_v1", options);
//   for (const auto& [label, score, index] : classifier.classify_file("kitten.jpg", 5)) std::cout << label;
//   classifier.classify_bytes(request.body(), 5);          // a JPEG or PNG in memory: no file is opened
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/classifier.h>
#include <mxinfer/export.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/preprocess.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Ranks the classes of images. Thread-safe.
class MXINFER_API ImageClassifier : public Classifier {
 public:
  /// The model must be one of these:
  /// - a network with one input of float32 or uint8, (N, C, H, W) or (N, H, W, C) by its layout, with 1 or 3
  ///   channels
  /// - an end-to-end model that takes encoded images
  ///
  /// Throws Error(invalid_argument) if it is not. Throws Error(invalid_argument) if a bare network leaves
  /// height and width free and the options do not give them, or if the options would repeat the model's own
  /// preprocessing.
  explicit ImageClassifier(const Model& model, const ImageOptions& options = {});
  explicit ImageClassifier(const std::string& uri, const ImageOptions& options = {},
                           const LoadOptions& load = {});
  ImageClassifier(const ImageClassifier&) noexcept;
  ImageClassifier& operator=(const ImageClassifier&) noexcept;
  ~ImageClassifier() override;

  using Classifier::classify;
  using Classifier::classify_batch;
  /// Classifies one image: a file at a path or address, the bytes of a JPEG or PNG, or pixels. Pixels are
  /// converted to the network's channels as those of a PNG are (docs/how-to/images.md). `top_k` is that of
  /// Classifier::classify.
  ///
  /// Use classify_bytes for what clients send: it never opens a file. If the bytes are neither JPEG nor PNG,
  /// such as a path, it throws Error(malformed). An address is fetched by the model's LoadOptions::remote,
  /// without a copy on disk; throws Error(network) if this fails.
  std::vector<Classification> classify_file(const std::string& path, std::optional<int> top_k = {}) const;
  std::vector<Classification> classify_bytes(ByteSpan encoded, std::optional<int> top_k = {}) const;
  std::vector<Classification> classify(const Image& image, std::optional<int> top_k = {}) const;
  // Deleted because text may be a path or the bytes of a file: call classify_file or classify_bytes.
  std::vector<Classification> classify(ByteSpan use_classify_file_or_classify_bytes,
                                       std::optional<int> top_k = {}) const = delete;
  /// Classifies a list of files, of bytes of files, or of images. The images may have any sizes and run as
  /// one batch, or in batches of ImageOptions::batch_size, which is faster for long lists of files. Returns
  /// one list for each. Decoding and preprocessing use all threads. With `errors`, images
  /// that fail are appended there in order, the others are not affected, and the lists of failed ones are
  /// empty. Up to RemoteOptions::connections addresses are fetched at a time, ahead of decoding.
  std::vector<std::vector<Classification>> classify_files(const std::vector<std::string>& paths,
                                                          std::optional<int> top_k = {},
                                                          std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Classification>> classify_bytes_list(
      const ByteSpans& encoded, std::optional<int> top_k = {},
      std::vector<ItemError>* errors = nullptr) const;
  std::vector<std::vector<Classification>> classify_batch(Span<const Image> images,
                                                          std::optional<int> top_k = {},
                                                          std::vector<ItemError>* errors = nullptr) const;

  using Classifier::classify_async;
  /// As classify, classify_file and classify_bytes, through queue(). An Image shares its pixels with yours.
  /// Bytes passed as a view or an lvalue are borrowed until the prediction has ended; an rvalue string or
  /// vector is moved.
  [[nodiscard]] Prediction<std::vector<Classification>> classify_async(
      Image image, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;
  [[nodiscard]] Prediction<std::vector<Classification>> classify_file_async(
      std::string path, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;
  [[nodiscard]] Prediction<std::vector<Classification>> classify_bytes_async(
      ByteSpan encoded, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const;
  template <typename Bytes, typename = std::enable_if_t<owns_bytes_v<Bytes>>>
  [[nodiscard]] Prediction<std::vector<Classification>> classify_bytes_async(
      Bytes&& encoded, std::optional<int> top_k = {}, const SubmitOptions& options = {}) const {
    const auto owner = hold(std::forward<Bytes>(encoded));
    return classify_held_async(owner, ByteSpan(*owner), top_k, options);
  }

  /// Returns the input that classify passes to a bare network, (images, C, H, W) or (images, H, W, C). Throws
  /// Error(unsupported) if the model resizes images itself.
  Tensor preprocess(Span<const Image> images) const;

 private:
  struct ImageJob;
  struct FileJob;
  struct BytesJob;
  struct ListCall;
  Prediction<std::vector<Classification>> classify_held_async(std::shared_ptr<const void> owner,
                                                              ByteSpan encoded, std::optional<int> top_k,
                                                              const SubmitOptions& options) const;
  Tensor preprocess(Span<const Image> images, std::vector<ItemError>* errors) const;
  struct ImageImpl;
  std::shared_ptr<const ImageImpl> image_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

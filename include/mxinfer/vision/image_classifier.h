// ImageClassifier: a Classifier for images. An end-to-end model preprocesses them itself; for a bare
// network the preprocessing is data.
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

class MXINFER_API ImageClassifier : public Classifier {
 public:
  /// The model must have one input, (N, C, H, W) or (N, H, W, C) by its layout, with C 1 or 3, of float32 or
  /// uint8, or be an end-to-end model that takes encoded images. Errors (invalid_argument) otherwise, also if
  /// a bare network leaves height and width free and the options do not give them, and if the options
  /// would preprocess images that the model preprocesses itself.
  explicit ImageClassifier(const Model& model, const ImageOptions& options = {});
  explicit ImageClassifier(const std::string& uri, const ImageOptions& options = {},
                           const LoadOptions& load = {});
  ImageClassifier(const ImageClassifier&) noexcept;
  ImageClassifier& operator=(const ImageClassifier&) noexcept;
  ~ImageClassifier() override;

  using Classifier::classify;
  using Classifier::classify_batch;
  /// One image: from a file, by path or address, from the bytes of a JPEG or PNG, or from pixels, which are
  /// converted to the network's channels as those of a PNG are (docs/how-to/images.md). top_k as in
  /// Classifier::classify. classify_bytes opens no file, whatever the bytes are: what is neither JPEG nor
  /// PNG, such as a path, is Error(malformed). So what a client sent goes to classify_bytes. An address is
  /// fetched as LoadOptions::remote of the model says, without a copy on disk; Error(network) if it cannot
  /// be.
  std::vector<Classification> classify_file(const std::string& path, std::optional<int> top_k = {}) const;
  std::vector<Classification> classify_bytes(ByteSpan encoded, std::optional<int> top_k = {}) const;
  std::vector<Classification> classify(const Image& image, std::optional<int> top_k = {}) const;
  // Text could be a path or a file's bytes: call classify_file(path) or classify_bytes(encoded).
  std::vector<Classification> classify(ByteSpan use_classify_file_or_classify_bytes,
                                       std::optional<int> top_k = {}) const = delete;
  /// Lists of files, of the bytes of files, or of images, of any sizes, run as one batch; one list for
  /// each. Decoding and preprocessing use all threads. With `errors`, images that cannot be read or do not
  /// fit are reported there, by position and in order, and cost the others nothing; their lists are empty.
  /// Of addresses RemoteOptions::connections are fetched at a time, ahead of what is decoded.
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
  /// As classify, classify_file and classify_bytes, through queue(). An Image shares its pixels with the
  /// caller's; bytes given as a view or an lvalue are borrowed until the prediction has ended, an rvalue
  /// string or vector moves in.
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

  /// A bare network's input for images, (images, C, H, W) or (images, H, W, C); what classify feeds it.
  /// Error(unsupported) for a model that resizes images itself.
  Tensor preprocess(Span<const Image> images) const;

 private:
  struct ImageJob;
  struct FileJob;
  struct BytesJob;
  Prediction<std::vector<Classification>> classify_held_async(std::shared_ptr<const void> owner,
                                                              ByteSpan encoded, std::optional<int> top_k,
                                                              const SubmitOptions& options) const;
  Tensor preprocess(Span<const Image> images, std::vector<ItemError>* errors) const;
  std::vector<Tensor> run(Span<const Image> images, std::vector<ItemError>* errors) const;
  std::vector<std::vector<Classification>> classify_each(const std::vector<Image>& images,
                                                         std::optional<int> top_k,
                                                         std::vector<ItemError>* errors) const;
  struct ImageImpl;
  std::shared_ptr<const ImageImpl> image_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

// FaceEmbedder: a Predictor that computes the embedding of a face, as ArcFace and MobileFaceNet do. Two
// images of one person give vectors of nearly the same direction.
//
//   mxinfer::EmbedderOptions options;
//   options.preprocess = mxinfer::Preprocess::preset("insightface");   // if the network does not normalise
//   mxinfer::FaceEmbedder embedder("mobilefacenet", options);
//   std::vector<float> a = embedder.embed(photo, landmarks);           // aligned, embedded, of length 1
//   std::vector<float> b = embedder.embed_file("aligned.png");         // a face that is aligned already
//   bool same = mxinfer::cosine_similarity(a, b) > 0.4f;
//
// It works with any network that computes one vector from an image.
#pragma once

#include <mxinfer/byte_span.h>
#include <mxinfer/export.h>
#include <mxinfer/item_error.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/face.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/preprocess.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How an embedder prepares images and returns vectors.
struct EmbedderOptions {
  Preprocess preprocess{};  ///< this field and the next three are those of ImageOptions
  bool apply_exif = true;
  std::optional<int> height{};
  std::optional<int> width{};
  /// true: vectors are divided by their length (l2_normalize); false: they are those of the network.
  bool normalize = true;
  Options options{};
};

/// Computes the vectors of faces. Thread-safe.
class MXINFER_API FaceEmbedder : public Predictor {
 public:
  /// The model must have one input of images, as for ImageClassifier, and one float32 output, (batch, n) or
  /// (batch, n, 1, 1). Throws Error(invalid_argument) otherwise.
  explicit FaceEmbedder(const Model& model, const EmbedderOptions& options = {});
  explicit FaceEmbedder(const std::string& uri, const EmbedderOptions& options = {},
                        const LoadOptions& load = {});
  FaceEmbedder(const FaceEmbedder&) noexcept;
  FaceEmbedder& operator=(const FaceEmbedder&) noexcept;
  ~FaceEmbedder() override;

  /// Returns the vector of an image that shows one aligned face and nothing else. The image is pixels, the
  /// bytes of a JPEG or PNG, or a file at a path or address, as for ImageClassifier::classify, classify_bytes
  /// and classify_file. Throws as those functions.
  [[nodiscard]] std::vector<float> embed(const Image& face) const;
  [[nodiscard]] std::vector<float> embed_bytes(ByteSpan encoded) const;
  [[nodiscard]] std::vector<float> embed_file(const std::string& path) const;
  /// Returns the vector of a face in a photograph: align_face() to the size of the network's input, then
  /// embed(). Throws as align_face. Throws Error(invalid_argument) if the network's input is not square, or
  /// if the preprocessing is ResizePolicy::short_side_crop, which would cut the aligned face.
  [[nodiscard]] std::vector<float> embed(const Image& photo, const FaceLandmarks& landmarks) const;

  /// Returns a vector for each aligned face. The images may have any sizes and run as one batch. With
  /// `errors`, images that fail are appended there in order, and their vectors are empty. A few networks mix
  /// the images of a batch, for example by a mean over it: pass them one image at a time.
  [[nodiscard]] std::vector<std::vector<float>> embed_batch(Span<const Image> faces,
                                                            std::vector<ItemError>* errors = nullptr) const;
  [[nodiscard]] std::vector<std::vector<float>> embed_files(const std::vector<std::string>& paths,
                                                            std::vector<ItemError>* errors = nullptr) const;
  [[nodiscard]] std::vector<std::vector<float>> embed_bytes_list(
      const ByteSpans& encoded, std::vector<ItemError>* errors = nullptr) const;
  /// Returns a vector for each face of a photograph. The faces run as one batch. Throws as embed(photo,
  /// landmarks).
  [[nodiscard]] std::vector<std::vector<float>> embed_batch(const Image& photo,
                                                            Span<const FaceLandmarks> faces) const;

 private:
  std::vector<std::vector<float>> embed_each(const std::vector<Image>& faces,
                                             std::vector<ItemError>* errors) const;
  /// Returns the side to which faces are aligned.
  int aligned_size() const;
  struct EmbedderImpl;
  std::shared_ptr<const EmbedderImpl> embedder_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

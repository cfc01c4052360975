// FaceEmbedder: a Predictor that makes a vector of a face, such as ArcFace and MobileFaceNet do: two images
// of one person give vectors of nearly the same direction.
//
//   mxinfer::EmbedderOptions options;
//   options.preprocess = mxinfer::Preprocess::preset("insightface");   // if the network does not normalise
//   mxinfer::FaceEmbedder embedder("mobilefacenet", options);
//   std::vector<float> a = embedder.embed(photo, landmarks);           // aligned, embedded, of length 1
//   std::vector<float> b = embedder.embed_file("aligned.png");         // a face that is aligned already
//   bool same = mxinfer::cosine_similarity(a, b) > 0.4f;
//
// It serves any network that makes one vector of an image.
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

struct EmbedderOptions {
  Preprocess preprocess{};  ///< this and the next three as in ImageOptions
  bool apply_exif = true;
  std::optional<int> height{};
  std::optional<int> width{};
  /// Whether vectors are divided by their length (l2_normalize); false: as the network gives them.
  bool normalize = true;
  Options options{};
};

class MXINFER_API FaceEmbedder : public Predictor {
 public:
  /// The model must have one input of images, as for ImageClassifier, and one output of float32, (batch, n)
  /// or (batch, n, 1, 1). Errors (invalid_argument) otherwise.
  explicit FaceEmbedder(const Model& model, const EmbedderOptions& options = {});
  explicit FaceEmbedder(const std::string& uri, const EmbedderOptions& options = {},
                        const LoadOptions& load = {});
  FaceEmbedder(const FaceEmbedder&) noexcept;
  FaceEmbedder& operator=(const FaceEmbedder&) noexcept;
  ~FaceEmbedder() override;

  /// The vector of an image that shows an aligned face and nothing else, from pixels, from a file by path or
  /// address, or from the bytes of a JPEG or PNG, as ImageClassifier::classify, classify_file and
  /// classify_bytes take them; the same errors.
  [[nodiscard]] std::vector<float> embed(const Image& face) const;
  [[nodiscard]] std::vector<float> embed_bytes(ByteSpan encoded) const;
  [[nodiscard]] std::vector<float> embed_file(const std::string& path) const;
  /// The vector of a face in a photograph: align_face() to the size of the network's input, then embed().
  /// Errors as align_face's; (invalid_argument) for a network whose input is not square, or
  /// ResizePolicy::short_side_crop, which would cut the aligned face.
  [[nodiscard]] std::vector<float> embed(const Image& photo, const FaceLandmarks& landmarks) const;

  /// Aligned faces of any sizes, run as one batch; a vector for each. (A few networks mix the images of a
  /// batch, as one that divides by a mean over it: give those one at a time.) With `errors`, images that
  /// cannot be read or do not fit are reported there, by position and in order, and their vectors are empty.
  [[nodiscard]] std::vector<std::vector<float>> embed_batch(Span<const Image> faces,
                                                            std::vector<ItemError>* errors = nullptr) const;
  [[nodiscard]] std::vector<std::vector<float>> embed_files(const std::vector<std::string>& paths,
                                                            std::vector<ItemError>* errors = nullptr) const;
  [[nodiscard]] std::vector<std::vector<float>> embed_bytes_list(
      const ByteSpans& encoded, std::vector<ItemError>* errors = nullptr) const;
  /// All faces of a photograph, run as one batch; a vector for each. Errors as embed(photo, landmarks).
  [[nodiscard]] std::vector<std::vector<float>> embed_batch(const Image& photo,
                                                            Span<const FaceLandmarks> faces) const;

 private:
  std::vector<std::vector<float>> embed_each(const std::vector<Image>& faces,
                                             std::vector<ItemError>* errors) const;
  /// The side to which faces are aligned.
  int aligned_size() const;
  struct EmbedderImpl;
  std::shared_ptr<const EmbedderImpl> embedder_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

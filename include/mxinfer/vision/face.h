// Face recognition: aligns faces to the position that a network expects, and compares their embeddings.
//
//   mxinfer::Image face = mxinfer::align_face(photo, landmarks);                 // 112 x 112
//   std::vector<float> a = mxinfer::l2_normalize(network(face));
//   std::vector<float> b = mxinfer::l2_normalize(network(other_face));
//   bool same = mxinfer::cosine_similarity(a, b) > 0.4f;                         // depends on the network
//
// FaceEmbedder (face_embedder.h) does both with a model.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/point.h>

#include <array>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The left eye, the right eye, the tip of the nose, and the left and right corner of the mouth, as seen in
/// the image. The centre of the first pixel is (0, 0), as face detectors give it.
using FaceLandmarks = std::array<Point, 5>;

/// Returns where the landmarks lie in images of size x size that networks such as ArcFace and MobileFaceNet
/// are trained on. Throws Error(invalid_argument) if `size` is below 1 or above 4096.
[[nodiscard]] MXINFER_API FaceLandmarks face_template(int size = 112);

/// The map p -> (a x - b y + x0, b x + a y + y0), which rotates, scales and moves.
struct SimilarityTransform {
  double a = 1;
  double b = 0;
  double x0 = 0;
  double y0 = 0;

  /// Returns the image of a point under the map.
  [[nodiscard]] MXINFER_API Point apply(const Point& point) const noexcept;
};

/// Returns the transform that brings `from` nearest to `to` by the sum of squared distances (Umeyama's
/// method, without reflection). Throws Error(invalid_argument) if the numbers of points differ, a coordinate
/// is not finite, or all points of `from` are equal. Thread-safe.
[[nodiscard]] MXINFER_API SimilarityTransform fit_similarity(Span<const Point> from, Span<const Point> to);

/// Returns the face as size x size pixels, rotated, scaled and moved so that its landmarks are as near as
/// possible to face_template(size). Pixels are interpolated bilinearly, and are 0 outside the image. The
/// result has the channels of the image. Throws as face_template and fit_similarity. Throws
/// Error(invalid_argument) if the image is empty, or if the landmarks are too far apart or too close together
/// for a face. Thread-safe.
[[nodiscard]] MXINFER_API Image align_face(const Image& image, const FaceLandmarks& landmarks,
                                           int size = 112);

/// Returns the vector divided by its length, the root of its sum of squares. Zeros stay zeros. Throws
/// Error(invalid_argument) if a value is not finite. Thread-safe.
[[nodiscard]] MXINFER_API std::vector<float> l2_normalize(Span<const float> vector);

/// Returns the cosine of the angle between two vectors: 1 for the same direction, 0 if either is all zeros.
/// They need not be normalised. Throws Error(invalid_argument) if they differ in length, are empty, or have a
/// value that is not finite. Thread-safe.
[[nodiscard]] MXINFER_API float cosine_similarity(Span<const float> a, Span<const float> b);

}  // namespace MXINFER_ABI
}  // namespace mxinfer

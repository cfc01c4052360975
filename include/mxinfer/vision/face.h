// Faces for recognition: a face brought upright to the place where its network expects eyes, nose and mouth,
// and how alike two faces are.
//
//   mxinfer::Image face = mxinfer::align_face(photo, landmarks);                 // 112 x 112
//   std::vector<float> a = mxinfer::l2_normalize(network(face));
//   std::vector<float> b = mxinfer::l2_normalize(network(other_face));
//   bool same = mxinfer::cosine_similarity(a, b) > 0.4f;                         // a bound of the network's
//
// FaceEmbedder (face_embedder.h) does both steps with a model.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/point.h>

#include <array>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The left eye, the right eye, the tip of the nose, the left and the right corner of the mouth, as one sees
/// them in the image. Whole numbers are the centres of pixels, as face detectors give them: (0, 0) is
/// the centre of the first pixel.
using FaceLandmarks = std::array<Point, 5>;

/// Where the landmarks of a face lie in what networks such as ArcFace and MobileFaceNet are trained on,
/// images of size x size. Error(invalid_argument) for a size below 1 or above 4096.
[[nodiscard]] MXINFER_API FaceLandmarks face_template(int size = 112);

/// p -> (a x - b y + x0, b x + a y + y0): turns, scales and moves, and keeps the shape.
struct SimilarityTransform {
  double a = 1;
  double b = 0;
  double x0 = 0;
  double y0 = 0;

  [[nodiscard]] MXINFER_API Point apply(const Point& point) const noexcept;
};

/// The transform that brings `from` nearest to `to`, by the sum of squared distances (Umeyama's method; never
/// a mirror image). Error(invalid_argument) if the numbers of points differ, a coordinate is not finite, or
/// all of `from` are one point. Thread-safe.
[[nodiscard]] MXINFER_API SimilarityTransform fit_similarity(Span<const Point> from, Span<const Point> to);

/// The face as size x size pixels, with its landmarks as near to face_template(size) as turning, scaling and
/// moving brings them. Pixels are bilinear; 0 where the image does not reach. As many channels as the
/// image. Errors (invalid_argument): an empty image, a size as for face_template, landmarks as for
/// fit_similarity, or so far apart or close together that they are no face's. Thread-safe.
[[nodiscard]] MXINFER_API Image align_face(const Image& image, const FaceLandmarks& landmarks,
                                           int size = 112);

/// The vector divided by its length, the root of its sum of squares. Zeros stay zeros. Error
/// (invalid_argument) if a value is not finite. Thread-safe.
[[nodiscard]] MXINFER_API std::vector<float> l2_normalize(Span<const float> vector);

/// The cosine of the angle between two vectors, -1..1: 1 for the same direction, 0 if either is zeros. They
/// need not be normalised. Error(invalid_argument) if they differ in length, are empty, or a value is
/// not finite. Thread-safe.
[[nodiscard]] MXINFER_API float cosine_similarity(Span<const float> a, Span<const float> b);

}  // namespace MXINFER_ABI
}  // namespace mxinfer

#include <mxinfer/vision/face.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/fail.h"

namespace mxinfer {
namespace {

// ArcFace's positions of eyes, nose and mouth in an image of 112 x 112.
constexpr int kTemplateSize = 112;
constexpr FaceLandmarks kTemplate = {{{38.2946f, 51.6963f},
                                      {73.5318f, 51.5014f},
                                      {56.0252f, 71.7366f},
                                      {41.5493f, 92.3655f},
                                      {70.7299f, 92.2041f}}};

constexpr int kLargestFace = 4096;

void check_face_size(int size) {
  if (size >= 1 && size <= kLargestFace) return;
  fail(ErrorCode::invalid_argument, "the size of an aligned face is ", size, "; give 1 to ", kLargestFace,
       " pixels, such as 112");
}

void check_points(Span<const Point> from, Span<const Point> to) {
  if (from.size() != to.size() || from.empty()) {
    fail(ErrorCode::invalid_argument, "a transform cannot bring ", from.size(), " points to ", to.size(),
         "; give the same number of each, and at least one");
  }
  for (const Span<const Point> points : {from, to}) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (std::isfinite(points[i].x) && std::isfinite(points[i].y)) continue;
      fail(ErrorCode::invalid_argument, "point ", i, " (", points[i].x, ", ", points[i].y,
           ") is not a place in an image; every coordinate must be a finite number");
    }
  }
}

struct Centre {
  double x = 0;
  double y = 0;
};

Centre centre_of(Span<const Point> points) {
  Centre centre;
  for (const Point& point : points) {
    centre.x += static_cast<double>(point.x);
    centre.y += static_cast<double>(point.y);
  }
  const auto count = static_cast<double>(points.size());
  return {centre.x / count, centre.y / count};
}

// The inverse: q -> p for p -> q.
SimilarityTransform inverse_of(const SimilarityTransform& transform) {
  const double square = transform.a * transform.a + transform.b * transform.b;
  const double a = transform.a / square, b = -transform.b / square;
  return {a, b, -(a * transform.x0 - b * transform.y0), -(b * transform.x0 + a * transform.y0)};
}

bool is_finite_transform(const SimilarityTransform& transform) {
  return std::isfinite(transform.a) && std::isfinite(transform.b) && std::isfinite(transform.x0) &&
         std::isfinite(transform.y0);
}

// Interpolates an image between its pixels; it is 0 outside.
class BilinearReader {
 public:
  explicit BilinearReader(const Image& image)
      : pixels_(image.pixels().data()),
        width_(image.width()),
        height_(image.height()),
        channels_(image.channels()) {}

  // All channels at (x, y), where whole numbers are the centres of pixels.
  void read(double x, double y, std::uint8_t* out) const {
    // Written so that NaN is outside too. Behind it, x and y are small enough for an int.
    if (!(x > -1 && y > -1 && x < width_ && y < height_)) {
      std::fill(out, out + channels_, std::uint8_t{0});
      return;
    }
    const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
    const double right_part = x - left, lower_part = y - top;
    for (int channel = 0; channel < channels_; ++channel) {
      const double upper =
          (1 - right_part) * at(left, top, channel) + right_part * at(left + 1, top, channel);
      const double lower =
          (1 - right_part) * at(left, top + 1, channel) + right_part * at(left + 1, top + 1, channel);
      out[channel] = static_cast<std::uint8_t>(std::lround((1 - lower_part) * upper + lower_part * lower));
    }
  }

 private:
  double at(int x, int y, int channel) const {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return 0;
    return pixels_[(static_cast<std::ptrdiff_t>(y) * width_ + x) * channels_ + channel];
  }

  const std::uint8_t* pixels_;
  int width_;
  int height_;
  int channels_;
};

// size x size pixels, of which (x, y) is the image's at to_image(x, y).
Image warped(const Image& image, const SimilarityTransform& to_image, int size) {
  const BilinearReader reader(image);
  Tensor pixels = Tensor::uninitialized(DType::uint8, {size, size, image.channels()});
  auto* out = pixels.data<std::uint8_t>();
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x, out += image.channels()) {
      reader.read(to_image.a * x - to_image.b * y + to_image.x0,
                  to_image.b * x + to_image.a * y + to_image.y0, out);
    }
  }
  return Image(std::move(pixels));
}

double dot_product(Span<const float> a, Span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

void check_embedding(Span<const float> vector) {
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (std::isfinite(vector[i])) continue;
    fail(ErrorCode::invalid_argument, "number ", i, " of the ", vector.size(), " of an embedding is ",
         vector[i], "; every number must be finite");
  }
}

}  // namespace

Point SimilarityTransform::apply(const Point& point) const noexcept {
  const auto x = static_cast<double>(point.x), y = static_cast<double>(point.y);
  return {static_cast<float>(a * x - b * y + x0), static_cast<float>(b * x + a * y + y0)};
}

FaceLandmarks MXINFER_ABI::face_template(int size) try {
  check_face_size(size);
  FaceLandmarks landmarks = kTemplate;
  const float scale = static_cast<float>(size) / kTemplateSize;
  for (Point& point : landmarks) point = {point.x * scale, point.y * scale};
  return landmarks;
} catch (...) {
  throw_as_error();
}

// With p and q the points from their centres, sum |a p - b p' - q|^2 (p' is p turned by 90 degrees) is least
// for a = sum p.q / sum |p|^2 and b = sum p'.q / sum |p|^2.
SimilarityTransform MXINFER_ABI::fit_similarity(Span<const Point> from, Span<const Point> to) try {
  check_points(from, to);
  const Centre source = centre_of(from), target = centre_of(to);
  double along = 0, across = 0, spread = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double px = static_cast<double>(from[i].x) - source.x,
                 py = static_cast<double>(from[i].y) - source.y;
    const double qx = static_cast<double>(to[i].x) - target.x, qy = static_cast<double>(to[i].y) - target.y;
    along += px * qx + py * qy;
    across += px * qy - py * qx;
    spread += px * px + py * py;
  }
  if (!(spread > 0)) {
    fail(ErrorCode::invalid_argument, "all ", from.size(), " points to transform are at (", from[0].x, ", ",
         from[0].y, "); give points that lie apart");
  }
  const double a = along / spread, b = across / spread;
  return {a, b, target.x - (a * source.x - b * source.y), target.y - (b * source.x + a * source.y)};
} catch (...) {
  throw_as_error();
}

Image MXINFER_ABI::align_face(const Image& image, const FaceLandmarks& landmarks, int size) try {
  if (image.empty()) {
    fail(ErrorCode::invalid_argument, "the image of a face to align is empty; give one with pixels");
  }
  const FaceLandmarks places = face_template(size);
  const SimilarityTransform to_image = inverse_of(fit_similarity(landmarks, places));
  if (!is_finite_transform(to_image)) {
    fail(ErrorCode::invalid_argument, "the landmarks from (", landmarks[0].x, ", ", landmarks[0].y, ") to (",
         landmarks[4].x, ", ", landmarks[4].y,
         ") are not a face's; give left eye, right eye, nose, left and right corner of the mouth, in this "
         "order");
  }
  return warped(image, to_image, size);
} catch (...) {
  throw_as_error();
}

std::vector<float> MXINFER_ABI::l2_normalize(Span<const float> vector) try {
  check_embedding(vector);
  const double length = std::sqrt(dot_product(vector, vector));
  std::vector<float> result(vector.begin(), vector.end());
  if (length > 0) {
    for (float& value : result) value = static_cast<float>(static_cast<double>(value) / length);
  }
  return result;
} catch (...) {
  throw_as_error();
}

float MXINFER_ABI::cosine_similarity(Span<const float> a, Span<const float> b) try {
  if (a.size() != b.size() || a.empty()) {
    fail(ErrorCode::invalid_argument, "embeddings of ", a.size(), " and ", b.size(),
         " numbers cannot be compared; give two of the same network");
  }
  check_embedding(a);
  check_embedding(b);
  const double lengths = std::sqrt(dot_product(a, a)) * std::sqrt(dot_product(b, b));
  return lengths > 0 ? static_cast<float>(std::clamp(dot_product(a, b) / lengths, -1.0, 1.0)) : 0.0f;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer

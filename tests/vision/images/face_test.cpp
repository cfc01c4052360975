// Faces: transforms that bring landmarks to their places, aligned pixels, and vectors.
#include <gtest/gtest.h>
#include <mxinfer/vision/face.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/special_floats.h"

namespace mxinfer {
namespace {

using test::kNaN;

/// Points that lie nowhere in particular.
const std::vector<Point> kPoints = {{10, 20}, {50, 18}, {33, 41}, {14, 60}, {47, 66}};

std::vector<Point> moved(const std::vector<Point>& points, const SimilarityTransform& transform) {
  std::vector<Point> result;
  for (const Point& point : points) result.push_back(transform.apply(point));
  return result;
}

double squared_distances(const SimilarityTransform& transform, const std::vector<Point>& from,
                         const std::vector<Point>& to) {
  double sum = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Point point = transform.apply(from[i]);
    sum += std::pow(point.x - to[i].x, 2) + std::pow(point.y - to[i].y, 2);
  }
  return sum;
}

/// Smooth enough to be read between pixels, and different everywhere.
Image gradient(int width, int height, int channels = 3) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c)
        pixels.push_back(static_cast<std::uint8_t>((2 * x + 3 * y + 40 * c) % 256));
    }
  }
  return Image(width, height, channels, pixels);
}

int pixel(const Image& image, int x, int y, int channel = 0) {
  return image.pixels()[static_cast<std::size_t>((y * image.width() + x) * image.channels() + channel)];
}

/// The template's landmarks through a transform.
FaceLandmarks template_moved(const SimilarityTransform& transform, int size = 112) {
  FaceLandmarks landmarks = face_template(size);
  for (Point& point : landmarks) point = transform.apply(point);
  return landmarks;
}

TEST(FaceTemplate, IsArcFacesAndScales) {
  EXPECT_FLOAT_EQ(face_template()[0].x, 38.2946f);
  EXPECT_FLOAT_EQ(face_template()[4].y, 92.2041f);
  EXPECT_FLOAT_EQ(face_template(224)[2].x, 2 * 56.0252f);
  for (const int size : {0, -1, 4097})
    EXPECT_MXINFER_ERROR((void)face_template(size), ErrorCode::invalid_argument,
                         {std::to_string(size), "112"});
}

TEST(FitSimilarity, FindsTheTransformThatPointsWentThrough) {
  const SimilarityTransform expected{0.6, -0.8, 12, -7};
  const SimilarityTransform found = fit_similarity(kPoints, moved(kPoints, expected));
  EXPECT_NEAR(found.a, expected.a, 1e-6);
  EXPECT_NEAR(found.b, expected.b, 1e-6);
  EXPECT_NEAR(found.x0, expected.x0, 1e-4);
  EXPECT_NEAR(found.y0, expected.y0, 1e-4);
}

TEST(FitSimilarity, IsNearestWhereNoneFits) {
  const std::vector<Point> to = {{12, 15}, {40, 30}, {30, 55}, {2, 50}, {60, 70}};
  const SimilarityTransform found = fit_similarity(kPoints, to);
  const double least = squared_distances(found, kPoints, to);
  EXPECT_GT(least, 1.0);
  for (const double step : {-1e-3, 1e-3}) {
    EXPECT_GT(squared_distances({found.a + step, found.b, found.x0, found.y0}, kPoints, to), least);
    EXPECT_GT(squared_distances({found.a, found.b + step, found.x0, found.y0}, kPoints, to), least);
    EXPECT_GT(squared_distances({found.a, found.b, found.x0 + 10 * step, found.y0}, kPoints, to), least);
    EXPECT_GT(squared_distances({found.a, found.b, found.x0, found.y0 + 10 * step}, kPoints, to), least);
  }
}

TEST(FitSimilarity, SaysWhatIsWrongWithPoints) {
  const std::vector<Point> one_place(5, Point{3, 4}), four(4), none;
  std::vector<Point> broken = kPoints;
  broken[3].y = kNaN;
  EXPECT_MXINFER_ERROR((void)fit_similarity(one_place, kPoints), ErrorCode::invalid_argument,
                       {"all 5 points", "(3, 4)"});
  EXPECT_MXINFER_ERROR((void)fit_similarity(four, kPoints), ErrorCode::invalid_argument, {"4 points", "5"});
  EXPECT_MXINFER_ERROR((void)fit_similarity(none, none), ErrorCode::invalid_argument, {"at least one"});
  EXPECT_MXINFER_ERROR((void)fit_similarity(broken, kPoints), ErrorCode::invalid_argument,
                       {"point 3", "finite"});
  EXPECT_MXINFER_ERROR((void)fit_similarity(kPoints, broken), ErrorCode::invalid_argument,
                       {"point 3", "finite"});
}

TEST(AlignFace, LeavesAnAlignedFaceAsItIs) {
  for (const int channels : {1, 3}) {
    const Image image = gradient(112, 112, channels);
    const Image aligned = align_face(image, face_template());
    EXPECT_EQ(aligned.channels(), channels);
    EXPECT_TRUE(std::equal(image.pixels().begin(), image.pixels().end(), aligned.pixels().begin()));
  }
}

TEST(AlignFace, MovesByWholePixelsAndLeavesBlackWhatIsNotThere) {
  const Image image = gradient(100, 90);
  const Image aligned = align_face(image, template_moved({1, 0, 30, -20}));
  EXPECT_EQ(pixel(aligned, 5, 50, 1), pixel(image, 35, 30, 1));
  EXPECT_EQ(pixel(aligned, 69, 20), pixel(image, 99, 0));
  EXPECT_EQ(pixel(aligned, 70, 50, 2), 0);  // right of the image
  EXPECT_EQ(pixel(aligned, 5, 19, 1), 0);   // above it
}

TEST(AlignFace, ReadsBetweenPixels) {
  const Image image = gradient(60, 60, 1);
  const Image aligned = align_face(image, template_moved({1, 0, 0.5, 0}), 112);
  // (2 x + 2 (x + 1)) / 2 is odd; coordinates of floats are some 1e-6 beside the half.
  EXPECT_EQ(pixel(aligned, 10, 4), 2 * 10 + 1 + 3 * 4);
  EXPECT_NEAR(pixel(aligned, 59, 20), pixel(image, 59, 20) / 2.0, 1.0);  // half of it is beyond the edge
}

TEST(AlignFace, TurnsAndScales) {
  const Image image = gradient(200, 200, 1);
  // A face that lies on its side, twice as large: x of the face runs down the image.
  const SimilarityTransform onto_image{0, 0.5, 100, 10};
  const Image aligned = align_face(image, template_moved(onto_image), 112);
  for (const auto& [x, y] : {std::pair<int, int>{0, 0}, {10, 20}, {20, 30}})
    EXPECT_EQ(pixel(aligned, x, y), (2 * (100 - y / 2) + 3 * (10 + x / 2)) % 256) << x << ' ' << y;
}

TEST(AlignFace, ScalesTheTemplate) {
  const Image aligned = align_face(gradient(112, 112), face_template(), 56);
  EXPECT_EQ(aligned.width(), 56);
  EXPECT_EQ(pixel(aligned, 4, 6), pixel(gradient(112, 112), 8, 12));
}

TEST(AlignFace, SaysWhatIsWrong) {
  const Image image = gradient(20, 20);
  EXPECT_MXINFER_ERROR((void)align_face(Image(), face_template()), ErrorCode::invalid_argument, {"empty"});
  EXPECT_MXINFER_ERROR((void)align_face(image, face_template(), 0), ErrorCode::invalid_argument,
                       {"size", "0"});
  EXPECT_MXINFER_ERROR((void)align_face(image, FaceLandmarks{}), ErrorCode::invalid_argument, {"(0, 0)"});
  FaceLandmarks broken = face_template();
  broken[1].x = std::numeric_limits<float>::infinity();
  EXPECT_MXINFER_ERROR((void)align_face(image, broken), ErrorCode::invalid_argument, {"point 1", "inf"});
}

TEST(AlignFace, LandmarksFarFromTheImageGiveBlack) {
  const Image aligned = align_face(gradient(20, 20), template_moved({1e20, 0, 1e25, -1e25}));
  for (const std::uint8_t value : aligned.pixels()) ASSERT_EQ(value, 0);
}

TEST(L2Normalize, GivesALengthOfOne) {
  const std::vector<float> unit = l2_normalize(std::vector<float>{3, -4});
  EXPECT_FLOAT_EQ(unit[0], 0.6f);
  EXPECT_FLOAT_EQ(unit[1], -0.8f);
  EXPECT_EQ(l2_normalize(std::vector<float>(3, 0.0f)), std::vector<float>(3, 0.0f));
  EXPECT_FLOAT_EQ(l2_normalize(std::vector<float>(4, 1e38f))[2], 0.5f);  // the sum of squares is no float
  EXPECT_MXINFER_ERROR((void)l2_normalize(std::vector<float>{1, kNaN}), ErrorCode::invalid_argument,
                       {"number 1", "nan"});
}

TEST(CosineSimilarity, IsOfDirections) {
  const std::vector<float> a = {1, 2, -3}, zero(3, 0.0f);
  EXPECT_FLOAT_EQ(cosine_similarity(a, std::vector<float>{10, 20, -30}), 1.0f);
  EXPECT_FLOAT_EQ(cosine_similarity(a, std::vector<float>{-1, -2, 3}), -1.0f);
  EXPECT_NEAR(cosine_similarity(a, std::vector<float>{2, -1, 0}), 0.0f, 1e-7);
  EXPECT_EQ(cosine_similarity(a, zero), 0.0f);
  EXPECT_LE(cosine_similarity(std::vector<float>(100, 0.1f), std::vector<float>(100, 0.3f)), 1.0f);
  EXPECT_MXINFER_ERROR((void)cosine_similarity(a, std::vector<float>{1}), ErrorCode::invalid_argument,
                       {"3 and 1"});
  EXPECT_MXINFER_ERROR((void)cosine_similarity({}, {}), ErrorCode::invalid_argument, {"0 and 0"});
  EXPECT_MXINFER_ERROR((void)cosine_similarity(a, std::vector<float>{1, kNaN, 2}),
                       ErrorCode::invalid_argument, {"number 1"});
}

}  // namespace
}  // namespace mxinfer

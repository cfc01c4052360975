// Maps of classes as label images: where elements lie in an image, ties, what is unknown.
#include "vision/segment/label_map.h"

#include <gtest/gtest.h>
#include <mxinfer/vision/label_image.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/threads/thread_arena.h"
#include "support/expect_error.h"

namespace mxinfer::api {
namespace {

const LabelMapOptions kSmooth{Activation::none, {}, true};
const LabelMapOptions kNearest{Activation::none, {}, false};

/// All of an input of that size, stretched.
MapPlacement whole(int width, int height, double input_width, double input_height) {
  return {{0, 0, width / input_width, height / input_height, {width, height}}, input_width, input_height};
}

std::vector<int> values(const Image& image) {
  return {image.pixels().begin(), image.pixels().end()};
}

TEST(LabelMap, OfTheInputsSizeIsTheBestOfEachElement) {
  const std::vector<float> scores = {1, 5, 2, 2, /**/ 3, 4, 2, 1, /**/ 0, 9, 1, 7};
  for (const auto& options : {kSmooth, kNearest})
    EXPECT_EQ(values(label_map(ScoreMap{scores.data(), 3, 2, 2}, whole(2, 2, 2, 2), options)),
              (std::vector<int>{1, 2, 0, 2}));  // the first of equal ones
}

TEST(LabelMap, BordersLieBetweenPixelCentres) {
  // Two columns, 0 and 1; they are equal in the middle of the image.
  const std::vector<float> scores = {1, 0, /**/ 0, 1};
  const ScoreMap map{scores.data(), 2, 1, 2};
  EXPECT_EQ(values(label_map(map, whole(8, 1, 2, 1), kSmooth)), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(values(label_map(map, whole(8, 1, 64, 32), kNearest)),
            (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
  // A third of class 0's weight moves the border: 1 - x = 0.25 + x at x = 0.375 of the way from centre to
  // centre.
  const std::vector<float> uneven = {1, 0, /**/ 0.25f, 1.25f};
  const ScoreMap moved{uneven.data(), 2, 1, 2};
  EXPECT_EQ(values(label_map(moved, whole(16, 1, 2, 1), kSmooth)),
            (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(values(label_map(moved, whole(16, 1, 2, 1), kNearest))[7], 0);
}

/// The same in double, pixel by pixel.
int expected_label(const std::vector<float>& scores, const ScoreMap& map, const MapPlacement& at, int x,
                   int y) {
  const auto element = [](int pixel, double scale, double offset, double input, std::int64_t count) {
    const double in = (pixel + 0.5) / scale + offset;
    return std::min(std::max(in * static_cast<double>(count) / input - 0.5, 0.0),
                    static_cast<double>(count - 1));
  };
  const double u = element(x, at.image.scale_x, at.image.offset_x, at.input_width, map.width);
  const double v = element(y, at.image.scale_y, at.image.offset_y, at.input_height, map.height);
  int best = -1;
  double most = 0;
  for (std::int64_t c = 0; c < map.classes; ++c) {
    const auto score = [&](double row, double column) {
      return static_cast<double>(
          scores[static_cast<std::size_t>((c * map.height + static_cast<std::int64_t>(row)) * map.width +
                                          static_cast<std::int64_t>(column))]);
    };
    const double row = std::floor(v), column = std::floor(u), fy = v - row, fx = u - column;
    const double below = std::min(row + 1, static_cast<double>(map.height - 1));
    const double right = std::min(column + 1, static_cast<double>(map.width - 1));
    const double value = (score(row, column) * (1 - fx) + score(row, right) * fx) * (1 - fy) +
                         (score(below, column) * (1 - fx) + score(below, right) * fx) * fy;
    if (best < 0 || value > most) best = static_cast<int>(c), most = value;
  }
  return best;
}

TEST(LabelMap, InterpolatesBothWaysAndIsTheSameOnAnyNumberOfThreads) {
  std::vector<float> scores;
  for (int i = 0; i < 5 * 7 * 9; ++i) scores.push_back(static_cast<float>((i * 7919) % 1009));
  const ScoreMap map{scores.data(), 5, 7, 9};
  // A letterbox: 100 x 60 in the middle of 36 x 28.
  const MapPlacement at{{0, 3.2, 100 / 36.0, 60 / 21.6, {100, 60}}, 36, 28};
  Image one, two;
  ThreadArena(1).execute([&] { one = label_map(map, at, kSmooth); });
  ThreadArena(2).execute([&] { two = label_map(map, at, kSmooth); });
  EXPECT_EQ(values(one), values(two));
  int differing = 0;
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 100; ++x)
      differing +=
          one.pixels()[static_cast<std::size_t>(y * 100 + x)] != expected_label(scores, map, at, x, y);
  }
  EXPECT_LE(differing, 2);  // float at a border
}

TEST(LabelMap, WhatACropCutOffIsUnknown) {
  const std::vector<float> scores = {1};
  // Of 8 x 4 pixels the middle 4 x 4 is what the network saw, as 2 x 2.
  const MapPlacement at{{-1, 0, 2, 2, {8, 4}}, 2, 2};
  const auto labels = values(label_map(ScoreMap{scores.data(), 1, 1, 1}, at, kSmooth));
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 8; ++x)
      EXPECT_EQ(labels[static_cast<std::size_t>(y * 8 + x)], x < 2 || x >= 6 ? kUnknownLabel : 1) << x;
  }
  const std::vector<std::uint8_t> indices = {7};
  EXPECT_EQ(values(label_map(IndexMap{indices.data(), 1, 1}, at))[0], kUnknownLabel);
  EXPECT_EQ(values(label_map(IndexMap{indices.data(), 1, 1}, at))[3], 7);
}

TEST(LabelMap, WhatIsNoNumberOrUnsureIsUnknown) {
  const float kNaN = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> scores = {kNaN, kNaN, 2, 0, /**/ kNaN, 3, 1, 0};
  const ScoreMap map{scores.data(), 2, 1, 4};
  EXPECT_EQ(values(label_map(map, whole(4, 1, 4, 1), kNearest)), (std::vector<int>{255, 1, 0, 0}));
  EXPECT_EQ(values(label_map(map, whole(4, 1, 4, 1), {Activation::none, 2.5f, false})),
            (std::vector<int>{255, 1, 255, 255}));
  // Softmax of (2, 1) is 0.731, of (0, 0) it is 0.5.
  EXPECT_EQ(values(label_map(map, whole(4, 1, 4, 1), {Activation::softmax, 0.7f, false})),
            (std::vector<int>{255, 255, 0, 255}));
  EXPECT_EQ(values(label_map(map, whole(4, 1, 4, 1), {Activation::sigmoid, 0.7f, false})),
            (std::vector<int>{255, 1, 0, 255}));
}

TEST(LabelMap, OneClassIsOrIsNot) {
  const std::vector<float> scores = {0.2f, 0.7f, -3, 3, NAN};
  const ScoreMap map{scores.data(), 1, 1, 5};
  EXPECT_EQ(values(label_map(map, whole(5, 1, 5, 1), kSmooth)), (std::vector<int>{0, 1, 0, 1, 255}));
  EXPECT_EQ(values(label_map(map, whole(5, 1, 5, 1), {Activation::sigmoid, {}, true})),
            (std::vector<int>{1, 1, 0, 1, 255}));
  EXPECT_EQ(values(label_map(map, whole(5, 1, 5, 1), {Activation::sigmoid, 0.9f, true})),
            (std::vector<int>{255, 255, 0, 1, 255}));
}

}  // namespace
}  // namespace mxinfer::api

#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/expect_error.h"

namespace mxinfer {
namespace {

TEST(Nms, IntersectionOverUnion) {
  EXPECT_FLOAT_EQ(intersection_over_union({0, 0, 2, 2}, {1, 0, 3, 2}), 1.0f / 3);
  EXPECT_EQ(intersection_over_union({0, 0, 2, 2}, {2, 0, 3, 2}), 0);
  EXPECT_EQ(intersection_over_union({0, 0, 2, 2}, {0, 0, 2, 2}), 1);
  EXPECT_EQ(intersection_over_union({1, 1, 1, 1}, {1, 1, 1, 1}), 0);
}

TEST(Nms, BetterBoxesSuppressThoseThatOverlap) {
  const std::vector<Box> boxes = {{0, 0, 10, 10}, {1, 0, 11, 10}, {20, 0, 30, 10}, {0, 5, 10, 15}};
  const std::vector<float> scores = {0.5f, 0.9f, 0.1f, 0.4f};
  EXPECT_EQ(non_max_suppression(boxes, scores, 0.5f), (std::vector<std::size_t>{1, 3, 2}));
  EXPECT_EQ(non_max_suppression(boxes, scores, 0.2f), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(non_max_suppression(boxes, scores, 1).size(), 4u);
  EXPECT_TRUE(non_max_suppression(Span<const Box>(), {}, 0.5f).empty());
}

TEST(Nms, OfOneClassOrAcrossClasses) {
  const std::vector<Detection> found = {
      {"cat", 0.6f, 0, {0, 0, 10, 10}}, {"dog", 0.8f, 1, {0, 0, 10, 10}}, {"cat", 0.7f, 0, {0, 0, 10, 9}}};
  const auto each = non_max_suppression(found, 0.5f);
  ASSERT_EQ(each.size(), 2u);
  EXPECT_EQ(each[0].label, "dog");
  EXPECT_EQ(each[1].score, 0.7f);
  EXPECT_EQ(non_max_suppression(found, 0.5f, SuppressAcross::all_classes).size(), 1u);
}

TEST(Nms, NanComesLastAndBadArgumentsAreRefused) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Box> boxes = {{0, 0, 1, 1}, {0, 0, 1, 1}};
  EXPECT_EQ(non_max_suppression(boxes, std::vector<float>{nan, -1}, 0.5f), (std::vector<std::size_t>{1}));
  EXPECT_MXINFER_ERROR(non_max_suppression(boxes, std::vector<float>{1}, 0.5f), ErrorCode::invalid_argument,
                       {"2 boxes", "1 scores"});
  for (const float threshold : {-0.1f, 1.5f, nan}) {
    EXPECT_MXINFER_ERROR(non_max_suppression(boxes, std::vector<float>{1, 2}, threshold),
                         ErrorCode::invalid_argument, {"threshold", "0 to 1"});
  }
}

}  // namespace
}  // namespace mxinfer

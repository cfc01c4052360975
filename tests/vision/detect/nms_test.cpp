#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cmath>
#include <cstdint>
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

TEST(Nms, IntersectionOverTheSmallerBox) {
  EXPECT_FLOAT_EQ(intersection_over_smaller({0, 0, 2, 2}, {1, 0, 3, 2}), 0.5f);
  EXPECT_EQ(intersection_over_smaller({0, 0, 10, 10}, {2, 2, 3, 3}), 1);
  EXPECT_EQ(intersection_over_smaller({0, 0, 10, 10}, {2, 2, 2, 3}), 0);
}

TEST(NmsWithOptions, OverlapOfTheSmallerBoxSuppressesWhatLiesInside) {
  const std::vector<Box> boxes = {{0, 0, 10, 10}, {2, 2, 4, 4}};
  const std::vector<float> scores = {0.9f, 0.8f};
  NmsOptions options;
  EXPECT_EQ(non_max_suppression(boxes, scores, options).size(), 2u);
  options.overlap = SuppressOverlap::min;
  EXPECT_EQ(non_max_suppression(boxes, scores, options).size(), 1u);
}

TEST(NmsWithOptions, HardSuppressionKeepsScoresUpToAThresholdAndANumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Box> boxes = {
      {0, 0, 10, 10}, {1, 0, 11, 10}, {20, 0, 30, 10}, {40, 0, 50, 10}, {60, 0, 70, 9}};
  const std::vector<float> scores = {0.5f, 0.9f, 0.1f, 0.3f, nan};
  const auto positions = [&](const NmsOptions& options) {
    std::vector<std::size_t> result;
    for (const KeptBox& kept : non_max_suppression(boxes, scores, options)) {
      EXPECT_EQ(kept.score, scores[kept.index]);
      result.push_back(kept.index);
    }
    return result;
  };
  NmsOptions options;
  EXPECT_EQ(positions(options), (std::vector<std::size_t>{1, 3, 2}));
  options.score_threshold = 0.2f;
  EXPECT_EQ(positions(options), (std::vector<std::size_t>{1, 3}));
  options.max_detections = 1;
  EXPECT_EQ(positions(options), (std::vector<std::size_t>{1}));
}

TEST(NmsWithOptions, LinearAndGaussianLowerScoresByTheOverlap) {
  // The second overlaps the first by 1/3, the third by nothing, the fourth by all.
  const std::vector<Box> boxes = {{0, 0, 2, 2}, {1, 0, 3, 2}, {9, 9, 10, 10}, {0, 0, 2, 2}};
  const std::vector<float> scores = {0.9f, 0.8f, 0.2f, 0.7f};
  NmsOptions options;
  options.method = NmsMethod::linear;
  options.iou_threshold = 0.3f;
  options.score_threshold = 0.001f;
  auto kept = non_max_suppression(boxes, scores, options);
  ASSERT_EQ(kept.size(), 3u);  // the fourth scores 0
  EXPECT_EQ(kept[1].index, 1u);
  EXPECT_FLOAT_EQ(kept[1].score, 0.8f * (1 - 1.0f / 3));
  EXPECT_EQ(kept[2].index, 2u);
  EXPECT_EQ(kept[2].score, 0.2f);
  options.iou_threshold = 0.4f;
  EXPECT_EQ(non_max_suppression(boxes, scores, options)[1].score, 0.8f);

  options.method = NmsMethod::gaussian;
  options.sigma = 0.25f;
  kept = non_max_suppression(boxes, scores, options);
  ASSERT_EQ(kept.size(), 4u);
  EXPECT_FLOAT_EQ(kept[1].score, 0.8f * std::exp(-4 / 9.0f));
  EXPECT_EQ(kept[2].index, 2u);
  EXPECT_EQ(kept[3].index, 3u);
  EXPECT_FLOAT_EQ(kept[3].score, 0.7f * std::exp(-4.0f) * std::exp(-4 / 9.0f));
}

// Soft-NMS as Bodla et al. write it: all scores are lowered at once, each time a box is taken.
std::vector<KeptBox> soft_by_rounds(const std::vector<Box>& boxes, std::vector<float> scores,
                                    const NmsOptions& options) {
  std::vector<KeptBox> kept;
  std::vector<char> done(boxes.size(), 0);
  for (;;) {
    std::size_t best = boxes.size();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (done[i] != 0 || scores[i] < options.score_threshold) continue;
      if (best == boxes.size() || scores[i] > scores[best]) best = i;
    }
    if (best == boxes.size()) return kept;
    kept.push_back({best, scores[best]});
    done[best] = 1;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const float overlap = intersection_over_union(boxes[best], boxes[i]);
      if (options.method == NmsMethod::gaussian) {
        scores[i] *= std::exp(-overlap * overlap / options.sigma);
      } else if (overlap > options.iou_threshold) {
        scores[i] *= 1 - overlap;
      }
    }
  }
}

TEST(NmsWithOptions, SoftSuppressionIsThatOfThePaper) {
  std::vector<Box> boxes;
  std::vector<float> scores;
  std::uint32_t state = 1;
  const auto next = [&](std::uint32_t limit) {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>((state >> 8) % limit);
  };
  for (int i = 0; i < 300; ++i) {
    const float x = next(100), y = next(100);
    boxes.push_back({x, y, x + 10 + next(20), y + 10 + next(20)});
    scores.push_back(next(50) / 50);  // with equal ones
  }
  for (const NmsMethod method : {NmsMethod::linear, NmsMethod::gaussian}) {
    NmsOptions options;
    options.method = method;
    options.iou_threshold = 0.3f;
    options.score_threshold = 0.01f;
    const auto kept = non_max_suppression(boxes, scores, options);
    const auto expected = soft_by_rounds(boxes, scores, options);
    ASSERT_EQ(kept.size(), expected.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      EXPECT_EQ(kept[i].index, expected[i].index);
      EXPECT_EQ(kept[i].score, expected[i].score);
    }
    options.max_detections = 7;
    EXPECT_EQ(non_max_suppression(boxes, scores, options).size(), 7u);
  }
}

TEST(NmsWithOptions, DetectionsCarryTheirLoweredScores) {
  const std::vector<Detection> found = {{"cat", 0.9f, 0, {0, 0, 2, 2}},
                                        {"cat", 0.8f, 0, {1, 0, 3, 2}},
                                        {"dog", 0.7f, 1, {0, 0, 2, 2}, {{1, 1}}}};
  NmsOptions options;
  options.method = NmsMethod::linear;
  options.iou_threshold = 0.1f;
  auto kept = non_max_suppression(found, options);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[1].label, "dog");
  EXPECT_EQ(kept[1].landmarks.size(), 1u);
  EXPECT_FLOAT_EQ(kept[2].score, 0.8f * 2 / 3);
  options.across = SuppressAcross::all_classes;
  options.score_threshold = 0.1f;
  EXPECT_EQ(non_max_suppression(found, options).size(), 2u);
}

TEST(NmsWithOptions, RefusesOptionsThatMakeNoSense) {
  const std::vector<Box> boxes = {{0, 0, 1, 1}};
  const std::vector<float> scores = {1};
  const auto rejects = [&](const char* member, const auto& change) {
    NmsOptions options;
    change(options);
    EXPECT_MXINFER_ERROR(non_max_suppression(boxes, scores, options), ErrorCode::invalid_argument,
                         {"NmsOptions::", member});
  };
  rejects("iou_threshold is 1.5", [](NmsOptions& o) { o.iou_threshold = 1.5f; });
  rejects("sigma is 0", [](NmsOptions& o) { o.sigma = 0; });
  rejects("score_threshold", [](NmsOptions& o) { o.score_threshold = std::nanf(""); });
  rejects("score_threshold is -1", [](NmsOptions& o) {
    o.method = NmsMethod::linear;
    o.score_threshold = -1;
  });
  rejects("max_detections is 0", [](NmsOptions& o) { o.max_detections = 0; });
  EXPECT_MXINFER_ERROR(non_max_suppression(boxes, std::vector<float>{1, 2}, NmsOptions{}),
                       ErrorCode::invalid_argument, {"1 boxes", "2 scores"});
}

}  // namespace
}  // namespace mxinfer

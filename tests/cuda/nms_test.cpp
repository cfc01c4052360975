// Non-maximum suppression on a GPU: words of 64 boxes, windows of 2048. The boxes of the CPU are kept, bit by
// bit.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "cuda/support.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
using test::kSameBits;

struct Boxes {
  std::int64_t batches = 1, rows = 1;
  float extent = 30;  ///< the smaller, the more boxes overlap
  int classes = 4;
  int scores = 0;  ///< if above 0, so many different ones
  bool center = false;
};

/// Rows (class, score, four coordinates, number of the row).
Tensor random_boxes(const Boxes& boxes, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random);
  };
  Tensor tensor(DType::float32, {boxes.batches, boxes.rows, 7});
  float* row = tensor.data<float>();
  for (std::int64_t i = 0; i < boxes.batches * boxes.rows; ++i, row += 7) {
    row[0] = static_cast<float>(random() % static_cast<unsigned>(boxes.classes));
    const float score = number(0, 1);
    row[1] =
        boxes.scores == 0 ? score : static_cast<float>(random() % static_cast<unsigned>(boxes.scores)) * 0.1f;
    row[2] = number(-1, boxes.extent);
    row[3] = number(-1, boxes.extent);
    const float width = number(0, 4), height = number(-0.1f, 4);
    row[4] = boxes.center ? width : row[2] + width;
    row[5] = boxes.center ? height : row[3] + height;
    row[6] = static_cast<float>(i);
  }
  return tensor;
}

TEST(NmsOnCuda, RowsAstrideOfWordsAndWindows) {
  for (std::int64_t rows : {1, 63, 64, 65, 500, 2048, 2049, 5000}) {
    SCOPED_TRACE(rows);
    const Tensor data = random_boxes({.rows = rows}, 1);
    test::expect_as_on_cpu("_contrib_box_nms", {{"valid_thresh", "0.01"}}, {&data}, kSameBits);
    test::expect_as_on_cpu("_contrib_box_nms", {{"id_index", "0"}, {"topk", "400"}}, {&data}, kSameBits);
  }
}

TEST(NmsOnCuda, BoxesThatNearlyAllOverlap) {
  const Tensor data = random_boxes({.rows = 4500, .extent = 2}, 2);
  for (const char* threshold : {"0", "0.2", "0.9", "2"})
    test::expect_as_on_cpu("_contrib_box_nms", {{"overlap_thresh", threshold}}, {&data}, kSameBits);
}

TEST(NmsOnCuda, ClassesBackgroundAndBatches) {
  const Tensor data = random_boxes({.batches = 3, .rows = 300, .extent = 8}, 3);
  for (const Attributes& attrs :
       {Attributes{{"id_index", "0"}}, Attributes{{"id_index", "0"}, {"background_id", "0"}},
        Attributes{{"id_index", "0"}, {"force_suppress", "1"}}, Attributes{{"background_id", "0"}},
        Attributes{{"id_index", "0"}, {"topk", "17"}, {"valid_thresh", "0.5"}},
        Attributes{{"score_index", "6"}, {"id_index", "1"}}, Attributes{{"topk", "0"}},
        Attributes{{"valid_thresh", "2"}}, Attributes{{"valid_thresh", "-1"}}})
    test::expect_as_on_cpu("_contrib_box_nms", attrs, {&data}, kSameBits);
}

TEST(NmsOnCuda, EqualScoresAreVisitedInTheirOrder) {
  const Tensor data = random_boxes({.rows = 3000, .scores = 8}, 4);
  test::expect_as_on_cpu("_contrib_box_nms", {{"topk", "700"}}, {&data}, kSameBits);
}

TEST(NmsOnCuda, FormatsOfBoxes) {
  for (bool center : {false, true}) {
    const Tensor data = random_boxes({.rows = 200, .extent = 10, .center = center}, 5);
    for (const char* out : {"center", "corner"}) {
      const Attributes attrs{{"in_format", center ? "center" : "corner"}, {"out_format", out}};
      test::expect_as_on_cpu("_contrib_box_nms", attrs, {&data}, kSameBits);
    }
  }
}

TEST(NmsOnCuda, NotANumber) {
  Tensor data = random_boxes({.rows = 100, .extent = 6}, 6);
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  data.data<float>()[7 * 3 + 1] = nan;
  data.data<float>()[7 * 5 + 2] = nan;
  data.data<float>()[7 * 9 + 4] = inf;
  data.data<float>()[7 * 11 + 1] = inf;
  test::expect_as_on_cpu("_contrib_box_nms", {}, {&data}, kSameBits);
}

class DetectionOnCuda : public testing::TestWithParam<Attributes> {};

TEST_P(DetectionOnCuda, IsTheCpus) {
  for (std::int64_t anchors : {1, 511, 512, 513, 2500}) {
    SCOPED_TRACE(anchors);
    const Tensor prob = test::random_tensor({2, 5, anchors}, 7, 0, 1);
    const Tensor code = test::random_tensor({2, anchors * 4}, 8, -2, 2);
    Tensor anchor = test::random_tensor({1, anchors, 4}, 9, 0, 1);
    for (std::int64_t i = 0; i < anchors; ++i) {
      for (int k = 0; k < 2; ++k) {
        float* box = anchor.data<float>() + i * 4;
        box[2 + k] = box[k] + 0.4f * box[2 + k];
      }
    }
    // exp() may differ in its last bit, no more than that.
    test::expect_as_on_cpu("_contrib_MultiBoxDetection", GetParam(), {&prob, &code, &anchor},
                           {.tolerance = 1e-6});
  }
}

INSTANTIATE_TEST_SUITE_P(
    Attributes, DetectionOnCuda,
    testing::Values(Attributes{{"threshold", "0.3"}}, Attributes{{"nms_threshold", "0"}},
                    Attributes{{"nms_threshold", "0.4"}, {"force_suppress", "1"}, {"clip", "0"}},
                    Attributes{{"threshold", "0.9"}, {"nms_topk", "100"}},
                    Attributes{{"threshold", "0.5"}, {"nms_topk", "2100"}}, Attributes{{"threshold", "2"}},
                    Attributes{{"nms_threshold", "1"}, {"variances", "(0.2, 0.1, 0.3, 0.2)"}}));

class ProposalOnCuda : public testing::TestWithParam<Attributes> {};

TEST_P(ProposalOnCuda, IsTheCpus) {
  Attributes attrs = GetParam();
  attrs.emplace("scales", "(2, 4)");
  attrs.emplace("ratios", "(0.5, 1, 2)");
  const Tensor prob = test::random_tensor({2, 12, 20, 23}, 10, 0, 1);
  const Tensor code = test::random_tensor({2, 24, 20, 23}, 11, -0.5f, 0.5f);
  const Tensor info = test::tensor_of<float>({2, 3}, {320, 368, 1, 290, 300, 1.5f});
  test::expect_as_on_cpu("_contrib_MultiProposal", attrs, {&prob, &code, &info}, {.tolerance = 1e-6});
}

INSTANTIATE_TEST_SUITE_P(Attributes, ProposalOnCuda,
                         testing::Values(Attributes{{"rpn_post_nms_top_n", "50"}, {"output_score", "1"}},
                                         Attributes{{"rpn_pre_nms_top_n", "2300"}, {"threshold", "0.9"}},
                                         Attributes{{"rpn_pre_nms_top_n", "40"},
                                                    {"rpn_post_nms_top_n", "100"}},
                                         Attributes{{"iou_loss", "1"}, {"rpn_min_size", "2"}}));

TEST(ProposalsOnCuda, OneImage) {
  const Tensor prob = test::random_tensor({1, 24, 9, 7}, 12, 0, 1);
  const Tensor code = test::random_tensor({1, 48, 9, 7}, 13, -0.5f, 0.5f);
  const Tensor info = test::tensor_of<float>({1, 3}, {144, 112, 1});
  test::expect_as_on_cpu("_contrib_Proposal", {}, {&prob, &code, &info}, {.tolerance = 1e-6});
}

}  // namespace
}  // namespace mxinfer

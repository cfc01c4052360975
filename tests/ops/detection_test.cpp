// The operators of detectors where recorded cases have no word: what they refuse and how they say it, input
// that MXNet crashes on, and more boxes than a recording can hold.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/run_op.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

struct DetectionRefusal {
  const char* name;
  const char* op;
  Attributes attrs;
  std::vector<Shape> shapes;
  const char* message;  // a part of it
};

void PrintTo(const DetectionRefusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

class DetectionErrors : public testing::TestWithParam<DetectionRefusal> {};

TEST_P(DetectionErrors, SayWhatWasGiven) {
  const DetectionRefusal& refusal = GetParam();
  std::vector<Tensor> inputs;
  std::vector<const Tensor*> pointers;
  for (const Shape& shape : refusal.shapes) inputs.push_back(Tensor(DType::float32, shape));
  for (const Tensor& input : inputs) pointers.push_back(&input);
  try {
    test::run_op(refusal.op, refusal.attrs, pointers);
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(refusal.message), std::string::npos) << e.what();
  }
}

const Attributes kRoi = {{"pooled_size", "(2, 2)"}, {"spatial_scale", "1.0"}};
const Attributes kPsRoi = {{"pooled_size", "2"}, {"spatial_scale", "1.0"}, {"output_dim", "3"}};

const std::vector<DetectionRefusal> kDetectionRefusals = {
    {"nms_rank", "_contrib_box_nms", {}, {{6}}, "at least 2 dimensions"},
    {"nms_narrow", "_contrib_box_nms", {}, {{3, 5}}, "coord_start=2 leaves no 4 coordinates in rows of 5"},
    {"nms_start", "_contrib_box_nms", {{"coord_start", "-1"}}, {{3, 6}}, "coord_start=-1"},
    {"nms_score", "_contrib_box_nms", {{"score_index", "6"}}, {{3, 6}}, "score_index=6 is outside"},
    {"nms_score_in_box",
     "_contrib_box_nms",
     {{"score_index", "3"}},
     {{3, 6}},
     "one of the coordinates 2 to 5"},
    {"nms_id_in_box", "_contrib_box_nms", {{"id_index", "2"}}, {{3, 6}}, "id_index=2 is one of"},
    {"nms_id_is_score", "_contrib_box_nms", {{"id_index", "1"}}, {{3, 6}}, "are both 1"},
    {"nms_format", "_contrib_box_nms", {{"in_format", "edges"}}, {{3, 6}}, "in_format"},
    {"iou_width", "_contrib_box_iou", {}, {{2, 4}, {2, 5}}, "rhs has the shape (2, 5)"},
    {"encode_refs", "_contrib_box_encode", {}, {{1, 2}, {1, 2}, {1, 2, 4}, {2, 3, 4}, {4}, {4}}, "refs has"},
    {"encode_means",
     "_contrib_box_encode",
     {},
     {{1, 2}, {1, 2}, {1, 2, 4}, {1, 3, 4}, {3}, {4}},
     "means has"},
    {"decode_anchors", "_contrib_box_decode", {}, {{2, 3, 4}, {2, 3, 4}}, "expected (1, 3, 4)"},
    {"matching_threshold", "_contrib_bipartite_matching", {}, {{2, 3}}, "threshold"},
    {"matching_rank", "_contrib_bipartite_matching", {{"threshold", "0"}}, {{3}}, "at least 2 dimensions"},
    {"prior_steps", "_contrib_MultiBoxPrior", {{"steps", "(0.5, -1)"}}, {{1, 1, 2, 2}}, "only one of"},
    {"prior_offsets",
     "_contrib_MultiBoxPrior",
     {{"offsets", "(0.5,)"}},
     {{1, 1, 2, 2}},
     "expected 2, y and x"},
    {"prior_sizes", "_contrib_MultiBoxPrior", {{"sizes", "()"}}, {{1, 1, 2, 2}}, "sizes has no numbers"},
    {"prior_rank", "_contrib_MultiBoxPrior", {}, {{1, 2, 2}}, "at least 4 dimensions"},
    {"detection_loc", "_contrib_MultiBoxDetection", {}, {{1, 2, 3}, {1, 8}, {1, 3, 4}}, "expected (1, 12)"},
    {"detection_anchor",
     "_contrib_MultiBoxDetection",
     {},
     {{2, 2, 3}, {2, 12}, {2, 3, 4}},
     "anchor has the shape"},
    {"detection_variances",
     "_contrib_MultiBoxDetection",
     {{"variances", "(1, 1)"}},
     {{1, 2, 3}, {1, 12}, {1, 3, 4}},
     "variances has 2 numbers"},
    {"target_label", "_contrib_MultiBoxTarget", {}, {{1, 3, 4}, {1, 2, 4}, {1, 2, 3}}, "label has the shape"},
    {"pool_columns", "ROIPooling", kRoi, {{1, 1, 4, 4}, {2, 4}}, "expected (regions, 5)"},
    {"pool_scale",
     "ROIPooling",
     {{"pooled_size", "(2, 2)"}, {"spatial_scale", "2"}},
     {{1, 1, 4, 4}, {2, 5}},
     "spatial_scale"},
    {"pool_size",
     "ROIPooling",
     {{"pooled_size", "(2, 0)"}, {"spatial_scale", "1"}},
     {{1, 1, 4, 4}, {2, 5}},
     "pooled_size"},
    {"align_data", "_contrib_ROIAlign", kRoi, {{1, 4, 4}, {2, 5}}, "data has the shape (1, 4, 4)"},
    {"align_channels",
     "_contrib_ROIAlign",
     {{"pooled_size", "(2, 2)"}, {"spatial_scale", "1"}, {"position_sensitive", "True"}},
     {{1, 6, 4, 4}, {2, 5}},
     "6 channels, which do not divide by the 4 bins"},
    {"rotated_columns", "_contrib_RROIAlign", kRoi, {{1, 1, 4, 4}, {2, 5}}, "expected (regions, 6)"},
    {"psroi_channels", "_contrib_PSROIPooling", kPsRoi, {{1, 11, 4, 4}, {2, 5}}, "needs 12"},
    {"deformable_trans",
     "_contrib_DeformablePSROIPooling",
     {{"pooled_size", "2"}, {"spatial_scale", "1.0"}, {"output_dim", "3"}, {"group_size", "2"}},
     {{1, 12, 4, 4}, {2, 5}, {2, 4, 2, 2}},
     "trans has the shape"},
    {"proposal_batch", "_contrib_Proposal", {}, {{2, 24, 2, 2}, {2, 48, 2, 2}, {2, 3}}, "MultiProposal"},
    {"proposal_channels", "_contrib_Proposal", {}, {{1, 8, 2, 2}, {1, 16, 2, 2}, {1, 3}}, "expected 24"},
    {"proposal_boxes",
     "_contrib_Proposal",
     {},
     {{1, 24, 2, 2}, {1, 24, 2, 2}, {1, 3}},
     "bbox_pred has the shape"},
};

INSTANTIATE_TEST_SUITE_P(Operators, DetectionErrors, testing::ValuesIn(kDetectionRefusals),
                         [](const auto& test) { return test.param.name; });

void expect_region_refused(const char* op, const Attributes& attrs, const Tensor& rois, const char* message) {
  const Tensor data = test::random_tensor({2, 4, 3, 3}, 1);
  try {
    test::run_op(op, attrs, {&data, &rois});
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(message), std::string::npos) << e.what();
  }
}

TEST(Regions, OfNoImageAreRefused) {
  const Tensor beyond = test::tensor_of<float>({2, 5}, {0, 0, 0, 1, 1, 2, 0, 0, 1, 1});
  const Tensor negative = test::tensor_of<float>({1, 5}, {-1, 0, 0, 1, 1});
  const Tensor far = test::tensor_of<float>({1, 5}, {0, 0, 0, 1e30f, 1});
  const Tensor turned = test::tensor_of<float>({1, 6}, {0, 0, 0, 1, std::nanf(""), 0});
  Attributes psroi = kPsRoi;
  psroi["output_dim"] = "1";
  expect_region_refused("_contrib_ROIAlign", kRoi, beyond, "region 1 is of image 2 of a batch of 2");
  expect_region_refused("_contrib_PSROIPooling", psroi, negative, "region 0 is of image -1");
  expect_region_refused("_contrib_PSROIPooling", psroi, far, "region 0 has the coordinate 1e+30");
  expect_region_refused("_contrib_RROIAlign", kRoi, turned, "region 0 has the coordinate nan");
}

TEST(Regions, ThatMxnetDoesNotWriteAreZero) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  const Tensor data = test::random_tensor({1, 2, 3, 3}, 1, 1.0f, 2.0f);
  const Tensor rois = test::tensor_of<float>(
      {5, 5}, {-1, 0, 0, 2, 2, 0, 1, 1, 1, 1, 0, nan, 0, 2, 2, 0, 0, 0, inf, 2, 0, -1e30f, 0, 1e30f, 2});
  Attributes attrs = kRoi;
  attrs["aligned"] = "True";
  const Tensor out = std::move(test::run_op("_contrib_ROIAlign", attrs, {&data, &rois})[0]);
  for (std::int64_t i = 0; i < 4 * 2 * 4; ++i) EXPECT_EQ(out.data<float>()[i], 0.0f) << i;
  for (std::int64_t i = 4 * 2 * 4; i < out.elements(); ++i) EXPECT_TRUE(std::isfinite(out.data<float>()[i]));
}

TEST(Proposal, OfAnImageBeyondItsMapIsRefused) {
  const Tensor prob = test::random_tensor({1, 2, 2, 2}, 1), boxes = test::random_tensor({1, 4, 2, 2}, 2);
  const Tensor info = test::tensor_of<float>({1, 3}, {64, 32, 1});
  try {
    test::run_op("_contrib_Proposal", {{"scales", "(1,)"}, {"ratios", "(1,)"}}, {&prob, &boxes, &info});
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("image 0 has 64 x 32 pixels"), std::string::npos) << e.what();
  }
}

TEST(Proposal, WithoutNumbersIsStillOfItsShape) {
  const float nan = std::nanf("");
  Tensor prob(DType::float32, {1, 2, 5, 5}), boxes(DType::float32, {1, 4, 5, 5});
  std::fill_n(prob.data<float>(), prob.elements(), nan);
  std::fill_n(boxes.data<float>(), boxes.elements(), nan);
  const Tensor info = test::tensor_of<float>({1, 3}, {80, 80, 1});
  const auto out =
      test::run_op("_contrib_Proposal", {{"scales", "(1,)"}, {"ratios", "(1,)"}}, {&prob, &boxes, &info});
  EXPECT_EQ(to_string(out[0].shape()), "(300, 5)");
}

float overlap(const float* a, const float* b) {
  const auto side = [](float a1, float a2, float b1, float b2) {
    return std::max(0.0f, std::min(a2, b2) - std::max(a1, b1));
  };
  const float shared = side(a[0], a[2], b[0], b[2]) * side(a[1], a[3], b[1], b[3]);
  return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared);
}

// Suppression as it is defined: every box against every better one.
std::vector<const float*> kept_rows(std::vector<const float*> rows, float limit) {
  std::stable_sort(rows.begin(), rows.end(), [](const float* a, const float* b) { return a[1] > b[1]; });
  std::vector<const float*> kept;
  for (const float* row : rows) {
    const bool suppressed = std::any_of(kept.begin(), kept.end(), [&](const float* other) {
      return other[0] == row[0] && overlap(other + 2, row + 2) > limit;
    });
    if (!suppressed) kept.push_back(row);
  }
  return kept;
}

TEST(BoxNms, OfManyBoxesIsWhatItIsDefinedAs) {
  constexpr std::int64_t kRows = 20000;
  Tensor data = test::random_tensor({kRows, 6}, 3, 0.0f, 100.0f);
  std::vector<const float*> rows;
  for (std::int64_t i = 0; i < kRows; ++i) {
    float* row = data.data<float>() + i * 6;
    row[0] = std::floor(row[0] / 34);
    row[1] = std::floor(row[1]) / 100;  // with ties
    row[4] = row[2] + 1 + row[4] / 8;
    row[5] = row[3] + 1 + row[5] / 8;
    if (row[1] > 0.25f) rows.push_back(row);
  }
  const auto expected = kept_rows(rows, 0.4f);
  for (int threads : {1, 2}) {
    test::RunOpOptions options;
    options.threads = threads;
    const Tensor out = std::move(test::run_op(
        "_contrib_box_nms", {{"overlap_thresh", "0.4"}, {"valid_thresh", "0.25"}, {"id_index", "0"}}, {&data},
        options)[0]);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE(std::equal(expected[i], expected[i] + 6, out.data<float>() + i * 6)) << "row " << i;
    }
    EXPECT_EQ(out.data<float>()[expected.size() * 6 + 1], -1.0f);
  }
}

// Anchors whose scores are NaN are the last that are mined.
TEST(MultiBoxTarget, MinesNoNanBeforeNumbers) {
  constexpr std::int64_t kAnchors = 60, kMined = 9;
  Tensor anchors(DType::float32, {1, kAnchors, 4}), scores(DType::float32, {1, 2, kAnchors});
  for (std::int64_t i = 0; i < kAnchors; ++i) {
    const float left = static_cast<float>(i) * 2;
    const float corners[] = {left, 0, left + 1, 1};
    std::copy(corners, corners + 4, anchors.data<float>() + i * 4);
    const bool is_nan = i % 2 == 1;
    scores.data<float>()[i] = is_nan ? std::nanf("") : static_cast<float>((i * 37) % 60) / 60;
    scores.data<float>()[kAnchors + i] = 0.5f;
  }
  const Tensor label = test::tensor_of<float>({1, 1, 5}, {0, 0, 0, 1, 1});  // that of the first anchor
  const auto targets = test::run_op(
      "_contrib_MultiBoxTarget", {{"negative_mining_ratio", std::to_string(kMined)}, {"ignore_label", "-1"}},
      {&anchors, &label, &scores});
  std::int64_t mined = 0;
  for (std::int64_t i = 1; i < kAnchors; ++i) {
    const float target = targets[2].data<float>()[i];
    mined += target == 0 ? 1 : 0;
    EXPECT_TRUE(target == -1 || i % 2 == 0) << i;
  }
  EXPECT_EQ(mined, kMined);
}

}  // namespace
}  // namespace mxinfer

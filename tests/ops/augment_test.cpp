// Transforms of training beyond what is recorded from GluonCV (tests/golden/ops/augment.npz): bad input, and
// what holds for any random numbers.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "support/run_seeded.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Tensor image(const Shape& shape) {
  Tensor tensor(DType::uint8, shape);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 37 + i / 100);
  }
  return tensor;
}

/// Black with a white rectangle: what box (left, top, right, bottom) holds.
Tensor white_box(std::int64_t height, std::int64_t width, const std::array<int, 4>& box) {
  Tensor tensor(DType::uint8, {height, width, 1});
  for (int y = box[1]; y < box[3]; ++y)
    std::fill_n(tensor.data<std::uint8_t>() + y * width + box[0], box[2] - box[0], 255);
  return tensor;
}

/// The box around what is white in an image (height, width, 1); all 0 if nothing is.
std::array<float, 4> around_white(const Tensor& image) {
  std::array<float, 4> box = {1e9f, 1e9f, 0, 0};
  const std::int64_t width = image.shape()[1];
  for (std::int64_t i = 0; i < image.elements(); ++i) {
    if (image.data<std::uint8_t>()[i] < 128) continue;
    const std::int64_t row = i / width;
    const auto x = static_cast<float>(i % width), y = static_cast<float>(row);
    box = {std::min(box[0], x), std::min(box[1], y), std::max(box[2], x + 1), std::max(box[3], y + 1)};
  }
  return box;
}

bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

/// Images and boxes or masks.
std::vector<Tensor> run_seeded(const std::string& op, const Attributes& attrs,
                               const std::vector<const Tensor*>& inputs, std::uint64_t seed,
                               int threads = 1) {
  return test::run_seeded(op, attrs, inputs, {.seed = seed, .threads = threads, .outputs = 2});
}

const Attributes kCrop = {{"size", "(60, 60)"}, {"interp", "0"}, {"max_trial", "10"}};

TEST(Augment, BoxesFollowTheirObjectsThroughAnyCrop) {
  const Tensor data = white_box(80, 100, {30, 20, 70, 60});
  const Tensor boxes = test::tensor_of<float>({1, 5}, {30, 20, 70, 60, 7});
  for (const char* ratio : {"1", "3"}) {
    Attributes attrs = kCrop;
    attrs["max_ratio"] = ratio;
    int moved = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const auto out = run_seeded("_mxinfer_random_crop_boxes", attrs, {&data, &boxes}, seed);
      const float* box = out[1].data<float>();
      ASSERT_EQ(box[4], 7);
      const auto seen = around_white(out[0]);
      for (std::size_t side = 0; side < 4; ++side)
        ASSERT_NEAR(box[side], seen[side], 2.1f) << "seed " << seed;
      moved += std::abs(box[0] - 18) > 3;
    }
    EXPECT_GT(moved, 20) << "max_ratio " << ratio;
  }
}

TEST(Augment, BoxesFollowTheirObjectsThroughExpansionsAndFlips) {
  const Tensor data = white_box(40, 50, {5, 10, 25, 22});
  const Tensor boxes = test::tensor_of<float>({1, 4}, {5, 10, 25, 22});
  const Attributes expand = {{"size", "(200, 160)"}, {"interp", "0"}, {"keep_ratio", "False"}};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto larger = run_seeded("_mxinfer_random_expand_boxes", expand, {&data, &boxes}, seed);
    const auto out = run_seeded("_mxinfer_random_flip_boxes", {{"px", "0.5"}, {"py", "0.5"}},
                                {larger.data(), &larger[1]}, seed);
    const auto seen = around_white(out[0]);
    for (std::size_t side = 0; side < 4; ++side)
      ASSERT_NEAR(out[1].data<float>()[side], seen[side], 1.1f) << seed;
  }
}

TEST(Augment, MasksFollowTheirImages) {
  Tensor data(DType::uint8, {50, 70, 3}), mask(DType::int32, {50, 70});
  for (std::int64_t i = 0; i < mask.elements(); ++i) {
    const bool inside = i / 70 > 20 && i % 70 > 30;
    mask.data<std::int32_t>()[i] = inside ? 9 : 0;
    std::fill_n(data.data<std::uint8_t>() + i * 3, 3, static_cast<std::uint8_t>(inside ? 255 : 0));
  }
  int mixed = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto out = run_seeded("_mxinfer_random_crop_mask", {{"crop_size", "32"}, {"base_size", "60"}},
                                {&data, &mask}, seed);
    ASSERT_EQ(out[0].shape(), (Shape{32, 32, 3}));
    ASSERT_EQ(out[1].shape(), (Shape{32, 32}));
    int wrong = 0, nines = 0;
    for (std::int64_t i = 0; i < 32 * 32; ++i) {
      const bool bright = out[0].data<std::uint8_t>()[i * 3] >= 128;
      wrong += bright != (out[1].data<std::int32_t>()[i] == 9);
      nines += out[1].data<std::int32_t>()[i] == 9;
    }
    EXPECT_LE(wrong, 64) << "seed " << seed;  // pixels at the borders of the object
    mixed += nines > 0 && nines < 32 * 32;
  }
  EXPECT_GT(mixed, 20);
}

TEST(Augment, TheSeedDecidesAndImagesDrawForThemselves) {
  Tensor data(DType::uint8, {8, 30, 40, 3}), boxes(DType::float32, {8, 1, 4});
  for (std::int64_t n = 0; n < 8; ++n) {
    const Tensor one = image({30, 40, 3});
    std::memcpy(data.data<std::uint8_t>() + n * one.elements(), one.raw(), one.bytes());
    for (const int side : {0, 1}) {
      boxes.data<float>()[n * 4 + side] = 8;
      boxes.data<float>()[n * 4 + 2 + side] = 25;
    }
  }
  const auto run = [&](std::uint64_t seed, int threads) {
    return run_seeded("_mxinfer_random_crop_boxes", kCrop, {&data, &boxes}, seed, threads);
  };
  const auto first = run(1, 1);
  for (const std::size_t o : {0u, 1u}) {
    EXPECT_TRUE(same(first[o], run(1, 1)[o]));
    EXPECT_TRUE(same(first[o], run(1, 2)[o]));
    EXPECT_FALSE(same(first[o], run(2, 1)[o]));
  }
  int as_first = 0;
  for (int n = 0; n < 8; ++n)
    as_first +=
        std::equal(first[1].data<float>(), first[1].data<float>() + 4, first[1].data<float>() + n * 4);
  EXPECT_LT(as_first, 8);
}

TEST(Augment, NoBoxesArePartsAllTheSame) {
  const Tensor data = image({30, 40, 3}), none(DType::float32, {0, 5});
  const auto out = run_seeded("_mxinfer_random_crop_boxes", kCrop, {&data, &none}, 3);
  EXPECT_EQ(out[0].shape(), (Shape{60, 60, 3}));
  EXPECT_EQ(out[1].shape(), (Shape{0, 5}));
  const auto flipped = run_seeded("_mxinfer_random_flip_boxes", {{"px", "1"}}, {&data, &none}, 3);
  EXPECT_TRUE(same(flipped[0], test::run_op("_image_flip_left_right", {}, {&data})[0]));
}

TEST(Augment, BoxesOfNaNAreDroppedByCrops) {
  const Tensor data = image({30, 40, 3}), draws(DType::float64, {247});
  const Tensor boxes =
      test::tensor_of<float>({3, 5}, {kNaN, 1, 9, 9, 1, 5, 5, 30, 25, 2, 1, kNaN, kNaN, kNaN, 3});
  const auto out = test::run_op("_mxinfer_drawn_crop_boxes", kCrop, {&data, &boxes, &draws});
  // No part overlaps with a NaN by some share, so that the whole image is what is left.
  const float* box = out[1].data<float>();
  EXPECT_FLOAT_EQ(box[0], 5 * 60 / 40.0f);
  EXPECT_FLOAT_EQ(box[3], 25 * 60 / 30.0f);
  EXPECT_EQ(box[4], 2);
  for (int i = 5; i < 15; ++i) EXPECT_EQ(box[i], -1);
}

TEST(Augment, BoxesOfNothingButNaNStay) {
  const Tensor data = image({30, 40, 3}), draws(DType::float32, {247});
  const Tensor boxes = test::tensor_of<float>({1, 4}, {kNaN, kNaN, kNaN, kNaN});
  const auto out = test::run_op("_mxinfer_drawn_crop_boxes", kCrop, {&data, &boxes, &draws});
  EXPECT_TRUE(std::isnan(out[1].data<float>()[0]));
}

TEST(Augment, DrawsOutsideOfTheirRangeCountAsItsEnds) {
  const Tensor data = image({6, 8, 3}), boxes = test::tensor_of<float>({1, 4}, {1, 1, 4, 5});
  const auto run = [&](float value) {
    Tensor draws(DType::float32, {247});
    std::fill_n(draws.data<float>(), 247, value);
    return std::move(test::run_op("_mxinfer_drawn_crop_boxes", kCrop, {&data, &boxes, &draws})[0]);
  };
  EXPECT_TRUE(same(run(kNaN), run(0)));
  EXPECT_TRUE(same(run(-5), run(0)));
  EXPECT_TRUE(same(run(1e30f), run(1)));
}

TEST(Augment, PartsThatLeaveNoPlaceAreNoCandidates) {
  const Tensor data = image({1, 1, 3}), boxes = test::tensor_of<float>({1, 4}, {0, 0, 1, 1});
  const auto out = run_seeded("_mxinfer_random_crop_boxes", kCrop, {&data, &boxes}, 1);
  EXPECT_EQ(out[1].data<float>()[2], 60);
}

struct Bad {
  const char* name;
  const char* op;
  Attributes attrs;
  std::vector<Shape> shapes;  ///< of data (uint8) and others (float32)
  const char* message;
};

void PrintTo(const Bad& bad, std::ostream* out) {
  *out << bad.name;
}

class BadAugment : public testing::TestWithParam<Bad> {};

TEST_P(BadAugment, SaysWhatWasExpected) {
  const Bad& bad = GetParam();
  std::vector<Tensor> tensors;
  for (const Shape& shape : bad.shapes)
    tensors.emplace_back(tensors.empty() ? DType::uint8 : DType::float32, shape);
  std::vector<const Tensor*> inputs;
  for (const Tensor& tensor : tensors) inputs.push_back(&tensor);
  EXPECT_MXINFER_ERROR(test::run_op(bad.op, bad.attrs, inputs), ErrorCode::invalid_argument, {bad.message});
}

const std::vector<Bad> kBad = {
    {"no_height", "_mxinfer_random_crop_boxes", kCrop, {{0, 8, 3}, {1, 4}}, "both sides must be at least 1"},
    {"size_0",
     "_mxinfer_random_crop_boxes",
     {{"size", "(0, 8)"}},
     {{6, 8, 3}, {1, 4}},
     "sides must be at least 1"},
    {"channels", "_mxinfer_random_crop_boxes", kCrop, {{6, 8, 2}, {1, 4}}, "2 channels"},
    {"three_columns", "_mxinfer_random_flip_boxes", {}, {{6, 8, 3}, {1, 3}}, "boxes have shape (1, 3)"},
    {"boxes_of_a_batch",
     "_mxinfer_random_flip_boxes",
     {},
     {{6, 8, 3}, {1, 1, 4}},
     "expected (count, columns)"},
    {"other_batch",
     "_mxinfer_random_flip_boxes",
     {},
     {{2, 6, 8, 3}, {3, 1, 4}},
     "expected (2, count, columns)"},
    {"few_draws", "_mxinfer_drawn_crop_boxes", kCrop, {{6, 8, 3}, {1, 4}, {246}}, "of 247 numbers at least"},
    {"draws_of_a_batch",
     "_mxinfer_drawn_flip_boxes",
     {},
     {{2, 6, 8, 3}, {2, 1, 4}, {2}},
     "draws have shape (2,)"},
    {"other_overlaps",
     "_mxinfer_random_crop_boxes",
     {{"size", "8"}, {"min_overlap", "(0.1, 0.2)"}},
     {{6, 8, 3}, {1, 4}},
     "min_overlap and max_overlap have 2 and 6"},
    {"scales",
     "_mxinfer_random_crop_boxes",
     {{"size", "8"}, {"min_scale", "0.9"}, {"max_scale", "0.5"}},
     {{6, 8, 3}, {1, 4}},
     "the smaller one was expected first"},
    {"fill",
     "_mxinfer_random_expand_boxes",
     {{"size", "8"}, {"fill", "(1, 2)"}},
     {{6, 8, 3}, {1, 4}},
     "fill has 2"},
    {"bright_fill",
     "_mxinfer_random_expand_boxes",
     {{"size", "8"}, {"fill", "256"}},
     {{6, 8, 3}, {1, 4}},
     "fill is 256"},
    {"other_mask", "_mxinfer_random_crop_mask", {}, {{6, 8, 3}, {8, 6}}, "the mask has shape (8, 6)"},
    {"mask_with_channel", "_mxinfer_center_crop_mask", {}, {{6, 8, 3}, {6, 8, 1}}, "a mask of shape (6, 8)"},
    {"thin",
     "_mxinfer_random_crop_mask",
     {{"base_size", "20"}},
     {{1, 800, 3}, {1, 800}},
     "sides must be at least 1"},
    {"long", "_mxinfer_center_crop_mask", {}, {{1, 900000, 3}, {1, 900000}}, "would become one of"}};

INSTANTIATE_TEST_SUITE_P(All, BadAugment, testing::ValuesIn(kBad),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST(Augment, OtherDTypesAreRefused) {
  const Tensor data = image({6, 8, 3}), ints(DType::int32, {1, 4}), floats(DType::float32, {6, 8, 3});
  EXPECT_MXINFER_ERROR(test::run_op("_mxinfer_random_flip_boxes", {}, {&data, &ints}), ErrorCode::unsupported,
                       {"boxes of int32", "float32 or float64"});
  const Tensor boxes(DType::float32, {1, 4}), draws(DType::uint8, {2}), mask(DType::uint8, {6, 8});
  EXPECT_MXINFER_ERROR(test::run_op("_mxinfer_drawn_flip_boxes", {}, {&data, &boxes, &draws}),
                       ErrorCode::unsupported, {"draws of uint8"});
  EXPECT_MXINFER_ERROR(test::run_op("_mxinfer_random_crop_mask", {}, {&floats, &mask}),
                       ErrorCode::unsupported, {"images of float32", "uint8"});
}

}  // namespace
}  // namespace mxinfer

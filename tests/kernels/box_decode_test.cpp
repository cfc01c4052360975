// The vector kernel of box_decode against the plain one.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cases/box_decode_cases.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

std::vector<float> run(const BoxDecodeArgs& given, std::int64_t rows, Target target) {
  std::vector<float> boxes(static_cast<std::size_t>(rows * 4), -7.0f);
  BoxDecodeArgs args = given;
  args.dst = boxes.data();
  const BoxDecodeFn decode =
      target == Target::ref ? select_box_decode(ElementType::float32) : select_box_decode_f32(target);
  // In two parts, as threads share them.
  decode(args, 0, rows / 2);
  decode(args, rows / 2, rows);
  return boxes;
}

TEST(BoxDecode, VectorsAgreeWithTheReference) {
  for (const cases::BoxDecode& c : cases::kBoxDecode) {
    if (c.label.large) continue;
    SCOPED_TRACE(c.label.name);
    const cases::BoxDecodeData data(c);
    const BoxDecodeArgs args = data.args(nullptr);
    const std::vector<float> expected = run(args, data.rows(), Target::ref);
    for (const Target target : test::targets()) {
      const std::vector<float> actual = run(args, data.rows(), target);
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(actual[i], expected[i], 1e-6 * (1 + std::abs(expected[i])))
            << to_string(target) << ", " << i;
    }
  }
}

TEST(BoxDecode, WhatIsNoNumberStaysSo) {
  const float kNaN = std::numeric_limits<float>::quiet_NaN(),
              kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> codes = {kNaN, 0, 0, 0, 0, 0, kNaN, 0, 0, 0, kInfinity, 0, 0, 0, 0, -kInfinity};
  const std::vector<float> anchors = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
  for (const float clip : {-1.0f, 2.0f}) {
    BoxDecodeArgs args;
    args.data = codes.data();
    args.anchors = anchors.data();
    args.anchor_count = 4;
    args.clip = clip;
    const std::vector<float> expected = run(args, 4, Target::ref);
    for (const Target target : test::targets()) {
      const std::vector<float> actual = run(args, 4, target);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::isfinite(expected[i])) {
          EXPECT_NEAR(actual[i], expected[i], 1e-5) << to_string(target) << ", " << i;
        } else {
          EXPECT_EQ(std::isnan(actual[i]), std::isnan(expected[i])) << to_string(target) << ", " << i;
          EXPECT_EQ(std::isinf(actual[i]), std::isinf(expected[i])) << to_string(target) << ", " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer::kernels

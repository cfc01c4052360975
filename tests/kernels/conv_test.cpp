// The rows of the convolution family against the reference row, on shapes that straddle every block size.
#include "kernels/conv/conv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "conv_problem.h"
#include "random_conv.h"

namespace mxinfer {
namespace {

using namespace test;

void check(const ConvShape& incomplete, bool with_bias = true, bool with_residual = false,
           kernels::Epilogue epilogue = {}) {
  const ConvShape shape = completed(incomplete);
  const Problem problem(shape);
  const ConvArgs<float> args = problem.args(with_bias, with_residual, epilogue);
  const std::vector<float> expected = run(kernels::conv_ref<float>(), args);
  for (Target target : vector_targets()) {
    SCOPED_TRACE(describe(shape) + " on " + to_string(target));
    const std::vector<float> gemm = run(kernels::conv_gemm(target), args);
    expect_near(gemm, expected, tolerance(shape));
    const std::vector<float> again = run(kernels::conv_gemm(target), args, true);
    EXPECT_EQ(std::memcmp(gemm.data(), again.data(), gemm.size() * sizeof(float)), 0);
    if (is_depthwise(shape))
      expect_near(run(kernels::conv_depthwise(target), args), expected, tolerance(shape));
  }
}

TEST(Conv, GemmIsExactAroundEveryBlockSize) {
  for (std::int64_t filters : {1, 5, 6, 7, 11, 12, 13, 24, 25}) check(plane(3, filters, 5, 7, 3, 1, 1));
  for (std::int64_t width : {1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65})
    check(plane(2, 7, 3, width, 1));
  for (std::int64_t width : {95, 96, 97, 191, 192, 193, 385}) check(plane(2, 7, 1, width, 1));
  for (std::int64_t channels : {255, 256, 257, 513, 700}) check(plane(channels, 7, 3, 6, 1), true, true);
  check(plane(60, 13, 9, 11, 3, 1, 1), true, true);
  check(plane(64, 200, 7, 7, 3, 1, 1));
}

TEST(Conv, GemmIsExactForStridesPadsAndRanks) {
  check_strides_pads_and_ranks([](const ConvShape& s, bool more) { check(s, more, more); });
}

TEST(Conv, DepthwiseIsExactForEveryFilterAndStride) {
  for (std::int64_t width : {1, 3, 7, 8, 9, 15, 16, 17, 33}) {
    for (std::int64_t k : {1, 3, 5, 7}) {
      for (std::int64_t stride : {1, 2, 3}) {
        ConvShape s = plane(3, 3, 18, width, k, stride, k / 2);
        s.groups = 3;
        check(s);
      }
    }
  }
  ConvShape s = plane(3, 6, 20, 21, 3, 2, 4);
  s.batch = 2;
  s.groups = 3;
  s.dilate = {1, 2, 3};
  check(s, true, true, {kernels::Activation::relu, 0, 0});
}

TEST(Conv, RandomShapesAreExact) {
  test::RandomConv random(7, {});
  for (int i = 0; i < 150; ++i) {
    const ConvShape shape = random.shape();
    const bool bias = random.coin(), residual = random.coin();
    check(shape, bias, residual, random.epilogue());
  }
}

TEST(Conv, EveryActivationFollowsBiasAndResidual) {
  for (int activation = 0; activation <= static_cast<int>(kernels::Activation::gelu_tanh); ++activation) {
    const kernels::Epilogue epilogue{static_cast<kernels::Activation>(activation), -0.25f, 0.5f};
    check(plane(3, 7, 6, 7, 3, 1, 1), true, true, epilogue);
    check(plane(300, 7, 3, 7, 1), false, true, epilogue);
    ConvShape s = plane(4, 4, 6, 11, 3, 1, 1);
    s.groups = 4;
    check(s, true, true, epilogue);
  }
}

TEST(Conv, ReluKeepsNaN) {
  Problem problem(completed(plane(1, 7, 1, 40, 1)));
  problem.src[3] = problem.src[38] = NAN;
  const auto args = problem.args(true, false, {kernels::Activation::relu, 0, 0});
  for (Target target : vector_targets()) {
    const auto out = run(kernels::conv_gemm(target), args);
    EXPECT_TRUE(std::isnan(out[3]) && std::isnan(out[38]) && !std::isnan(out[4]));
  }
}

TEST(Conv, SelectsByShapeAndTarget) {
  const char* reason = "";
  const auto name = [&](const ConvShape& s, Target target) {
    return std::string(select_conv(completed(s), target, &reason).name);
  };
  ConvShape depthwise = plane(8, 8, 9, 9, 3);
  depthwise.groups = 8;
  EXPECT_EQ(name(plane(3, 8, 9, 9, 3), Target::ref), "conv_ref_f32");
  EXPECT_EQ(name(plane(3, 8, 9, 9, 3), Target::baseline), "conv_gemm_f32");
  EXPECT_EQ(name(depthwise, Target::baseline), "conv_depthwise_f32");
  EXPECT_EQ(name(depthwise, Target::ref), "conv_ref_f32");
  EXPECT_EQ(name(plane(64, 64, 56, 56, 3, 1, 1), Target::baseline), "conv_gemm_f32");
  EXPECT_EQ(name(plane(64, 64, 56, 56, 3, 1, 1), Target::ref), "conv_ref_f32");
}

}  // namespace
}  // namespace mxinfer

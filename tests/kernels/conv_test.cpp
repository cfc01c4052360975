// The rows of the convolution family against the reference row, on shapes that straddle every block size.
#include "kernels/conv/conv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "support/run_op.h"

namespace mxinfer {
namespace {

using kernels::ConvArgs;
using kernels::ConvKernel;
using kernels::ConvShape;
using kernels::Spatial;
using kernels::Target;
using kernels::volume;

std::vector<Target> vector_targets() {
  std::vector<Target> targets = test::targets();
  std::erase(targets, Target::ref);
  return targets;
}

std::vector<float> random_floats(std::int64_t count, unsigned seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(-1.0f, 1.0f);
  for (float& value : values) value = distribution(generator);
  return values;
}

ConvShape completed(ConvShape s) {
  for (std::size_t i = 0; i < 3; ++i) {
    s.output[i] = (s.input[i] + 2 * s.pad[i] - s.dilate[i] * (s.kernel[i] - 1) - 1) / s.stride[i] + 1;
  }
  return s;
}

std::string describe(const ConvShape& s) {
  std::ostringstream text;
  const auto put = [&](const char* name, const Spatial& v) {
    text << ' ' << name << ' ' << v[0] << 'x' << v[1] << 'x' << v[2];
  };
  text << "batch " << s.batch << " channels " << s.channels << " filters " << s.filters << " groups "
       << s.groups;
  put("input", s.input);
  put("kernel", s.kernel);
  put("stride", s.stride);
  put("pad", s.pad);
  put("dilate", s.dilate);
  return text.str();
}

/// The operands of a convolution with random values.
struct Problem {
  ConvShape shape;
  std::vector<float> src, weight, bias, residual;

  explicit Problem(const ConvShape& s)
      : shape(s),
        src(random_floats(s.batch * s.channels * volume(s.input), 1)),
        weight(random_floats(s.weight_elements(), 2)),
        bias(random_floats(s.filters, 3)),
        residual(random_floats(s.batch * s.filters * volume(s.output), 4)) {}

  ConvArgs<float> args(bool with_bias, bool with_residual, kernels::Epilogue epilogue) const {
    ConvArgs<float> a;
    a.shape = shape;
    a.epilogue = epilogue;
    a.src = src.data();
    a.weight = weight.data();
    if (with_bias) a.bias = bias.data();
    if (with_residual) a.residual = residual.data();
    return a;
  }
};

std::vector<float> run(const ConvKernel& kernel, ConvArgs<float> args, bool backwards = false) {
  const ConvShape& s = args.shape;
  std::vector<float> packed, dst(static_cast<std::size_t>(s.batch * s.filters * volume(s.output)), NAN);
  if (kernel.packing != nullptr) {
    packed.resize(static_cast<std::size_t>(kernel.packed_elements(s)));
    kernel.pack(s, args.weight, packed.data());
    args.weight = packed.data();
  }
  std::vector<float> scratch(static_cast<std::size_t>(kernel.scratch_elements(s)), NAN);
  args.dst = dst.data();
  const std::int64_t tasks = kernel.tasks(s);
  if (backwards) {
    for (std::int64_t t = tasks - 1; t >= 0; --t) kernel.run(args, t, t + 1, scratch.data());
  } else {
    kernel.run(args, 0, tasks, scratch.data());
  }
  return dst;
}

/// Partial sums of products of numbers in [-1, 1) grow to sqrt(depth) / 3, each addition errs by half an
/// epsilon of one, and the errors add up like a random walk: epsilon * depth / 8 or so. Four times that
/// covers its tail.
double tolerance(const ConvShape& s) {
  return 1e-6 + 6e-8 * static_cast<double>(s.depth());
}

void expect_near(const std::vector<float>& a, const std::vector<float>& b, double tolerance_) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance_) << "at " << i;
}

/// The transforms add a few roundings of values that are up to some hundred times as large as the sums.
double winograd_tolerance(const ConvShape& s) {
  return 2e-5 + 8 * tolerance(s);
}

void check_winograd(const ConvArgs<float>& args, Target target, const std::vector<float>& expected) {
  for (int outputs : {2, 4}) {
    SCOPED_TRACE(outputs);
    const ConvKernel& row = kernels::conv_winograd(target, outputs);
    const std::vector<float> result = run(row, args);
    expect_near(result, expected, winograd_tolerance(args.shape));
    ConvArgs<float> split = args;
    split.shape.wanted_tasks = 64;
    const std::vector<float> again = run(row, split, true);
    EXPECT_EQ(std::memcmp(result.data(), again.data(), result.size() * sizeof(float)), 0);
  }
}

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
    if (is_winograd(shape)) check_winograd(args, target, expected);
  }
}

ConvShape plane(std::int64_t channels, std::int64_t filters, std::int64_t h, std::int64_t w, std::int64_t k,
                std::int64_t stride = 1, std::int64_t pad = 0) {
  ConvShape s;
  s.channels = channels;
  s.filters = filters;
  s.input = {1, h, w};
  s.kernel = {1, k, k};
  s.stride = {1, stride, stride};
  s.pad = {0, pad, pad};
  return s;
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
  check(plane(3, 8, 37, 41, 7, 2, 3));
  check(plane(3, 8, 37, 41, 3, 3, 2));
  check(plane(3, 8, 9, 5, 5, 1, 4));
  check(plane(3, 8, 14, 14, 1, 2));
  ConvShape s = plane(4, 6, 12, 13, 3, 2, 3);
  s.dilate = {1, 3, 2};
  check(s);
  s.batch = 3;
  s.groups = 2;
  check(s, true, true);
  s = plane(4, 6, 1, 50, 1);
  s.kernel = {1, 1, 5};
  s.pad = {0, 0, 6};
  s.dilate = {1, 1, 3};
  check(s);
  s = plane(4, 6, 6, 7, 3, 2, 1);
  s.input[0] = 5;
  s.kernel[0] = 3;
  s.pad[0] = 2;
  s.dilate[0] = 2;
  check(s);
  s.groups = 4;
  s.filters = 8;
  check(s);
}

TEST(Conv, WinogradIsNearForEverySizeOfPlane) {
  for (std::int64_t height : {1, 3, 4, 5, 8, 9}) {
    for (std::int64_t width : {1, 2, 4, 7, 8, 9, 16, 17, 31, 33, 35, 64, 67}) {
      check(plane(3, 7, height, width, 3, 1, 1), true, true, {kernels::Activation::relu, 0, 0});
    }
  }
  for (std::int64_t pad : {0, 1, 2, 3}) check(plane(5, 13, 9, 12, 3, 1, pad));
  for (std::int64_t filters : {1, 6, 12, 23, 24, 25, 50}) check(plane(17, filters, 14, 14, 3, 1, 1));
  check(plane(64, 64, 56, 56, 3, 1, 1), true, true);
  check(plane(256, 64, 14, 14, 3, 1, 1), true, true);
  check(plane(512, 24, 7, 7, 3, 1, 1));
  ConvShape s = plane(20, 30, 11, 13, 3, 1, 1);
  s.batch = 3;
  check(s, false, true, {kernels::Activation::gelu_erf, 0, 0});
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
  std::mt19937 generator(7);
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(generator);
  };
  for (int i = 0; i < 150; ++i) {
    ConvShape s;
    s.batch = pick(1, 2);
    s.groups = pick(0, 2) == 0 ? pick(2, 4) : 1;
    s.channels = s.groups * pick(1, 9);
    s.filters = s.groups * pick(1, 20);
    for (std::size_t a = pick(0, 4) == 0 ? 0 : 1; a < 3; ++a) {
      s.kernel[a] = pick(1, 4);
      s.dilate[a] = pick(1, 2);
      s.stride[a] = pick(1, 3);
      s.pad[a] = pick(0, 3);
      s.input[a] =
          std::max<std::int64_t>(1, s.dilate[a] * (s.kernel[a] - 1) + 1 - 2 * s.pad[a]) + pick(0, 20);
    }
    check(s, pick(0, 1) == 1, pick(0, 1) == 1,
          {pick(0, 1) == 1 ? kernels::Activation::relu : kernels::Activation::none});
  }
}

TEST(Conv, EveryActivationFollowsBiasAndResidual) {
  for (int activation = 0; activation <= static_cast<int>(kernels::Activation::swish); ++activation) {
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
  EXPECT_EQ(name(plane(64, 64, 56, 56, 3, 1, 1), Target::baseline), "conv_winograd4_f32");
  EXPECT_EQ(name(plane(512, 512, 7, 7, 3, 1, 1), Target::baseline), "conv_winograd2_f32");
  EXPECT_EQ(name(plane(64, 64, 56, 56, 3, 2, 1), Target::baseline), "conv_gemm_f32");
  EXPECT_EQ(name(plane(64, 64, 56, 56, 3, 1, 1), Target::ref), "conv_ref_f32");
}

}  // namespace
}  // namespace mxinfer

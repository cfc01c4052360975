// The float32 convolutions against the reference that reads the other layout, on shapes that straddle every
// block size.
#include "kernels/conv/conv.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "conv_problem.h"
#include "random_conv.h"
#include "support/networks/many.h"

namespace mxinfer {
namespace {

using namespace test;
using kernels::SrcLayout;

/// (batch, channels, positions) -> (batch, positions, channels).
std::vector<float> channels_last(const std::vector<float>& from, std::int64_t batch, std::int64_t channels) {
  std::vector<float> to(from.size());
  const std::int64_t positions = static_cast<std::int64_t>(from.size()) / batch / channels;
  for (std::int64_t n = 0; n < batch; ++n) {
    for (std::int64_t c = 0; c < channels; ++c) {
      for (std::int64_t i = 0; i < positions; ++i) {
        to[static_cast<std::size_t>((n * positions + i) * channels + c)] =
            from[static_cast<std::size_t>((n * channels + c) * positions + i)];
      }
    }
  }
  return to;
}

struct Tested {
  const ConvImpl* impl;
  SrcLayout layout;
  double tolerance;
};

/// The reference reads either layout.
ConvProblem with_layout(ConvProblem problem, SrcLayout layout) {
  problem.src_layout = layout;
  return problem;
}

/// The reference on channels-first src; dst and residual are channels-last.
std::vector<float> run_ref(ConvArgs args) {
  args.problem.src_layout = SrcLayout::nchw;
  return run(kernels::conv_ref(args.problem), args);
}

/// The algorithms of conv_list.inc for the problem that are not among the implementations yet.
void add_listed(const ConvProblem& s, Target target, std::vector<Tested>& impls) {
  for (const kernels::ConvCandidate& candidate : kernels::conv_candidates(s, target)) {
    const bool known = std::any_of(impls.begin(), impls.end(),
                                   [&](const Tested& tested) { return tested.impl == candidate.impl; });
    if (known) continue;
    impls.push_back(
        {candidate.impl, SrcLayout::nhwc, candidate.impl->winograd ? winograd_tolerance(s) : tolerance(s)});
  }
}

std::vector<Tested> impls_of(const ConvProblem& s, Target target) {
  std::vector<Tested> impls{{&kernels::conv_ref(s), SrcLayout::nhwc, tolerance(s)},
                            {&kernels::conv_direct(target), SrcLayout::nhwc, tolerance(s)}};
  if (kernels::reads_nchw(s)) {
    for (SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw})
      impls.push_back({&kernels::conv_strip(layout, target), layout, tolerance(s)});
  }
  if (is_depthwise(s) && s.filters == s.channels)
    impls.push_back({&kernels::conv_depthwise(target), SrcLayout::nhwc, tolerance(s)});
  if (is_winograd(s)) {
    for (int outputs : {2, 4}) {
      for (const ConvImpl* impl :
           {&kernels::conv_winograd(target, outputs), &kernels::conv_winograd_compact(target, outputs)})
        impls.push_back({impl, SrcLayout::nhwc, winograd_tolerance(s)});
    }
  }
  if (target != Target::ref) add_listed(s, target, impls);
  return impls;
}

/// The same rows, `gap` elements of NaN behind each.
std::vector<float> with_gaps(const float* rows, std::int64_t count, std::int64_t length, std::int64_t gap) {
  std::vector<float> apart(static_cast<std::size_t>(count * (length + gap)), NAN);
  for (std::int64_t r = 0; r < count; ++r)
    std::copy_n(rows + r * length, length, apart.data() + r * (length + gap));
  return apart;
}

/// Strided src and dst give the same results as dense ones, and nothing is written between their rows.
void check_apart(const Tested& tested, ConvArgs args, const std::vector<float>& together) {
  const ConvProblem& s = args.problem;
  const auto filters = static_cast<std::size_t>(s.filters);
  const std::vector<float> src =
      with_gaps(kernels::typed<float>(args.src), s.batch * volume(s.input), s.channels, 5);
  if (tested.layout == SrcLayout::nhwc) {
    args.src = src.data();
    args.src_stride = s.channels + 5;
  }
  args.dst_stride = s.filters + 3;
  const std::vector<float> apart = run(*tested.impl, args);
  for (std::size_t row = 0; row * filters < together.size(); ++row) {
    const float* from = apart.data() + row * (filters + 3);
    ASSERT_EQ(std::memcmp(from, together.data() + row * filters, filters * sizeof(float)), 0);
    for (std::size_t gap = filters; gap < filters + 3; ++gap) ASSERT_TRUE(std::isnan(from[gap]));
  }
}

void check_conv(const ConvProblem& incomplete, bool with_bias = true, bool with_residual = false,
                kernels::PostOps post_ops = {}) {
  const ConvProblem shape = completed(incomplete);
  const Problem problem(shape);
  ConvArgs args = problem.args(with_bias, with_residual, post_ops);
  const std::vector<float> expected = run_ref(args);
  const std::vector<float> src = channels_last(problem.src, shape.batch, shape.channels);
  for (Target target : vector_targets()) {
    for (const Tested& tested : impls_of(shape, target)) {
      SCOPED_TRACE(describe(shape) + " by " + tested.impl->name + " on " + to_string(target));
      args.problem.src_layout = tested.layout;
      args.src = tested.layout == SrcLayout::nhwc ? src.data() : problem.src.data();
      const std::vector<float> result = run(*tested.impl, args);
      expect_near(result, expected, tested.tolerance);
      ConvArgs split = args;
      split.problem.task_hint = 64;
      const std::vector<float> again = run(*tested.impl, split, true);
      EXPECT_EQ(std::memcmp(result.data(), again.data(), result.size() * sizeof(float)), 0);
      check_apart(tested, args, result);
    }
  }
}

TEST(Conv, IsExactAroundEveryBlockSize) {
  for (std::int64_t filters : {1, 5, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 130})
    check_conv(conv2d(3, filters, 5, 7, 3, 1, 1));
  for (std::int64_t width : {1, 5, 6, 7, 11, 12, 13, 23, 24, 25, 240, 241})
    check_conv(conv2d(2, 7, 1, width, 1));
  for (std::int64_t channels : {1, 7, 8, 9, 15, 16, 17, 255, 700})
    check_conv(conv2d(channels, 7, 3, 6, 1), true, true);
  check_conv(conv2d(60, 13, 9, 11, 3, 1, 1), true, true);
  check_conv(conv2d(64, 200, 7, 7, 3, 1, 1));
}

// Blocks of depth are parts of a run of channels, or some runs.
TEST(Conv, IsExactForSumsOfSeveralBlocks) {
  for (std::int64_t channels : {127, 128, 255, 256, 257, 511, 513, 700, 1023, 1025, 2100})
    check_conv(conv2d(channels, 70, 4, 5, 1), true, true, {kernels::Activation::relu, 0, 0});
  for (std::int64_t channels : {10, 30, 100, 130, 270})
    check_conv(conv2d(channels, 17, 5, 5, 3, 2, 1), true, true);
}

TEST(Conv, IsExactForStridesPadsAndRanks) {
  check_strides_pads_and_ranks([](const ConvProblem& s, bool more) { check_conv(s, more, more); });
}

TEST(Conv, WinogradIsNearForEverySizeOfPlane) {
  for (std::int64_t height : {1, 3, 4, 5, 8, 9}) {
    for (std::int64_t width : {1, 2, 4, 7, 8, 17, 33})
      check_conv(conv2d(9, 7, height, width, 3, 1, 1), true, true, {kernels::Activation::relu, 0, 0});
  }
  for (std::int64_t pad : {0, 1, 2, 3}) check_conv(conv2d(5, 13, 9, 12, 3, 1, pad));
  for (std::int64_t filters : {1, 16, 17, 63, 64, 65, 130}) check_conv(conv2d(17, filters, 14, 14, 3, 1, 1));
  const std::int64_t large = test::kManyDivisor == 1 ? 56 : 20;
  check_conv(conv2d(64, 64, large, large, 3, 1, 1), true, true);
  check_conv(conv2d(256, 64, 14, 14, 3, 1, 1), true, true);
  check_conv(conv2d(390, 20, 6, 5, 3, 1, 1), true, true);
  ConvProblem s = conv2d(20, 30, 11, 13, 3, 1, 1);
  s.batch = 3;
  check_conv(s, false, true, {kernels::Activation::gelu_erf, 0, 0});
}

// The tiles of a dilated convolution are those of the images that its remainders make, of different sizes.
TEST(Conv, WinogradIsNearForEveryDilation) {
  for (std::int64_t down : {1, 2, 3, 7, 20}) {
    for (std::int64_t right : {1, 2, 5, 18}) {
      for (std::int64_t height : {1, 4, 9, 17}) {
        ConvProblem s = conv2d(9, 20, height, 15, 3);
        s.dilate = {1, down, right};
        s.pad = {0, down, right};
        check_conv(s, true, true, {kernels::Activation::relu, 0, 0});
      }
    }
  }
  ConvProblem valid = conv2d(20, 33, 23, 30, 3);
  valid.dilate = {1, 4, 3};
  valid.batch = 2;
  check_conv(valid, false, true, {kernels::Activation::gelu_erf, 0, 0});
}

TEST(Conv, DepthwiseIsExactForEveryFilterAndStride) {
  for (std::int64_t channels : {3, 8, 19}) {
    for (std::int64_t width : {1, 3, 7, 8, 9, 33}) {
      for (std::int64_t k : {1, 3, 5, 7}) {
        for (std::int64_t stride : {1, 2, 3}) {
          ConvProblem s = conv2d(channels, channels, 18, width, k, stride, k / 2);
          s.groups = channels;
          check_conv(s);
        }
      }
    }
  }
  // Rows of outputs are computed two at a time, with lines of inputs outside above and below.
  for (std::int64_t height : {1, 2, 3, 5}) {
    for (std::int64_t stride : {1, 2}) {
      for (std::int64_t pad : {0, 1, 2}) {
        ConvProblem s = conv2d(35, 35, height, 6, 3, stride, pad);
        s.groups = 35;
        if (height + 2 * pad >= 3) check_conv(s, true, true, {kernels::Activation::relu, 0, 0});
      }
    }
  }
  ConvProblem s = conv2d(18, 18, 20, 21, 3, 2, 4);
  s.batch = 2;
  s.groups = 18;
  s.dilate = {1, 2, 3};
  check_conv(s, true, true, {kernels::Activation::relu, 0, 0});
}

TEST(Conv, RandomShapesAreExact) {
  test::RandomConv random(11, {3, 20, 40, 4, 20});
  for (int i = 0; i < test::many(150); ++i) {
    const ConvProblem shape = random.shape();
    const bool bias = random.coin(), residual = random.coin();
    check_conv(shape, bias, residual, random.post_ops());
  }
}

TEST(Conv, EveryActivationFollowsBiasAndResidual) {
  for (int activation = 0; activation <= static_cast<int>(kernels::Activation::gelu_tanh); ++activation) {
    const kernels::PostOps post_ops{static_cast<kernels::Activation>(activation), -0.25f, 0.5f};
    check_conv(conv2d(3, 7, 6, 7, 3, 1, 1), true, true, post_ops);
    check_conv(conv2d(300, 7, 3, 7, 1), false, true, post_ops);
    ConvProblem s = conv2d(9, 9, 6, 11, 3, 1, 1);
    s.groups = 9;
    check_conv(s, true, true, post_ops);
  }
}

// A border gives the same results as if it had been written into src.
TEST(Conv, ABorderTakesThePlaceOfZeros) {
  ConvProblem grouped = conv2d(8, 6, 7, 9, 3, 2, 2);
  grouped.groups = 2;
  for (const ConvProblem& incomplete : {conv2d(3, 20, 9, 11, 7, 2, 3), conv2d(17, 18, 9, 8, 3, 1, 1),
                                        conv2d(5, 7, 4, 20, 3, 3, 2), grouped}) {
    const ConvProblem shape = completed(incomplete);
    ConvProblem wide = shape;
    wide.input = {1, shape.input[1] + 2 * shape.pad[1], shape.input[2] + 2 * shape.pad[2]};
    wide.pad = {0, 0, 0};
    Problem outer(wide), inner(shape);
    inner.weight = outer.weight;
    inner.bias = outer.bias;
    std::vector<float> border;
    for (std::int64_t c = 0; c < shape.channels; ++c) border.push_back(0.25f * static_cast<float>(c) - 1);
    std::size_t i = 0, at = 0;
    for (std::int64_t nc = 0; nc < shape.batch * shape.channels; ++nc) {
      for (std::int64_t h = -shape.pad[1]; h < shape.input[1] + shape.pad[1]; ++h) {
        for (std::int64_t w = -shape.pad[2]; w < shape.input[2] + shape.pad[2]; ++w, ++i) {
          if (h < 0 || h >= shape.input[1] || w < 0 || w >= shape.input[2]) {
            outer.src[i] = border[static_cast<std::size_t>(nc % shape.channels)];
          } else {
            inner.src[at++] = outer.src[i];
          }
        }
      }
    }
    const std::vector<float> expected = run_ref(outer.args(true, false, {}));
    const std::vector<float> last = channels_last(inner.src, shape.batch, shape.channels);
    ConvArgs args = inner.args(true, false, {});
    args.border = border.data();
    for (Target target : vector_targets()) {
      for (const Tested& tested : impls_of(shape, target)) {
        SCOPED_TRACE(describe(shape) + " by " + tested.impl->name + " on " + to_string(target));
        args.problem.src_layout = tested.layout;
        args.src = tested.layout == SrcLayout::nhwc ? last.data() : inner.src.data();
        expect_near(run(*tested.impl, args), expected, 2 * tested.tolerance);
      }
    }
  }
}

TEST(Conv, SlopesAreThoseOfPrelu) {
  ConvProblem depthwise = conv2d(19, 19, 6, 11, 3, 1, 1), grouped = conv2d(8, 42, 7, 9, 3, 2, 1);
  depthwise.groups = 19;
  grouped.groups = 2;
  for (const ConvProblem& incomplete :
       {conv2d(3, 20, 9, 11, 7, 2, 3), conv2d(17, 37, 9, 8, 3, 1, 1), depthwise, grouped}) {
    const ConvProblem shape = completed(incomplete);
    const Problem problem(shape);
    const std::vector<float> slopes = random_floats(shape.filters, 9);
    ConvArgs args = problem.args(true, true, {});
    std::vector<float> expected = run_ref(args);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!(expected[i] > 0)) expected[i] *= slopes[i % slopes.size()];
    }
    const std::vector<float> src = channels_last(problem.src, shape.batch, shape.channels);
    args.slopes = slopes.data();
    args.post_ops = {kernels::Activation::prelu};
    for (Target target : vector_targets()) {
      for (const Tested& tested : impls_of(shape, target)) {
        SCOPED_TRACE(describe(shape) + " by " + tested.impl->name + " on " + to_string(target));
        args.problem.src_layout = tested.layout;
        args.src = tested.layout == SrcLayout::nhwc ? src.data() : problem.src.data();
        expect_near(run(*tested.impl, args), expected, tested.tolerance);
      }
    }
  }
}

TEST(Conv, ActivationsKeepNaN) {
  Problem problem(completed(conv2d(1, 7, 1, 40, 1)));
  problem.src[3] = problem.src[38] = NAN;
  for (const kernels::PostOps& post_ops :
       {kernels::PostOps{kernels::Activation::relu, 0, 0}, kernels::PostOps{kernels::Activation::clip, 0, 6},
        kernels::PostOps{kernels::Activation::leaky, 0.1f, 0}}) {
    const auto args = problem.args(true, false, post_ops);
    for (Target target : vector_targets()) {
      const auto out = run(kernels::conv_direct(target), args);
      EXPECT_TRUE(std::isnan(out[3 * 7]) && std::isnan(out[38 * 7 + 6]) && !std::isnan(out[4 * 7]))
          << to_string(target) << ", activation " << static_cast<int>(post_ops.activation);
    }
  }
}

TEST(Conv, SelectsByShapeLayoutAndTarget) {
  const char* reason = "";
  const auto name = [&](const ConvProblem& s, Target target, SrcLayout layout = SrcLayout::nhwc) {
    return std::string(select_conv(with_layout(completed(s), layout), target, &reason).name);
  };
  ConvProblem depthwise = conv2d(8, 8, 9, 9, 3);
  depthwise.groups = 8;
  EXPECT_EQ(name(depthwise, Target::ref), "conv_nhwc_ref_f32");
  EXPECT_EQ(name(depthwise, Target::baseline), "conv_nhwc_depthwise_f32");
  EXPECT_EQ(name(conv2d(3, 64, 9, 9, 7, 2, 3), Target::baseline), "conv_nhwc_strip_f32");
  EXPECT_EQ(name(conv2d(3, 64, 9, 9, 7, 2, 3), Target::baseline, SrcLayout::nchw),
            "conv_nhwc_strip_of_nchw_f32");
  EXPECT_EQ(name(conv2d(64, 64, 56, 56, 3, 1, 1), Target::baseline), "conv_nhwc_winograd4_f32");
  EXPECT_EQ(name(conv2d(512, 512, 7, 7, 3, 1, 1), Target::baseline), "conv_nhwc_winograd2_f32");
  EXPECT_EQ(name(conv2d(64, 64, 56, 56, 3, 2, 1), Target::baseline), "conv_nhwc_direct_f32");
  EXPECT_EQ(name(conv2d(64, 64, 56, 56, 1), Target::baseline), "conv_nhwc_direct_f32");
}

std::vector<std::string> candidates_of(const ConvProblem& s, SrcLayout layout = SrcLayout::nhwc) {
  std::vector<std::string> names;
  for (const auto& candidate : kernels::conv_candidates(with_layout(completed(s), layout), Target::baseline))
    names.emplace_back(candidate.impl->name);
  return names;
}

TEST(Conv, CandidatesAreThoseThatComputeTheShape) {
  using Names = std::vector<std::string>;
  const Names winograd = {"conv_nhwc_direct_f32", "conv_nhwc_winograd4_f32", "conv_nhwc_winograd2_f32",
                          "conv_nhwc_winograd4_compact_f32", "conv_nhwc_winograd2_compact_f32"};
  EXPECT_EQ(candidates_of(conv2d(16, 16, 9, 9, 3, 1, 1)), winograd);
  EXPECT_EQ(candidates_of(conv2d(16, 16, 9, 9, 3, 2, 1)), Names({"conv_nhwc_direct_f32"}));
  EXPECT_EQ(candidates_of(conv2d(3, 16, 9, 9, 3, 1, 1)),
            Names({"conv_nhwc_direct_f32", "conv_nhwc_strip_f32"}));
  EXPECT_EQ(candidates_of(conv2d(3, 16, 9, 9, 3), SrcLayout::nchw), Names({"conv_nhwc_strip_of_nchw_f32"}));
}

TEST(Conv, TheCheapestDependsOnTheMachineAndNotOnTasks) {
  const auto name = [](ConvProblem s, const kernels::MachineRates& rates, std::int64_t tasks = 1) {
    const char* reason = "";
    s = completed(s);
    s.task_hint = tasks;
    return std::string(select_conv(s, Target::baseline, &reason, rates).name);
  };
  const ConvProblem deep = conv2d(512, 512, 7, 7, 3, 1, 1), wide = conv2d(64, 64, 56, 56, 3, 1, 1);
  kernels::MachineRates rates = kernels::kDefaultRates;
  for (std::int64_t tasks : {1, 8, 256}) {
    EXPECT_EQ(name(wide, rates, tasks), "conv_nhwc_winograd4_f32");
    EXPECT_EQ(name(deep, rates, tasks), "conv_nhwc_winograd2_f32");
  }
  rates.memory_bytes /= 64;  // reading weights dominates
  EXPECT_EQ(name(deep, rates), "conv_nhwc_direct_f32");
  rates.memory_bytes *= 64 * 64;  // reading weights costs nothing
  EXPECT_EQ(name(wide, rates), "conv_nhwc_winograd4_f32");
  rates.cache_bytes /= 256;  // transforms dominate
  EXPECT_EQ(name(wide, rates), "conv_nhwc_direct_f32");
}

}  // namespace
}  // namespace mxinfer

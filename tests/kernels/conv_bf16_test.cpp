// The bfloat16 convolutions against the reference, on shapes that straddle every block size.
#include "kernels/conv_bf16/conv_bf16.h"

#include <gtest/gtest.h>

#include "bf16_instructions.h"
#include "conv_problem.h"
#include "kernels/common/cpu_bfloat16.h"
#include "kernels/conv_bf16/bf16_tile.h"
#include "kernels/conv_bf16/bf16_tile_amx-inl.h"
#include "kernels/conv_bf16/bf16_tile_dot-inl.h"
#include "kernels/elementwise/bfloat16.h"
#include "random_conv.h"

namespace mxinfer {
namespace {

using namespace test;
using kernels::BFloat16;
using kernels::ConvBf16Args;
using kernels::ConvBf16Kernel;

std::vector<BFloat16> rounded(const std::vector<float>& values) {
  std::vector<BFloat16> result;
  for (float value : values) result.emplace_back(value);
  return result;
}

/// The tiles of the instructions that this CPU may lack, on the instructions' documentation.
const ConvBf16Kernel& documented_dot() {
  static constexpr kernels::Bf16Tile kTile{12, false, kernels::bf16_dot_multiply<DocumentedDot>, nullptr,
                                           nullptr};
  static const ConvBf16Kernel kernel{"documented dot", &kTile, kernels::bf16_finish(Target::baseline)};
  return kernel;
}
const ConvBf16Kernel& documented_amx() {
  static constexpr kernels::Bf16Tile kTile{32, true, kernels::bf16_amx_multiply<DocumentedTiles>, nullptr,
                                           nullptr};
  static const ConvBf16Kernel kernel{"documented AMX", &kTile, kernels::bf16_finish(Target::baseline)};
  return kernel;
}

std::vector<const ConvBf16Kernel*> all_kernels() {
  std::vector<const ConvBf16Kernel*> all{&documented_dot(), &documented_amx()};
  for (Target target : vector_targets()) all.push_back(&kernels::conv_bf16_emulated(target));
  if (kernels::conv_bf16_dot() != nullptr) all.push_back(kernels::conv_bf16_dot());
  if (kernels::conv_bf16_amx() != nullptr) all.push_back(kernels::conv_bf16_amx());
  return all;
}

enum class Output { rounded, wide };

/// Everything is where it may just be: memory behind an array is another's, and scratch holds NaN.
std::vector<float> run(const ConvBf16Kernel& kernel, ConvBf16Args args, Output output,
                       bool backwards = false) {
  const ConvShape& s = args.shape;
  const auto outputs = static_cast<std::size_t>(s.batch * s.filters * volume(s.output));
  std::vector<std::uint32_t> panels(static_cast<std::size_t>(kernels::conv_bf16_packed_elements(s)));
  kernels::conv_bf16_pack(s, args.weight, panels.data());
  args.panels = panels.data();
  std::vector<BFloat16> narrow(output == Output::rounded ? outputs : 0);
  std::vector<float> wide(outputs, NAN);
  if (output == Output::rounded) {
    args.dst = narrow.data();
  } else {
    args.wide = wide.data();
  }
  const std::size_t bytes = kernels::conv_bf16_scratch_bytes(kernel, s);
  std::vector<std::byte> scratch(bytes + 64, std::byte{0xff});
  auto* aligned =
      reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(scratch.data()) + 63) / 64 * 64);
  const std::int64_t tasks = kernels::conv_bf16_tasks(kernel, s);
  if (backwards) {
    for (std::int64_t t = tasks - 1; t >= 0; --t) kernels::conv_bf16_run(kernel, args, t, t + 1, aligned);
  } else {
    kernels::conv_bf16_run(kernel, args, 0, tasks, aligned);
  }
  if (output == Output::rounded) {
    for (std::size_t i = 0; i < outputs; ++i) wide[i] = static_cast<float>(narrow[i]);
  }
  return wide;
}

struct Bf16Problem {
  Problem floats;
  std::vector<BFloat16> src, residual;
  explicit Bf16Problem(const ConvShape& s)
      : floats(s), src(rounded(floats.src)), residual(rounded(floats.residual)) {}
  ConvBf16Args args(bool with_bias, bool with_residual, kernels::Epilogue epilogue = {}) const {
    ConvBf16Args a;
    a.shape = floats.shape;
    a.epilogue = epilogue;
    a.src = src.data();
    a.weight = floats.weight.data();
    if (with_bias) a.bias = floats.bias.data();
    if (with_residual) a.residual = residual.data();
    return a;
  }
};

void check(const ConvShape& incomplete, bool with_bias = true, bool with_residual = false,
           kernels::Epilogue epilogue = {}) {
  const ConvShape shape = completed(incomplete);
  const Bf16Problem problem(shape);
  const ConvBf16Args args = problem.args(with_bias, with_residual, epilogue);
  for (const Output output : {Output::wide, Output::rounded}) {
    const std::vector<float> expected = run(kernels::conv_bf16_ref(), args, output);
    for (const ConvBf16Kernel* kernel : all_kernels()) {
      SCOPED_TRACE(describe(shape) + " by " + kernel->name);
      const std::vector<float> result = run(*kernel, args, output);
      ASSERT_EQ(result.size(), expected.size());
      for (std::size_t i = 0; i < result.size(); ++i) {
        // Sums that differ by a rounding may be rounded to neighbours, 2^-7 apart.
        const double step = output == Output::rounded ? std::ldexp(std::fabs(expected[i]), -7) : 0;
        ASSERT_NEAR(result[i], expected[i], tolerance(shape) + step) << "at " << i;
      }
      ConvBf16Args split = args;
      split.shape.wanted_tasks = 64;
      const std::vector<float> again = run(*kernel, split, output, true);
      EXPECT_EQ(std::memcmp(result.data(), again.data(), result.size() * sizeof(float)), 0);
    }
  }
}

TEST(ConvBf16, IsExactAroundEveryBlockSize) {
  for (std::int64_t filters : {1, 15, 16, 17, 31, 32, 33, 48, 63, 65, 130}) check(plane(3, filters, 5, 7, 3));
  for (std::int64_t width : {1, 2, 3, 5, 6, 7, 11, 12, 13, 15, 16, 17, 31, 32, 33, 64, 241})
    check(plane(2, 7, 1, width, 1));
  for (std::int64_t channels : {1, 2, 15, 16, 31, 32, 33, 63, 64, 65, 700})
    check(plane(channels, 7, 3, 6, 1), true, true);
  check(plane(32, 40, 8, 8, 1));
  check(plane(60, 13, 9, 11, 3, 1, 1), true, true);
  check(plane(64, 200, 7, 7, 3, 1, 1));
}

TEST(ConvBf16, IsExactForStridesPadsAndRanks) {
  check_strides_pads_and_ranks([](const ConvShape& s, bool more) { check(s, more, more); });
}

TEST(ConvBf16, RandomShapesAreExact) {
  test::RandomConv random(12, {3, 40, 40, 3, 10});
  for (int i = 0; i < 60; ++i) {
    const ConvShape shape = random.shape();
    const bool bias = random.coin(), residual = random.coin();
    check(shape, bias, residual, random.epilogue());
  }
}

TEST(ConvBf16, EveryActivationFollowsBiasAndResidual) {
  for (int activation = 0; activation <= static_cast<int>(kernels::Activation::swish); ++activation)
    check(plane(3, 37, 6, 7, 3, 1, 1), true, true,
          {static_cast<kernels::Activation>(activation), -0.25f, 0.5f});
}

TEST(ConvBf16, ReluKeepsNaN) {
  Bf16Problem problem(completed(plane(2, 7, 1, 40, 1)));
  problem.src[6] = problem.src[77] = BFloat16(NAN);
  for (const ConvBf16Kernel* kernel : all_kernels()) {
    SCOPED_TRACE(kernel->name);
    const auto out =
        run(*kernel, problem.args(true, false, {kernels::Activation::relu, 0, 0}), Output::rounded);
    EXPECT_TRUE(std::isnan(out[3 * 7]) && std::isnan(out[38 * 7 + 6]) && !std::isnan(out[4 * 7]));
  }
}

TEST(ConvBf16, TheDotInstructionRuns) {
  if (!kernels::has_avx512_bf16()) GTEST_SKIP() << "this CPU has no AVX512_BF16: vdpbf16ps is NOT run";
  ASSERT_NE(kernels::conv_bf16_dot(), nullptr);
  const Bf16Problem problem(completed(plane(33, 40, 9, 9, 3, 1, 1)));
  EXPECT_EQ(run(*kernels::conv_bf16_dot(), problem.args(true, true), Output::wide),
            run(documented_dot(), problem.args(true, true), Output::wide));
}

TEST(ConvBf16, TheTilesOfAmxRun) {
  if (!kernels::has_amx_bf16()) GTEST_SKIP() << "this CPU has no AMX-BF16: tdpbf16ps is NOT run";
  ASSERT_NE(kernels::conv_bf16_amx(), nullptr);
  const Bf16Problem problem(completed(plane(33, 40, 9, 9, 3, 1, 1)));
  EXPECT_EQ(run(*kernels::conv_bf16_amx(), problem.args(true, true), Output::wide),
            run(documented_amx(), problem.args(true, true), Output::wide));
}

TEST(ConvBf16, SelectsByTargetAndCpu) {
  const char* reason = "";
  const ConvShape plane_of_64 = completed(plane(64, 64, 8, 8, 1)), row = completed(plane(64, 64, 1, 1, 1));
  const auto name = [&](const ConvShape& s, Target target) {
    return std::string(kernels::select_conv_bf16(s, target, &reason).name);
  };
  EXPECT_EQ(name(plane_of_64, Target::ref), "conv_bf16_ref");
  EXPECT_EQ(name(plane_of_64, Target::baseline), "conv_bf16_emulated");
  if (is_supported(Target::avx2)) {
    EXPECT_EQ(name(plane_of_64, Target::avx2), "conv_bf16_emulated");
  }
  if (!is_supported(Target::avx512)) return;
  const std::string dot = kernels::has_avx512_bf16() ? "conv_bf16_dot" : "conv_bf16_emulated";
  EXPECT_EQ(name(plane_of_64, Target::avx512), kernels::has_amx_bf16() ? "conv_bf16_amx" : dot);
  EXPECT_EQ(name(row, Target::avx512), dot);
}

TEST(BFloat16Casts, RoundToNearestEvenOnEveryTarget) {
  std::vector<float> values{0.0f,           -0.0f,  1.0f,     1.00390625f, 1.01171875f, 3.4e38f,
                            -3.4028235e38f, 1e-40f, INFINITY, -INFINITY,   NAN,         -NAN};
  const std::vector<float> random = random_floats(1000, 7);
  values.insert(values.end(), random.begin(), random.end());
  for (Target target : test::targets()) {
    const kernels::BFloat16Casts& casts = kernels::select_bfloat16_casts(target);
    std::vector<BFloat16> narrow(values.size());
    std::vector<float> wide(values.size());
    casts.narrow(values.data(), narrow.data(), static_cast<std::int64_t>(values.size()));
    casts.widen(narrow.data(), wide.data(), static_cast<std::int64_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(narrow[i].bits, BFloat16(values[i]).bits) << values[i] << " on " << to_string(target);
      EXPECT_EQ(narrow[i].bits, mxinfer::BFloat16(values[i]).bits);
      if (!std::isnan(values[i])) {
        EXPECT_EQ(wide[i], static_cast<float>(narrow[i]));
      }
      EXPECT_EQ(std::isnan(wide[i]), std::isnan(values[i]));
    }
  }
}

}  // namespace
}  // namespace mxinfer

// The bfloat16 convolutions against the reference, on shapes that straddle every block size.
#include "kernels/conv/bf16/conv_bf16.h"

#include <gtest/gtest.h>

#include <array>

#include "bf16_instructions.h"
#include "conv_problem.h"
#include "kernels/common/cpu_products.h"
#include "kernels/conv/bf16/bf16_tile.h"
#include "kernels/conv/bf16/bf16_tile_amx-inl.h"
#include "kernels/conv/bf16/bf16_tile_dot-inl.h"
#include "kernels/conv/bf16/bf16_winograd.h"
#include "kernels/conv/conv.h"
#include "kernels/elementwise/bfloat16.h"
#include "kernels/speed/cpu_model.h"
#include "random_conv.h"

namespace mxinfer {
namespace {

using namespace test;
using kernels::Bf16Method;
using kernels::BFloat16;

std::vector<BFloat16> rounded(const std::vector<float>& values) {
  std::vector<BFloat16> result;
  for (float value : values) result.emplace_back(value);
  return result;
}

/// The tiles of instructions that this CPU may lack, by plain code that follows their documentation.
constexpr kernels::Bf16Tile kDocumentedDotTile{
    12, 2, false, true, kernels::bf16_dot_multiply<DocumentedDot>, nullptr, nullptr};
constexpr kernels::Bf16Tile kDocumentedAmxTile{
    32, 12, true, false, kernels::bf16_amx_multiply<DocumentedTiles>, nullptr, nullptr};

kernels::Bf16Parts documented_dot() {
  return {&kDocumentedDotTile, kernels::bf16_post_ops(Target::baseline),
          &kernels::bf16_winograd(Target::baseline)};
}
kernels::Bf16Parts documented_amx() {
  return {&kDocumentedAmxTile, kernels::bf16_post_ops(Target::baseline),
          &kernels::bf16_winograd(Target::baseline)};
}

constexpr ConvImpl kDocumentedDot = kernels::bf16_impl<kernels::Bf16Direct, documented_dot>("documented dot");
constexpr ConvImpl kDocumentedAmx = kernels::bf16_impl<kernels::Bf16Direct, documented_amx>("documented AMX");

std::vector<const ConvImpl*> all_kernels() {
  std::vector<const ConvImpl*> all{&kDocumentedDot, &kDocumentedAmx};
  for (Target target : vector_targets()) all.push_back(&kernels::conv_bf16_emulated(target));
  if (kernels::conv_bf16_dot() != nullptr) all.push_back(kernels::conv_bf16_dot());
  if (kernels::conv_bf16_amx() != nullptr) all.push_back(kernels::conv_bf16_amx());
  return all;
}

/// The algorithm of lines with AMX's tile.
std::vector<const ConvImpl*> all_lines_kernels() {
  static constexpr ConvImpl kAmx = kernels::bf16_impl<kernels::Bf16Lines, documented_amx>("documented AMX");
  std::vector<const ConvImpl*> all{&kAmx};
  if (kernels::conv_bf16_amx() != nullptr) all.push_back(kernels::conv_bf16_amx(Bf16Method::lines));
  return all;
}

/// Winograd's algorithm with every tile, even those with which it is never chosen.
std::vector<const ConvImpl*> all_winograd_kernels() {
  using kernels::Bf16WinogradGemm;
  static constexpr ConvImpl kDot = kernels::bf16_impl<Bf16WinogradGemm, documented_dot>("documented dot");
  static constexpr ConvImpl kAmx = kernels::bf16_impl<Bf16WinogradGemm, documented_amx>("documented AMX");
  std::vector<const ConvImpl*> all{&kDot, &kAmx};
  for (Target target : vector_targets())
    all.push_back(&kernels::conv_bf16_emulated(target, Bf16Method::winograd));
  if (kernels::conv_bf16_dot() != nullptr) all.push_back(kernels::conv_bf16_dot(Bf16Method::winograd));
  return all;
}

enum class Output { bfloat16, float32 };

/// Arrays have exactly the size that they need, and scratch holds NaN. Positions of bfloat16 outputs are a
/// few elements apart, unless there is a residual.
std::vector<float> run_bf16(const ConvImpl& kernel, ConvArgs args, Output output, bool backwards = false) {
  const ConvProblem& s = args.problem;
  const auto outputs = static_cast<std::size_t>(s.batch * s.filters * volume(s.output));
  std::vector<std::byte> panels;
  if (kernel.packing != nullptr) {
    panels.assign(kernel.packed_bytes(s), std::byte{0xff});
    kernel.pack(s, kernels::typed<float>(args.weight), panels.data());
    args.weight = panels.data();
  }
  const BFloat16 untouched(77.0F);
  if (args.residual == nullptr && output == Output::bfloat16) args.dst_stride = s.filters + 3;
  const auto stride = static_cast<std::size_t>(args.dst_step()),
             filters = static_cast<std::size_t>(s.filters);
  std::vector<BFloat16> bf16(output == Output::bfloat16 ? outputs / filters * stride : 0, untouched);
  std::vector<float> f32(outputs, NAN);
  if (output == Output::bfloat16) {
    args.dst = bf16.data();
  } else {
    args.dst = f32.data();
    args.dst_is_float32 = true;
  }
  run_all_tasks(kernel, args, backwards);
  if (output == Output::bfloat16) {
    for (std::size_t i = 0; i < outputs; ++i)
      f32[i] = static_cast<float>(bf16[i / filters * stride + i % filters]);
    for (std::size_t i = 0; i < bf16.size(); ++i) {
      if (i % stride >= filters) {
        EXPECT_EQ(static_cast<float>(bf16[i]), static_cast<float>(untouched)) << i;
      }
    }
  }
  return f32;
}

ConvProblem of_bfloat16(ConvProblem problem) {
  problem.type = kernels::ConvType::bfloat16;
  return problem;
}

struct Bf16Problem {
  Problem floats;
  std::vector<BFloat16> src, residual;
  explicit Bf16Problem(const ConvProblem& s)
      : floats(s), src(rounded(floats.src)), residual(rounded(floats.residual)) {}
  ConvArgs args(bool with_bias, bool with_residual, kernels::PostOps post_ops = {}) const {
    ConvArgs a;
    a.problem = of_bfloat16(floats.shape);
    a.post_ops = post_ops;
    a.src = src.data();
    a.weight = floats.weight.data();
    if (with_bias) a.bias = floats.bias.data();
    if (with_residual) a.residual = residual.data();
    return a;
  }
};

/// Results of `kernel` against expected ones. A bfloat16 result may be a neighbour, 2^-7 apart, if sums
/// differ by a rounding. The bits do not depend on how the work is cut into tasks.
void expect_result(const ConvImpl& kernel, const ConvArgs& args, Output output,
                   const std::vector<float>& expected, double near) {
  SCOPED_TRACE(describe(args.problem) + " by " + kernel.name);
  const std::vector<float> result = run_bf16(kernel, args, output);
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double step = output == Output::bfloat16 ? std::ldexp(std::fabs(expected[i]), -7) : 0;
    ASSERT_NEAR(result[i], expected[i], near + step) << "at " << i;
  }
  ConvArgs split = args;
  split.problem.task_hint = 64;
  const std::vector<float> again = run_bf16(kernel, split, output, true);
  EXPECT_EQ(std::memcmp(result.data(), again.data(), result.size() * sizeof(float)), 0);
}

void check_bf16(const ConvProblem& incomplete, bool with_bias = true, bool with_residual = false,
                kernels::PostOps post_ops = {}) {
  const ConvProblem shape = completed(incomplete);
  const Bf16Problem problem(shape);
  const ConvArgs args = problem.args(with_bias, with_residual, post_ops);
  for (const Output output : {Output::float32, Output::bfloat16}) {
    const std::vector<float> expected = run_bf16(kernels::conv_ref(args.problem), args, output);
    for (const ConvImpl* kernel : all_kernels())
      expect_result(*kernel, args, output, expected, tolerance(shape));
    if (!kernels::is_bf16_lines(args.problem)) continue;
    const std::vector<float> direct = run_bf16(kDocumentedAmx, args, output);
    for (const ConvImpl* kernel : all_lines_kernels()) {
      expect_result(*kernel, args, output, expected, tolerance(shape));
      EXPECT_EQ(run_bf16(*kernel, args, output), direct) << "sums have one order";
    }
  }
}

/// Winograd's algorithm in plain loops: transforms in float and double, rounded as in the kernels, sums
/// in double.
class PlainWinograd {
 public:
  explicit PlainWinograd(const ConvArgs& args) : args_(args) {}

  std::vector<float> run() const {
    const ConvProblem& s = args_.problem;
    std::vector<float> dst(static_cast<std::size_t>(s.batch * s.filters * volume(s.output)));
    for (std::int64_t m = 0; m < s.filters; ++m) {
      for (std::int64_t n = 0; n < s.batch; ++n) {
        for (std::int64_t h = 0; h < s.output[1]; h += 2) {
          for (std::int64_t w = 0; w < s.output[2]; w += 2) tile(n, m, h, w, dst);
        }
      }
    }
    return dst;
  }

 private:
  using Points = std::array<std::array<double, 4>, 4>;

  static std::array<double, 4> of_inputs(const std::array<double, 4>& d) {
    return {d[0] - d[2], d[1] + d[2], d[2] - d[1], d[3] - d[1]};
  }
  static std::array<double, 4> of_filter(const std::array<double, 3>& g) {
    return {g[0], (g[0] + g[1] + g[2]) / 2, (g[0] - g[1] + g[2]) / 2, g[2]};
  }
  static double rounded_once(double value) { return static_cast<float>(BFloat16(static_cast<float>(value))); }

  Points inputs(std::int64_t n, std::int64_t c, std::int64_t h0, std::int64_t w0) const {
    const ConvProblem& s = args_.problem;
    Points d{}, half{}, v{};
    for (std::int64_t i = 0; i < 4; ++i) {
      for (std::int64_t j = 0; j < 4; ++j) {
        const std::int64_t h = h0 + i - s.pad[1], w = w0 + j - s.pad[2];
        if (h < 0 || h >= s.input[1] || w < 0 || w >= s.input[2]) continue;
        d[i][j] = static_cast<float>(
            kernels::typed<BFloat16>(args_.src)[((n * s.input[1] + h) * s.input[2] + w) * s.channels + c]);
      }
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const auto column = of_inputs({d[0][j], d[1][j], d[2][j], d[3][j]});
      for (std::size_t i = 0; i < 4; ++i) half[i][j] = static_cast<float>(column[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const auto row = of_inputs(half[i]);
      for (std::size_t j = 0; j < 4; ++j) v[i][j] = rounded_once(row[j]);
    }
    return v;
  }

  Points filter(std::int64_t m, std::int64_t c) const {
    const float* g = kernels::typed<float>(args_.weight) + (m * args_.problem.channels + c) * 9;
    std::array<std::array<double, 4>, 3> rows{};
    for (std::size_t i = 0; i < 3; ++i) rows[i] = of_filter({g[3 * i], g[3 * i + 1], g[3 * i + 2]});
    Points u{};
    for (std::size_t j = 0; j < 4; ++j) {
      const auto column = of_filter({rows[0][j], rows[1][j], rows[2][j]});
      for (std::size_t i = 0; i < 4; ++i) u[i][j] = rounded_once(column[i]);
    }
    return u;
  }

  void tile(std::int64_t n, std::int64_t m, std::int64_t h, std::int64_t w, std::vector<float>& dst) const {
    const ConvProblem& s = args_.problem;
    Points sums{};
    for (std::int64_t c = 0; c < s.channels; ++c) {
      const Points v = inputs(n, c, h, w), u = filter(m, c);
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) sums[i][j] += u[i][j] * v[i][j];
      }
    }
    double half[2][4], y[2][2];
    for (std::size_t j = 0; j < 4; ++j) {
      half[0][j] = sums[0][j] + sums[1][j] + sums[2][j];
      half[1][j] = sums[1][j] - sums[2][j] + sums[3][j];
    }
    for (std::size_t i = 0; i < 2; ++i) {
      y[i][0] = half[i][0] + half[i][1] + half[i][2];
      y[i][1] = half[i][1] - half[i][2] + half[i][3];
    }
    for (std::int64_t i = 0; i < std::min<std::int64_t>(2, s.output[1] - h); ++i) {
      for (std::int64_t j = 0; j < std::min<std::int64_t>(2, s.output[2] - w); ++j) {
        const std::int64_t at = ((n * s.output[1] + h + i) * s.output[2] + w + j) * s.filters + m;
        double value = y[i][j];
        if (args_.bias != nullptr) value += kernels::typed<float>(args_.bias)[m];
        if (args_.residual != nullptr)
          value += static_cast<float>(kernels::typed<BFloat16>(args_.residual)[at]);
        dst[static_cast<std::size_t>(at)] = kernels::activate(args_.post_ops, static_cast<float>(value));
      }
    }
  }

  const ConvArgs& args_;
};

void check_winograd(const ConvProblem& incomplete, bool with_bias = true, bool with_residual = false,
                    kernels::PostOps post_ops = {}) {
  const ConvProblem shape = completed(incomplete);
  ASSERT_TRUE(kernels::is_bf16_winograd(shape)) << describe(shape);
  const Bf16Problem problem(shape);
  const ConvArgs args = problem.args(with_bias, with_residual, post_ops);
  const std::vector<float> expected = PlainWinograd(args).run();
  for (const Output output : {Output::float32, Output::bfloat16}) {
    for (const ConvImpl* kernel : all_winograd_kernels())
      expect_result(*kernel, args, output, expected, 8 * tolerance(shape));
  }
}

TEST(ConvBf16, IsExactAroundEveryBlockSize) {
  for (std::int64_t filters : {1, 15, 16, 17, 31, 32, 33, 48, 63, 65, 130})
    check_bf16(conv2d(3, filters, 5, 7, 3));
  for (std::int64_t width : {1, 2, 3, 5, 6, 7, 11, 12, 13, 15, 16, 17, 31, 32, 33, 64, 241})
    check_bf16(conv2d(2, 7, 1, width, 1));
  for (std::int64_t channels : {1, 2, 15, 16, 31, 32, 33, 63, 64, 65, 700})
    check_bf16(conv2d(channels, 7, 3, 6, 1), true, true);
  check_bf16(conv2d(32, 40, 8, 8, 1));
  check_bf16(conv2d(60, 13, 9, 11, 3, 1, 1), true, true);
  check_bf16(conv2d(64, 200, 7, 7, 3, 1, 1));
  // Images: runs that are not whole chunks, up to the last pixel.
  for (std::int64_t channels : {1, 3, 4}) {
    check_bf16(conv2d(channels, 40, 23, 21, 7, 2, 3), true, true);
    check_bf16(conv2d(channels, 20, 12, 13, 3, 2), true);
  }
}

TEST(ConvBf16, IsExactForStridesPadsAndRanks) {
  check_strides_pads_and_ranks([](const ConvProblem& s, bool more) { check_bf16(s, more, more); });
}

TEST(ConvBf16, RandomShapesAreExact) {
  test::RandomConv random(12, {3, 40, 40, 3, 10});
  for (int i = 0; i < 60; ++i) {
    const ConvProblem shape = random.shape();
    const bool bias = random.coin(), residual = random.coin();
    check_bf16(shape, bias, residual, random.post_ops());
  }
}

TEST(ConvBf16, LinesAreExactAtEveryBorder) {
  for (std::int64_t width : {1, 2, 5, 14, 30, 31, 32, 33, 62})
    check_bf16(conv2d(32, 33, 9, width, 3, 1, 1), true, true);
  for (std::int64_t kernel : {2, 3, 5, 7}) {
    check_bf16(conv2d(64, 17, 11, 12, kernel, 1, kernel / 2), true, true);
    check_bf16(conv2d(32, 40, 8, 13, kernel, 1, 0));
  }
  ConvProblem wide = conv2d(32, 48, 6, 17, 7, 1, 3);
  wide.kernel[1] = 1;
  wide.pad[1] = 0;
  check_bf16(wide, true);
  ConvProblem dilated = conv2d(32, 20, 13, 15, 3, 1, 2);
  dilated.dilate = {1, 2, 2};
  check_bf16(dilated, true, true);
  dilated.filters = 32;
  dilated.dilate = {1, 3, 2};
  dilated.pad = {0, 3, 2};
  check_bf16(dilated, true, true);
  ConvProblem images = conv2d(96, 64, 7, 7, 3, 1, 1);
  images.batch = 3;
  check_bf16(images, true, true);
  check_bf16(conv2d(512, 40, 7, 7, 3, 1, 1));
}

TEST(ConvBf16, EveryActivationFollowsBiasAndResidual) {
  for (int activation = 0; activation <= static_cast<int>(kernels::Activation::swish); ++activation)
    check_bf16(conv2d(3, 37, 6, 7, 3, 1, 1), true, true,
               {static_cast<kernels::Activation>(activation), -0.25f, 0.5f});
}

TEST(ConvBf16, ReluKeepsNaN) {
  Bf16Problem problem(completed(conv2d(2, 7, 1, 40, 1)));
  problem.src[6] = problem.src[77] = BFloat16(NAN);
  for (const ConvImpl* kernel : all_kernels()) {
    SCOPED_TRACE(kernel->name);
    const auto out =
        run_bf16(*kernel, problem.args(true, false, {kernels::Activation::relu, 0, 0}), Output::bfloat16);
    EXPECT_TRUE(std::isnan(out[3 * 7]) && std::isnan(out[38 * 7 + 6]) && !std::isnan(out[4 * 7]));
  }
}

TEST(ConvBf16Winograd, IsExactAroundEveryBlockSize) {
  for (std::int64_t filters : {16, 32, 48, 80}) check_winograd(conv2d(16, filters, 5, 7, 3, 1, 1));
  for (std::int64_t channels : {16, 32, 48, 80, 208})
    check_winograd(conv2d(channels, 16, 6, 5, 3, 1, 1), true, true);
  for (std::int64_t size : {3, 4, 5, 11, 23}) check_winograd(conv2d(16, 16, size, size + 1, 3));
  check_winograd(conv2d(16, 32, 1, 1, 3, 1, 1));
  check_winograd(conv2d(32, 16, 4, 70, 3, 1, 3));
  ConvProblem batch = conv2d(16, 16, 7, 7, 3, 1, 1);
  batch.batch = 5;
  check_winograd(batch, true, true);
}

TEST(ConvBf16Winograd, EveryActivationFollowsBiasAndResidual) {
  for (int activation = 0; activation <= static_cast<int>(kernels::Activation::swish); ++activation)
    check_winograd(conv2d(16, 48, 3, 4, 3, 1, 1), true, true,
                   {static_cast<kernels::Activation>(activation), -0.25f, 0.5f});
}

double root_mean_square(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i]) - b[i], 2);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST(ConvBf16Winograd, ErrsLittleMoreThanTheDirectSum) {
  const ConvProblem shape = completed(conv2d(64, 32, 14, 14, 3, 1, 1));
  const Bf16Problem problem(shape);
  const ConvArgs args = problem.args(true, false);
  const std::vector<float> expected =
      test::run(kernels::conv_ref(shape), problem.floats.args(true, false, {}));
  const double direct =
      root_mean_square(run_bf16(kernels::conv_ref(args.problem), args, Output::float32), expected);
  for (const ConvImpl* kernel : all_winograd_kernels()) {
    const double error = root_mean_square(run_bf16(*kernel, args, Output::float32), expected);
    EXPECT_LT(error, 2.5 * direct) << kernel->name;
    EXPECT_GT(error, 0.1 * direct) << kernel->name;
  }
}

TEST(ConvBf16Winograd, IsChosenWhereItSavesMost) {
  if (vector_targets().empty()) GTEST_SKIP() << "there are no kernels to choose";
  const char* reason = "";
  const auto name = [&](const ConvProblem& s) {
    return std::string(kernels::select_conv(of_bfloat16(completed(s)), Target::baseline, &reason).name);
  };
  EXPECT_EQ(name(conv2d(64, 64, 56, 56, 3, 1, 1)), "conv_bf16_winograd2_emulated");
  EXPECT_NE(std::string(reason).find("Winograd"), std::string::npos) << reason;
  EXPECT_EQ(name(conv2d(512, 512, 7, 7, 3, 1, 1)), "conv_bf16_winograd2_emulated");
  EXPECT_EQ(name(conv2d(64, 64, 56, 56, 3, 2, 1)), "conv_bf16_emulated");
  EXPECT_EQ(name(conv2d(64, 64, 56, 56, 1)), "conv_bf16_emulated");
  EXPECT_EQ(name(conv2d(60, 64, 56, 56, 3, 1, 1)), "conv_bf16_emulated");
  EXPECT_EQ(name(conv2d(64, 64, 1, 1, 3, 1, 1)), "conv_bf16_emulated");
}

TEST(ConvBf16, TheDotInstructionRuns) {
  if (!kernels::has_avx512_bf16()) GTEST_SKIP() << "this CPU has no AVX512_BF16: vdpbf16ps is NOT run";
  if (!is_supported(Target::avx512)) GTEST_SKIP() << "built without AVX-512: vdpbf16ps is NOT run";
  ASSERT_NE(kernels::conv_bf16_dot(), nullptr);
  const Bf16Problem problem(completed(conv2d(33, 40, 9, 9, 3, 1, 1)));
  EXPECT_EQ(run_bf16(*kernels::conv_bf16_dot(), problem.args(true, true), Output::float32),
            run_bf16(kDocumentedDot, problem.args(true, true), Output::float32));
  // One rounds in one instruction, the other in several.
  EXPECT_EQ(run_bf16(*kernels::conv_bf16_dot(), problem.args(true, true), Output::bfloat16),
            run_bf16(kDocumentedDot, problem.args(true, true), Output::bfloat16));
}

TEST(ConvBf16, TheTilesOfAmxRun) {
  if (!kernels::has_amx_bf16()) GTEST_SKIP() << "this CPU has no AMX-BF16: tdpbf16ps is NOT run";
  if (!is_supported(Target::avx512)) GTEST_SKIP() << "built without AVX-512: tdpbf16ps is NOT run";
  ASSERT_NE(kernels::conv_bf16_amx(), nullptr);
  const Bf16Problem problem(completed(conv2d(33, 40, 9, 9, 3, 1, 1)));
  EXPECT_EQ(run_bf16(*kernels::conv_bf16_amx(), problem.args(true, true), Output::float32),
            run_bf16(kDocumentedAmx, problem.args(true, true), Output::float32));
}

TEST(ConvBf16, SelectsByTargetAndCpu) {
  const char* reason = "";
  const ConvProblem image_of_64 = completed(conv2d(64, 64, 8, 8, 1)),
                    row = completed(conv2d(64, 64, 1, 1, 1));
  const auto name = [&](const ConvProblem& s, Target target) {
    return std::string(kernels::select_conv(of_bfloat16(s), target, &reason).name);
  };
  EXPECT_EQ(name(image_of_64, Target::ref), "conv_bf16_ref");
  EXPECT_EQ(name(image_of_64, Target::baseline), "conv_bf16_emulated");
  if (is_supported(Target::avx2)) {
    EXPECT_EQ(name(image_of_64, Target::avx2), "conv_bf16_emulated");
  }
  if (!is_supported(Target::avx512)) return;
  const bool is_fast = kernels::has_avx512_bf16() && kernels::this_cpu().vendor != kernels::CpuVendor::intel;
  const std::string dot = is_fast ? "conv_bf16_dot" : "conv_bf16_emulated";
  EXPECT_EQ(name(image_of_64, Target::avx512), kernels::has_amx_bf16() ? "conv_bf16_amx" : dot);
  EXPECT_EQ(name(row, Target::avx512), dot);
}

TEST(BFloat16Casts, RoundToNearestEvenOnEveryTarget) {
  std::vector<float> values{0.0f,           -0.0f,  1.0f,     1.00390625f, 1.01171875f, 3.4e38f,
                            -3.4028235e38f, 1e-40f, INFINITY, -INFINITY,   NAN,         -NAN};
  const std::vector<float> random = random_floats(1000, 7);
  values.insert(values.end(), random.begin(), random.end());
  for (Target target : test::targets()) {
    const kernels::BFloat16Casts& casts = kernels::select_bfloat16_casts(target);
    std::vector<BFloat16> bf16(values.size());
    std::vector<float> f32(values.size());
    casts.from_float32(values.data(), bf16.data(), static_cast<std::int64_t>(values.size()));
    casts.to_float32(bf16.data(), f32.data(), static_cast<std::int64_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(bf16[i].bits, BFloat16(values[i]).bits) << values[i] << " on " << to_string(target);
      EXPECT_EQ(bf16[i].bits, mxinfer::BFloat16(values[i]).bits);
      if (!std::isnan(values[i])) {
        EXPECT_EQ(f32[i], static_cast<float>(bf16[i]));
      }
      EXPECT_EQ(std::isnan(f32[i]), std::isnan(values[i]));
    }
  }
}

}  // namespace
}  // namespace mxinfer

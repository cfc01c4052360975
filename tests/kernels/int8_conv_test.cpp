// The convolutions of 8-bit data against the plain loops, to the bit, and the plain loops against a sum.
#include "kernels/conv/int8/int8_conv.h"

#include <gtest/gtest.h>

#include <limits>

#include "conv_problem.h"
#include "int8_instructions.h"
#include "int8_problem.h"
#include "kernels/conv/bf16/bf16_tile_amx-inl.h"
#include "kernels/conv/int8/int8_depthwise.h"
#include "kernels/conv/int8/int8_direct.h"
#include "kernels/conv/int8/int8_tile.h"
#include "kernels/conv/int8/int8_tile_amx-inl.h"
#include "kernels/conv/int8/int8_tile_dot-inl.h"
#include "random_conv.h"

namespace mxinfer {
namespace {

using namespace test;
using kernels::Activation;
using kernels::Int8ConvArgs;
using kernels::Int8ConvImpl;
using kernels::Int8Tile;
using kernels::Int8Type;
using kernels::ShiftedRows;
using kernels::SrcLayout;

/// Steps that finish earlier sums by the plain loops, row by row: what tiles do between their products.
class FinishPlainly {
 public:
  explicit FinishPlainly(const kernels::Int8PostOpsArgs& earlier) : earlier_(earlier) {}
  std::int64_t count() const { return earlier_.rows; }
  void operator()(std::int64_t row) const {
    kernels::Int8PostOpsArgs one = earlier_;
    one.rows = 1;
    one.sums += row * kernels::kInt8PanelColumns;
    one.dst += row * one.dst_stride * kernels::bytes_of(one.conv->dst_type);
    if (one.residual != nullptr)
      one.residual += row * one.dst_stride * kernels::bytes_of(one.conv->residual_type);
    kernels::int8_post_ops(*one.conv, Target::baseline)(one);
  }

 private:
  const kernels::Int8PostOpsArgs& earlier_;
};

using DocumentedDot = DocumentedQuadDot<false>;
void overlapped_dot(const kernels::Int8TileArgs& t, const kernels::Int8PostOpsArgs& earlier) {
  const FinishPlainly finish(earlier);
  if (t.row_count == DocumentedDot::kRows && t.width == kernels::kInt8PanelColumns) {
    t.is_signed ? kernels::int8_dot_columns<DocumentedDot, DocumentedDot::kRows, 2, true>(t, 0, finish)
                : kernels::int8_dot_columns<DocumentedDot, DocumentedDot::kRows, 2, false>(t, 0, finish);
    return;
  }
  for (std::int64_t row = 0; row < finish.count(); ++row) finish(row);
  kernels::int8_dot_multiply<DocumentedDot>(t);
}
void overlapped_amx(const kernels::Int8TileArgs& t, const kernels::Int8PostOpsArgs& earlier) {
  kernels::int8_amx_multiply<DocumentedQuadTiles<true>, DocumentedQuadTiles<false>>(t,
                                                                                    FinishPlainly(earlier));
}

const Int8Tile& quad_dot_tile() {
  static constexpr Int8Tile kTile{.name = "documented dot",
                                  .rows = DocumentedDot::kRows,
                                  .reads_whole = false,
                                  .shifts = ShiftedRows::signed_ones,
                                  .multiply = kernels::int8_dot_multiply<DocumentedDot>,
                                  .overlapped = [](const Int8ConvArgs&) { return &overlapped_dot; }};
  return kTile;
}
const Int8Tile& signed_quad_dot_tile() {
  static constexpr Int8Tile kTile{.name = "documented signed dot",
                                  .rows = 12,
                                  .reads_whole = false,
                                  .shifts = ShiftedRows::unsigned_ones,
                                  .multiply = kernels::int8_dot_multiply<DocumentedQuadDot<true>>};
  return kTile;
}
const Int8Tile& quad_amx_tile() {
  static constexpr Int8Tile kTile{
      .name = "documented AMX",
      .rows = 32,
      .reads_whole = true,
      .shifts = ShiftedRows::none,
      .multiply = kernels::int8_amx_multiply<DocumentedQuadTiles<true>, DocumentedQuadTiles<false>>,
      .overlapped = [](const Int8ConvArgs&) { return &overlapped_amx; }};
  return kTile;
}
const Int8Tile& tile_or(const Int8Tile* tile) {
  return tile != nullptr ? *tile : quad_dot_tile();
}
const Int8Tile& avx_vnni_tile() {
  return tile_or(kernels::int8_tile_avx_vnni());
}
const Int8Tile& avx512_vnni_tile() {
  return tile_or(kernels::int8_tile_avx512_vnni());
}
const Int8Tile& neon_dot_tile() {
  return tile_or(kernels::int8_tile_neon_dot());
}
const Int8Tile& amx_tile() {
  return tile_or(kernels::int8_tile_amx());
}
template <Target kTarget>
const Int8Tile& widened_tile() {
  return kernels::int8_tile_widened(kTarget);
}

std::vector<Int8ConvImpl> int8_kernels() {
  using kernels::int8_direct_impl;
  std::vector<Int8ConvImpl> all{
      int8_direct_impl<quad_dot_tile, Target::baseline>("documented dot"),
      int8_direct_impl<signed_quad_dot_tile, Target::baseline>("documented signed dot"),
      int8_direct_impl<quad_amx_tile, Target::baseline>("documented AMX"),
      int8_direct_impl<widened_tile<Target::baseline>, Target::baseline>("widened, baseline")};
  if (kernels::int8_tile_neon_dot() != nullptr)
    all.push_back(int8_direct_impl<neon_dot_tile, Target::baseline>("NEON's dot product"));
  if (is_supported(Target::avx2))
    all.push_back(int8_direct_impl<widened_tile<Target::avx2>, Target::avx2>("widened, avx2"));
  if (is_supported(Target::avx512))
    all.push_back(int8_direct_impl<widened_tile<Target::avx512>, Target::avx512>("widened, avx512"));
  if (kernels::int8_tile_avx_vnni() != nullptr)
    all.push_back(int8_direct_impl<avx_vnni_tile, Target::avx2>("AVX-VNNI"));
  if (kernels::int8_tile_avx512_vnni() != nullptr)
    all.push_back(int8_direct_impl<avx512_vnni_tile, Target::avx512>("AVX512-VNNI"));
  if (kernels::int8_tile_amx() != nullptr) all.push_back(int8_direct_impl<amx_tile, Target::avx512>("AMX"));
  return all;
}

const kernels::Int8DepthwiseKernel& depthwise_avx512_vnni() {
  return *kernels::int8_depthwise_avx512_vnni();
}
template <Target kTarget>
const kernels::Int8DepthwiseKernel& depthwise_widened() {
  return kernels::int8_depthwise_widened(kTarget);
}

std::vector<Int8ConvImpl> depthwise_kernels() {
  using kernels::int8_depthwise_impl;
  std::vector<Int8ConvImpl> all{int8_depthwise_impl<depthwise_widened<Target::baseline>, Target::baseline>()};
  if (is_supported(Target::avx2))
    all.push_back(int8_depthwise_impl<depthwise_widened<Target::avx2>, Target::avx2>());
  if (is_supported(Target::avx512))
    all.push_back(int8_depthwise_impl<depthwise_widened<Target::avx512>, Target::avx512>());
  if (kernels::int8_depthwise_avx512_vnni() != nullptr)
    all.push_back(int8_depthwise_impl<depthwise_avx512_vnni, Target::avx512>());
  return all;
}

void expect_same(const Int8ConvArgs& args) {
  const std::vector<std::uint8_t> expected = run_int8(kernels::int8_conv_ref(), args);
  const auto check = [&](const Int8ConvImpl& kernel) {
    SCOPED_TRACE(describe(args.problem) + " by " + kernel.name);
    ASSERT_EQ(run_int8(kernel, args), expected);
    Int8ConvArgs split = args;
    split.problem.task_hint = 64;
    ASSERT_EQ(run_int8(kernel, split, true), expected);
  };
  for (const Int8ConvImpl& kernel : int8_kernels()) check(kernel);
  if (!kernels::is_int8_depthwise(args.problem)) return;
  for (const Int8ConvImpl& kernel : depthwise_kernels()) check(kernel);
}

/// All types of data and results, with and without bias, scale, residual and activation.
void check_int8(const ConvProblem& incomplete) {
  const Int8Problem problem(completed(incomplete));
  int variant = 0;
  for (const Int8Type src : {Int8Type::u8, Int8Type::s8}) {
    for (const Int8Type dst : {Int8Type::u8, Int8Type::s8, Int8Type::f32, Int8Type::s32}) {
      Int8ConvArgs args = problem.args(src, dst);
      ++variant;
      if (variant % 3 != 0) args.bias = problem.bias.data();
      if (variant % 4 != 0) args.scale = problem.scale.data();
      if (variant % 2 == 0) args.before = {Activation::relu};
      if (variant % 5 == 0) problem.add_residual(args, Int8Type::u8);
      if (variant % 5 == 1) problem.add_residual(args, Int8Type::s8);
      if (variant % 5 == 2) problem.add_residual(args, Int8Type::f32);
      if (variant % 3 == 1) args.after = {Activation::clip, -20, 90};
      if (variant % 3 == 2) args.after = {Activation::relu};
      if (variant % 7 == 3) args.dst_factor = 1.5F;
      if (variant % 7 == 5) args.before = {Activation::sigmoid};
      expect_same(args);
    }
  }
}

TEST(Int8Conv, AgreesWithThePlainLoops) {
  check_int8(conv2d(64, 64, 9, 11, 1));
  check_int8(conv2d(24, 72, 7, 7, 3));
  check_int8(conv2d(3, 40, 19, 17, 7));
  check_int8(conv2d(5, 33, 8, 8, 3));
  check_int8({.channels = 301, .filters = 1000});
  check_int8({.batch = 37, .channels = 128, .filters = 10});
  ConvProblem grouped = conv2d(48, 96, 7, 6, 3);
  grouped.groups = 4;
  check_int8(grouped);
  ConvProblem wide = conv2d(16, 20, 15, 30, 3);
  wide.stride = {1, 2, 2};
  wide.dilate = {1, 2, 1};
  wide.batch = 3;
  check_int8(wide);
}

// Tiles of 32 filters and 10 rows or more may be finished while the next one is multiplied, which may have
// fewer words than the finished one has rows, belong to the next panel, or not exist.
TEST(Int8Conv, AllPostOpsAgreeWithThePlainLoopsOnWholePanels) {
  for (const std::int64_t channels : {12, 64}) {
    const Int8Problem problem(completed(conv2d(channels, 104, 7, 17, 1)));
    for (int variant = 0; variant < 48; ++variant) {
      Int8ConvArgs args = problem.args(variant % 2 == 0 ? Int8Type::u8 : Int8Type::s8,
                                       variant / 2 % 2 == 0 ? Int8Type::u8 : Int8Type::s8);
      if (variant % 3 != 0) args.bias = problem.bias.data();
      if (variant % 5 != 0) args.scale = problem.scale.data();
      constexpr Int8Type kResiduals[] = {Int8Type::u8, Int8Type::s8, Int8Type::f32};
      if (variant / 4 % 4 != 3) problem.add_residual(args, kResiduals[variant / 4 % 4]);
      if (variant / 16 == 1) args.after = {Activation::relu};
      if (variant / 16 == 2) {
        args.before = {Activation::clip, -30, 60};
        args.after = {Activation::clip, -20, 90};
        args.dst_factor = 1.5F;
      }
      expect_same(args);
    }
  }
}

TEST(Int8Conv, RandomProblemsAgreeWithThePlainLoops) {
  RandomConv random(7, {.channels = 40, .filters = 50, .input = 9});
  for (int i = 0; i < 40; ++i) check_int8(random.shape());
}

ConvProblem depthwise(std::int64_t channels, std::int64_t h, std::int64_t w, std::int64_t kernel,
                      std::int64_t stride, std::int64_t dilate) {
  ConvProblem s = conv2d(channels, channels, h, w, kernel);
  s.groups = channels;
  s.stride = {1, stride, stride};
  s.dilate = {1, dilate, dilate};
  return s;
}

TEST(Int8Conv, DepthwiseAgreesWithThePlainLoops) {
  for (const std::int64_t channels : {2, 16, 32, 63, 64, 65, 150}) {
    check_int8(depthwise(channels, 9, 8, 3, 1, 1));
    check_int8(depthwise(channels, 10, 7, 3, 2, 1));
  }
  for (const std::int64_t kernel : {1, 2, 4, 5, 9}) check_int8(depthwise(40, 11, 13, kernel, 1, 1));
  check_int8(depthwise(24, 13, 12, 3, 1, 2));
  check_int8(depthwise(24, 13, 12, 5, 3, 2));
  ConvProblem wide = depthwise(8, 3, 40, 3, 4, 1);
  wide.batch = 2;
  wide.pad = {0, 3, 2};
  check_int8(wide);
}

// The largest sums of 4096 products: a sum of 16 bits would have overflowed after one pair.
TEST(Int8Conv, LargestProductsAreExact) {
  constexpr std::int64_t kDepth = 4096;
  ConvProblem shape{.batch = 3, .channels = kDepth, .filters = 17};
  shape = completed(shape);
  for (const std::int8_t factor : {-128, 127}) {
    const std::vector<std::uint8_t> src(3 * kDepth, 255), least(3 * kDepth, 128);
    const std::vector<std::int8_t> weight(17 * kDepth, factor);
    for (const bool is_signed : {false, true}) {
      Int8ConvArgs args;
      args.problem = shape;
      args.src_type = is_signed ? Int8Type::s8 : Int8Type::u8;
      args.src = is_signed ? least.data() : src.data();
      args.weight = weight.data();
      args.dst_type = Int8Type::s32;
      const std::int32_t expected = kDepth * factor * (is_signed ? -128 : 255);
      for (const Int8ConvImpl& kernel : int8_kernels()) {
        const std::vector<std::uint8_t> dst = run_int8(kernel, args);
        std::vector<std::int32_t> sums(dst.size() / 4);
        std::memcpy(sums.data(), dst.data(), dst.size());
        EXPECT_EQ(sums, std::vector<std::int32_t>(3 * 17, expected)) << kernel.name;
      }
    }
  }
}

TEST(Int8Conv, ScalesThatAreNotFiniteGiveTheSameAsThePlainLoops) {
  Int8Problem problem(completed(conv2d(16, 32, 4, 4, 1)));
  problem.scale[0] = std::numeric_limits<float>::infinity();
  problem.scale[1] = std::numeric_limits<float>::quiet_NaN();
  problem.scale[2] = 1e30F;
  for (const Int8Type dst : {Int8Type::u8, Int8Type::s8}) {
    for (const Activation activation : {Activation::none, Activation::relu}) {
      Int8ConvArgs args = problem.args(Int8Type::u8, dst);
      args.scale = problem.scale.data();
      args.after = {activation};
      expect_same(args);
    }
  }
}

TEST(Int8Conv, ThePlainLoopsHaveBothLayouts) {
  const ConvProblem last = completed(conv2d(5, 6, 7, 4, 3));
  const Int8Problem problem(last);
  ConvProblem first = last;
  first.src_layout = SrcLayout::nchw;
  const std::int64_t in = volume(last.input), out = volume(last.output);
  std::vector<std::uint8_t> planes(problem.src.size());
  for (std::int64_t c = 0; c < last.channels; ++c) {
    for (std::int64_t i = 0; i < in; ++i)
      planes[static_cast<std::size_t>(c * in + i)] =
          problem.src[static_cast<std::size_t>(i * last.channels + c)];
  }
  Int8ConvArgs args = problem.args(Int8Type::u8, Int8Type::u8);
  args.scale = problem.scale.data();
  const std::vector<std::uint8_t> expected = run_int8(kernels::int8_conv_ref(), args);
  args.problem = first;
  args.src = planes.data();
  const std::vector<std::uint8_t> made = run_int8(kernels::int8_conv_ref(), args);
  for (std::int64_t m = 0; m < last.filters; ++m) {
    for (std::int64_t i = 0; i < out; ++i)
      EXPECT_EQ(made[static_cast<std::size_t>(m * out + i)],
                expected[static_cast<std::size_t>(i * last.filters + m)]);
  }
}

TEST(Int8Conv, TheInstructionsOfThisCpuAreChosen) {
  const ConvProblem shape = completed(conv2d(64, 64, 9, 9, 1));
  const auto name = [&](Target target) {
    return std::string(kernels::select_int8_conv(shape, Int8Type::u8, target).name);
  };
  EXPECT_EQ(name(Target::ref), "int8_conv_ref");
  const ConvProblem deep = completed(depthwise(64, 9, 9, 3, 1, 1));
  const std::string of_avx512 = kernels::select_int8_conv(deep, Int8Type::u8, Target::avx512).name;
  EXPECT_EQ(of_avx512, kernels::int8_depthwise_avx512_vnni() != nullptr ? "int8_conv_depthwise_avx512_vnni"
                                                                        : "int8_conv_depthwise_widened");
  if (is_supported(Target::avx2)) {
    EXPECT_EQ(name(Target::avx2),
              kernels::int8_tile_avx_vnni() != nullptr ? "int8_conv_avx_vnni" : "int8_conv_widened");
  }
  if (is_supported(Target::avx512) && kernels::int8_tile_amx() == nullptr) {
    EXPECT_EQ(name(Target::avx512),
              kernels::int8_tile_avx512_vnni() != nullptr ? "int8_conv_avx512_vnni" : "int8_conv_widened");
  }
}

}  // namespace
}  // namespace mxinfer

// The fused block of three convolutions against the three one after another: the same bits.
#include "kernels/conv/separable/separable.h"

#include <gtest/gtest.h>

#include "bf16_instructions.h"
#include "conv_problem.h"
#include "kernels/conv/bf16/bf16_tile_amx-inl.h"
#include "kernels/conv/bf16/bf16_tile_dot-inl.h"

namespace mxinfer {
namespace {

using namespace test;
using kernels::SeparableArgs;
using kernels::SeparableKernel;
using kernels::SeparableShape;

struct Block {
  std::int64_t batch, height, width, channels, expanded, filters, kernel, stride, pad;
};

SeparableShape shape_of(const Block& b) {
  SeparableShape s;
  s.expands = b.expanded > 0;
  const std::int64_t inner = s.expands ? b.expanded : b.channels;
  const auto with = [&](ConvProblem shape) {
    shape.batch = b.batch;
    return completed(shape);
  };
  s.expand = with(conv2d(b.channels, inner, b.height, b.width, 1));
  s.depthwise = conv2d(inner, inner, b.height, b.width, b.kernel, b.stride, b.pad);
  s.depthwise.groups = inner;
  s.depthwise = with(s.depthwise);
  s.project = with(conv2d(inner, b.filters, s.depthwise.output[1], s.depthwise.output[2], 1));
  return s;
}

std::vector<std::byte> packed(const ConvImpl& impl, const ConvProblem& problem,
                              const std::vector<float>& weight) {
  std::vector<std::byte> result(impl.packed_bytes(problem));
  impl.pack(problem, weight.data(), result.data());
  return result;
}

/// Whether the rows of `strided`, with three elements between them, are those of `dense`.
bool same_rows(const std::vector<float>& strided, const std::vector<float>& dense, std::int64_t length) {
  const auto row = static_cast<std::size_t>(length);
  for (std::size_t r = 0; r * row < dense.size(); ++r) {
    const float* from = strided.data() + r * (row + 3);
    if (std::memcmp(from, dense.data() + r * row, row * sizeof(float)) != 0 || !std::isnan(from[row]))
      return false;
  }
  return true;
}

void check_block(const Block& block) {
  const SeparableShape shape = shape_of(block);
  const Problem expand(shape.expand), depthwise(shape.depthwise), project(shape.project);
  const kernels::PostOps clip{kernels::Activation::clip, 0.0f, 1.5f}, swish{kernels::Activation::swish};
  for (Target target : vector_targets()) {
    SCOPED_TRACE(describe(shape.depthwise) + " on " + to_string(target));
    const ConvImpl& direct = kernels::conv_direct(target);
    const ConvImpl& filter = kernels::conv_depthwise(target);
    SeparableArgs args;
    args.shape = shape;
    args.src = expand.src.data();
    args.expand = expand.args(true, false, clip);
    args.depthwise = depthwise.args(true, false, swish);
    args.project = project.args(true, true, {});

    std::vector<float> between = expand.src;
    if (shape.expands) between = run(direct, args.expand);
    ConvArgs next = args.depthwise;
    next.src = between.data();
    const std::vector<float> filtered = run(filter, next);
    next = args.project;
    next.src = filtered.data();
    const std::vector<float> expected = run(direct, next);

    const std::vector<std::byte> expand_weight = packed(direct, shape.expand, expand.weight);
    const std::vector<std::byte> filter_weight = packed(filter, shape.depthwise, depthwise.weight);
    const std::vector<std::byte> project_weight = packed(direct, shape.project, project.weight);
    args.expand.weight = expand_weight.data();
    args.depthwise.weight = filter_weight.data();
    args.project.weight = project_weight.data();
    const SeparableKernel& kernel = kernels::separable_strips(target);
    const std::int64_t filters = shape.project.filters;
    args.project.dst_stride = filters + 3;
    for (std::int64_t strips : {1, 2, 5}) {
      args.shape.strips = strips;
      std::vector<float> result(
          expected.size() / static_cast<std::size_t>(filters) * static_cast<std::size_t>(filters + 3), NAN);
      std::vector<float> scratch(static_cast<std::size_t>(kernel.scratch_elements(args.shape)), NAN);
      args.project.dst = result.data();
      for (std::int64_t t = kernel.tasks(args.shape) - 1; t >= 0; --t)
        kernel.run(args, t, t + 1, scratch.data());
      EXPECT_TRUE(same_rows(result, expected, filters)) << strips;
    }
  }
}

TEST(Separable, HasTheBitsOfThreeConvolutions) {
  for (std::int64_t stride : {1, 2, 3}) {
    for (std::int64_t kernel : {1, 3, 5}) {
      check_block({1, 14, 13, 5, 30, 9, kernel, stride, kernel / 2});
      check_block({2, 9, 33, 16, 0, 20, kernel, stride, kernel / 2});
    }
  }
  check_block({1, 56, 56, 24, 144, 24, 3, 1, 1});
  check_block({1, 20, 3, 3, 17, 2, 3, 1, 2});
  check_block({3, 7, 7, 40, 240, 40, 3, 1, 1});
  check_block({1, 11, 12, 6, 12, 6, 3, 2, 0});
}

using kernels::Bf16Parts;
using kernels::BFloat16;

std::vector<BFloat16> rounded(const std::vector<float>& values) {
  std::vector<BFloat16> result;
  for (float value : values) result.emplace_back(value);
  return result;
}

/// What multiplies, and the convolution made of it. Instructions that this CPU may lack are plain code that
/// follows their documentation.
struct Multiplier {
  const Bf16Parts* parts;
  const ConvImpl* conv;
};

constexpr kernels::Bf16Tile kDotTile{12,      2,      false, true, kernels::bf16_dot_multiply<DocumentedDot>,
                                     nullptr, nullptr};
constexpr kernels::Bf16Tile kAmxTile{
    32, 12, true, false, kernels::bf16_amx_multiply<DocumentedTiles>, nullptr, nullptr};

template <const kernels::Bf16Tile& kTile>
Bf16Parts parts_of() {
  return {&kTile, kernels::bf16_post_ops(Target::baseline), nullptr};
}

std::vector<Multiplier> multipliers() {
  static const Bf16Parts kDot = parts_of<kDotTile>(), kAmx = parts_of<kAmxTile>();
  static constexpr ConvImpl kDotConv =
      kernels::bf16_impl<kernels::Bf16Direct, parts_of<kDotTile>>("documented dot");
  static constexpr ConvImpl kAmxConv =
      kernels::bf16_impl<kernels::Bf16Direct, parts_of<kAmxTile>>("documented AMX");
  std::vector<Multiplier> all{{&kDot, &kDotConv}, {&kAmx, &kAmxConv}};
  if (const Bf16Parts* fast = kernels::bf16_fast_parts(Target::avx512))
    all.push_back({fast, kernels::conv_bf16_fast(Target::avx512)});
  return all;
}

/// The three convolutions of a block, in bfloat16.
struct Bf16Block {
  SeparableShape shape;
  Problem expand, depthwise, project;
  std::vector<BFloat16> src, residual;

  explicit Bf16Block(const Block& block)
      : shape(shape_of(block)),
        expand(shape.expand),
        depthwise(shape.depthwise),
        project(shape.project),
        src(rounded(expand.src)),
        residual(rounded(project.residual)) {}

  SeparableArgs args(const kernels::PostOps& inner, bool wide) const {
    SeparableArgs a;
    a.shape = shape;
    a.src = src.data();
    a.expand = expand.args(true, false, inner);
    a.expand.dst_is_float32 = true;
    a.depthwise = depthwise.args(true, false, inner);
    a.project = project.args(true, false, {});
    a.project.residual = residual.data();
    a.project.dst_is_float32 = wide;
    return a;
  }
};

/// One after another; `args` has the weights as stored, and bfloat16 results are widened.
std::vector<float> in_turn(const SeparableArgs& args, const ConvImpl& conv, const ConvImpl& filter) {
  const auto run_bf16 = [&](ConvArgs a) {
    a.problem.type = kernels::ConvType::bfloat16;
    const std::vector<std::byte> weight(packed(
        conv, a.problem,
        {kernels::typed<float>(a.weight), kernels::typed<float>(a.weight) + a.problem.weight_elements()}));
    a.weight = weight.data();
    const auto count =
        static_cast<std::size_t>(a.problem.batch * a.problem.filters * volume(a.problem.output));
    std::vector<float> wide(count, NAN);
    std::vector<BFloat16> narrow(count);
    a.dst = a.dst_is_float32 ? static_cast<void*>(wide.data()) : narrow.data();
    std::vector<std::byte> scratch(conv.scratch_bytes(a.problem), std::byte{0xff});
    conv.run(a, 0, conv.tasks(a.problem), scratch.data());
    for (std::size_t i = 0; i < count && !a.dst_is_float32; ++i) wide[i] = static_cast<float>(narrow[i]);
    return wide;
  };
  std::vector<float> expanded;
  if (args.shape.expands) {
    ConvArgs first = args.expand;
    first.src = args.src;
    expanded = run_bf16(first);
  } else {
    const ConvProblem& s = args.shape.depthwise;
    for (std::int64_t i = 0; i < s.batch * s.channels * volume(s.input); ++i)
      expanded.push_back(static_cast<float>(kernels::typed<BFloat16>(args.src)[i]));
  }
  ConvArgs next = args.depthwise;
  next.src = expanded.data();
  const std::vector<BFloat16> filtered = rounded(run(filter, next));
  next = args.project;
  next.src = filtered.data();
  return run_bf16(next);
}

/// By the fused kernel, tasks in an order of their own.
std::vector<float> fused(SeparableArgs args, const Multiplier& by, Target target) {
  const auto pack = [](const ConvImpl& impl, ConvArgs& a) {
    const auto* weight = kernels::typed<float>(a.weight);
    std::vector<std::byte> bytes = packed(impl, a.problem, {weight, weight + a.problem.weight_elements()});
    a.weight = bytes.data();
    return bytes;
  };
  args.shape.parts = by.parts;
  const std::vector<std::byte> expand = pack(*by.conv, args.expand), project = pack(*by.conv, args.project),
                               filter = pack(kernels::conv_depthwise(target), args.depthwise);
  const ConvProblem& last = args.shape.project;
  const auto count = static_cast<std::size_t>(last.batch * last.filters * volume(last.output));
  std::vector<float> wide(count, NAN);
  std::vector<BFloat16> narrow(count);
  args.project.dst = args.project.dst_is_float32 ? static_cast<void*>(wide.data()) : narrow.data();
  const SeparableKernel& kernel = kernels::separable_strips_bf16(target);
  std::vector<float> scratch(static_cast<std::size_t>(kernel.scratch_elements(args.shape)), NAN);
  for (std::int64_t t = kernel.tasks(args.shape) - 1; t >= 0; --t) kernel.run(args, t, t + 1, scratch.data());
  for (std::size_t i = 0; i < count && !args.project.dst_is_float32; ++i)
    wide[i] = static_cast<float>(narrow[i]);
  return wide;
}

void check_bf16_block(const Block& block, const kernels::PostOps& inner) {
  const Bf16Block problem(block);
  for (Target target : vector_targets()) {
    for (const Multiplier& by : multipliers()) {
      SCOPED_TRACE(describe(problem.shape.depthwise) + " on " + to_string(target) + " by " + by.conv->name);
      for (const bool wide : {false, true}) {
        SeparableArgs args = problem.args(inner, wide);
        const std::vector<float> expected = in_turn(args, *by.conv, kernels::conv_depthwise(target));
        for (std::int64_t strips : {1, 2, 5}) {
          args.shape.strips = strips;
          const std::vector<float> result = fused(args, by, target);
          EXPECT_EQ(std::memcmp(result.data(), expected.data(), result.size() * sizeof(float)), 0) << strips;
        }
      }
    }
  }
}

TEST(SeparableBf16, HasTheBitsOfThreeConvolutions) {
  const kernels::PostOps clip{kernels::Activation::clip, 0.0f, 1.5f}, swish{kernels::Activation::swish};
  for (std::int64_t stride : {1, 2, 3}) {
    for (std::int64_t kernel : {1, 3, 5}) {
      check_bf16_block({1, 14, 13, 6, 30, 9, kernel, stride, kernel / 2}, kernel == 5 ? swish : clip);
      check_bf16_block({2, 9, 33, 16, 0, 20, kernel, stride, kernel / 2}, {kernels::Activation::relu});
    }
  }
  check_bf16_block({1, 30, 28, 24, 144, 24, 3, 1, 1}, clip);
  check_bf16_block({1, 20, 3, 3, 17, 2, 3, 1, 2}, clip);
  check_bf16_block({1, 16, 1, 4, 16, 2, 3, 1, 1}, {});
  check_bf16_block({2, 7, 7, 40, 240, 40, 3, 1, 1}, {kernels::Activation::leaky, 0.1f});
  check_bf16_block({1, 11, 12, 6, 48, 6, 3, 2, 0}, clip);
}

// Rows of several chunks, which keep what the next one needs for each group of channels.
TEST(SeparableBf16, KeepsRowsBetweenChunks) {
  const kernels::PostOps clip{kernels::Activation::clip, 0.0f, 1.5f};
  for (std::int64_t stride : {1, 2}) check_bf16_block({1, 20, 112, 8, 72, 4, 3, stride, 1}, clip);
}

TEST(SeparableBf16, IsChosenOnCpusThatMultiplyBfloat16Fast) {
  for (Target target : vector_targets()) {
    SeparableShape small = shape_of({1, 7, 7, 160, 960, 160, 3, 1, 1});
    const bool fast = kernels::bf16_fast_parts(target) != nullptr;
    EXPECT_EQ(kernels::select_separable_bf16(small, target, 2) != nullptr, fast);
    EXPECT_EQ(small.parts, kernels::bf16_fast_parts(target));
    EXPECT_EQ(kernels::select_separable_bf16(small, target, 3), nullptr);
  }
  SeparableShape large = shape_of({1, 56, 56, 24, 144, 24, 3, 1, 1});
  EXPECT_EQ(kernels::select_separable_bf16(large, Target::ref, 1), nullptr);
}

TEST(Separable, IsChosenWhereStripsHaveRowsEnough) {
  SeparableShape large = shape_of({1, 56, 56, 24, 144, 24, 3, 1, 1});
  SeparableShape small = shape_of({1, 7, 7, 160, 960, 160, 3, 1, 1});
  EXPECT_NE(kernels::select_separable(large, Target::baseline, 2), nullptr);
  EXPECT_EQ(large.strips, 2);
  EXPECT_EQ(kernels::select_separable(small, Target::baseline, 2), nullptr);
  EXPECT_EQ(kernels::select_separable(large, Target::ref, 1), nullptr);
  SeparableShape narrow = shape_of({1, 28, 28, 256, 0, 256, 3, 1, 1});
  EXPECT_NE(kernels::select_separable(narrow, Target::baseline, 1), nullptr);
  EXPECT_EQ(kernels::select_separable(narrow, Target::baseline, 2), nullptr);
}

}  // namespace
}  // namespace mxinfer

// The fused block of three convolutions against the three one after another: the same bits.
#include "kernels/conv/separable/separable.h"

#include <gtest/gtest.h>

#include "conv_problem.h"

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

// A convolution fused with its pooling against one after the other: the same bits.
#include "kernels/conv/pool/conv_pool.h"

#include <gtest/gtest.h>

#include "conv_problem.h"
#include "kernels/pool_nd/pool_nd.h"

namespace mxinfer {
namespace {

using namespace test;
using kernels::ConvPoolArgs;
using kernels::ConvPoolKernel;
using kernels::ConvPoolShape;
using kernels::PoolArgs;
using kernels::SrcLayout;

struct Windows {
  std::int64_t kernel, stride, pad;
  bool full;
};

ConvPoolShape shape_of(const ConvProblem& conv, const Windows& windows) {
  ConvPoolShape s;
  s.conv = conv;
  s.kernel = {1, windows.kernel, windows.kernel};
  s.stride = {1, windows.stride, windows.stride};
  s.pad = {0, windows.pad, windows.pad};
  for (std::size_t d = 1; d < 3; ++d) {
    const std::int64_t room = conv.output[d] + 2 * windows.pad - windows.kernel;
    s.output[d] = 1 + (windows.full ? (room + windows.stride - 1) / windows.stride : room / windows.stride);
  }
  return s;
}

std::vector<float> pooled(const ConvPoolShape& s, const std::vector<float>& values, Target target) {
  PoolArgs args;
  args.planes = s.conv.batch;
  args.inner = s.conv.filters;
  for (std::size_t d = 0; d < 3; ++d) {
    args.in[d] = s.conv.output[d];
    args.out[d] = s.output[d];
    args.kernel[d] = s.kernel[d];
    args.stride[d] = s.stride[d];
    args.pad[d] = s.pad[d];
  }
  std::vector<float> result(static_cast<std::size_t>(args.planes * args.out_plane()), NAN);
  const kernels::PoolKernel kernel = kernels::select_pool(args, sizeof(float), target);
  kernel.run(args, values.data(), result.data(), 0, kernel.tasks(args));
  return result;
}

void expect_same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0);
}

/// `spoil`: some of the source is NaN.
void check_conv_pool(ConvProblem conv, const Windows& windows, bool spoil = false) {
  conv = completed(conv);
  const ConvPoolShape s = shape_of(conv, windows);
  Problem problem(conv);
  for (std::size_t i = 0; spoil && i < problem.src.size(); i += 97) problem.src[i] = NAN;
  const kernels::PostOps leaky{kernels::Activation::leaky, 0.25f};
  for (Target target : vector_targets()) {
    for (SrcLayout layout : {SrcLayout::nchw, SrcLayout::nhwc}) {
      SCOPED_TRACE(describe(conv) + " on " + to_string(target));
      const ConvImpl& strip = kernels::conv_strip(layout, target);
      const ConvPoolKernel& kernel = kernels::conv_pool_strips(layout, target);
      ConvPoolArgs args;
      args.shape = s;
      args.conv = problem.args(true, false, leaky);
      const std::vector<float> expected = pooled(s, run(strip, args.conv), target);
      std::vector<std::byte> packed(strip.packed_bytes(conv));
      strip.pack(conv, problem.weight.data(), packed.data());
      args.conv.weight = packed.data();
      const std::int64_t tasks = kernel.tasks(s);
      for (std::int64_t piece : {tasks, std::int64_t{1}, std::int64_t{3}}) {
        std::vector<float> result(expected.size(), NAN);
        std::vector<float> scratch(static_cast<std::size_t>(kernel.scratch_elements(s)), NAN);
        args.dst = result.data();
        for (std::int64_t end = tasks; end > 0; end -= piece)
          kernel.run(args, std::max<std::int64_t>(0, end - piece), end, scratch.data());
        expect_same_bits(result, expected);
      }
    }
  }
}

TEST(ConvPool, HasTheBitsOfConvolutionAndPooling) {
  for (const bool full : {false, true}) {
    check_conv_pool(conv2d(3, 64, 64, 64, 7, 2, 3), {3, 2, 1, full});
    check_conv_pool(conv2d(3, 20, 53, 47, 3, 2, 0), {3, 2, 0, full});
    check_conv_pool(conv2d(1, 5, 20, 31, 5, 1, 2), {2, 2, 0, full});
    check_conv_pool(conv2d(4, 37, 19, 17, 3, 1, 1), {2, 3, 1, full});
    check_conv_pool(conv2d(3, 8, 12, 300, 3, 1, 0), {5, 1, 2, full});
    check_conv_pool(conv2d(2, 16, 9, 9, 3, 1, 0), {7, 7, 0, full});
  }
  ConvProblem batch = conv2d(3, 24, 30, 22, 3, 2, 1);
  batch.batch = 3;
  check_conv_pool(batch, {3, 2, 1, false});
}

TEST(ConvPool, WindowsThatLieOutsideOrApart) {
  check_conv_pool(conv2d(3, 8, 9, 9, 3, 1, 0), {2, 2, 3, false});
  check_conv_pool(conv2d(3, 8, 9, 9, 3, 1, 0), {1, 4, 0, true});
  check_conv_pool(conv2d(3, 8, 40, 40, 3, 1, 0), {2, 9, 1, true});
}

TEST(ConvPool, NanLosesAsInPooling) {
  check_conv_pool(conv2d(3, 17, 40, 40, 3, 2, 1), {3, 2, 1, false}, true);
}

TEST(ConvPool, CallsThatGoOnComputeNoRowAgain) {
  const ConvPoolShape s = shape_of(completed(conv2d(3, 64, 224, 224, 7, 2, 3)), {3, 2, 1, false});
  const kernels::Work work = kernels::conv_pool_strips(SrcLayout::nchw, Target::baseline).work(s);
  const kernels::Work alone = kernels::conv_strip(SrcLayout::nchw, Target::baseline).work(s.conv);
  EXPECT_LT(work.flops, 1.02 * alone.flops);
  EXPECT_LT(work.activation_bytes, 0.5 * alone.activation_bytes);
}

}  // namespace
}  // namespace mxinfer

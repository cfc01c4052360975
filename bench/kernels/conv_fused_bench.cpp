// Fused convolutions on one thread: MobileNet's block of three, and the first convolution of image networks
// with its max pooling.
#include "bench.h"
#include "conv_cases.h"
#include "kernels/conv/pool/conv_pool.h"
#include "kernels/conv/separable/separable.h"

namespace mxinfer::bench {
namespace {

using kernels::ConvArgs;
using kernels::ConvImpl;

/// A convolution's weights, packed for a kernel, and its bias.
class Weights {
 public:
  Weights(const ConvImpl& kernel, const ConvProblem& problem)
      : packed_(kernel.packed_bytes(problem)), bias_(problem.filters) {
    Array<float> stored(problem.weight_elements());
    kernel.pack(problem, stored.data(), packed_.data());
    args_.problem = problem;
    args_.post_ops.activation = kernels::Activation::relu;
    args_.weight = packed_.data();
    args_.bias = bias_.data();
  }
  const ConvArgs& args() const { return args_; }

 private:
  AlignedBuffer packed_;
  Array<float> bias_;
  ConvArgs args_;
};

struct Block {
  cases::Case label;
  std::int64_t channels, expanded, filters, size, stride;
};

constexpr Block kBlocks[] = {
    {{"mobilenet_v2_24_144_56", "its second stage", cases::kLarge}, 24, 144, 24, 56, 1},
    {{"mobilenet_v2_64_384_14", "its fourth stage", cases::kLarge}, 64, 384, 64, 14, 1},
    {{"mobilenet_v1_128_56", "depthwise and 1 x 1", cases::kLarge}, 128, 0, 128, 56, 1},
};

kernels::SeparableShape shape_of(const Block& b) {
  kernels::SeparableShape s;
  s.expands = b.expanded > 0;
  const std::int64_t inner = s.expands ? b.expanded : b.channels;
  s.expand = square(b.channels, inner, b.size, 1);
  s.depthwise = square(inner, inner, b.size, 3, b.stride, inner);
  s.project = square(inner, b.filters, s.depthwise.output[1], 1);
  return s;
}

void run_separable(benchmark::State& state, const Block& b, Target target) {
  const kernels::SeparableShape shape = shape_of(b);
  const ConvImpl& direct = kernels::conv_direct(target);
  const Weights expand(direct, shape.expand), project(direct, shape.project),
      depthwise(kernels::conv_depthwise(target), shape.depthwise);
  Array<float> src(b.channels * b.size * b.size), dst(b.filters * kernels::volume(shape.project.output));
  const kernels::SeparableKernel& kernel = kernels::separable_strips(target);
  Array<float> scratch(kernel.scratch_elements(shape));
  kernels::SeparableArgs args{shape, expand.args(), depthwise.args(), project.args(), src.data()};
  args.project.dst = dst.data();
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(shape), scratch.data());
    benchmark::ClobberMemory();
  }
  report(state, {.flops = (shape.expands ? flops_of(shape.expand) : 0) + flops_of(shape.depthwise) +
                          flops_of(shape.project)});
}

void run_conv_pool(benchmark::State& state, Target target) {
  kernels::ConvPoolArgs args;
  args.shape.conv = square(3, 64, 224, 7, 2);
  args.shape.kernel = {1, 3, 3};
  args.shape.stride = {1, 2, 2};
  args.shape.pad = {0, 1, 1};
  args.shape.output = {1, 56, 56};
  constexpr auto kPlanes = kernels::SrcLayout::nchw;
  const Weights weights(kernels::conv_strip(kPlanes, target), args.shape.conv);
  Array<float> src(3 * 224 * 224), dst(64 * 56 * 56);
  const kernels::ConvPoolKernel& kernel = kernels::conv_pool_strips(kPlanes, target);
  Array<float> scratch(kernel.scratch_elements(args.shape));
  args.conv = weights.args();
  args.conv.src = src.data();
  args.dst = dst.data();
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(args.shape), scratch.data());
    benchmark::ClobberMemory();
  }
  report(state, {.flops = flops_of(args.shape.conv)});
}

// Without a reference kernel: it would be one convolution after another.
const Family fused([] {
  for (const Block& b : kBlocks) {
    measure("conv_separable", b.label,
            [&b](benchmark::State& state, Target target) { run_separable(state, b, target); });
  }
  measure("conv_pool", {"resnet_stem_224", "7 x 7 of stride 2, then 3 x 3 maxima", cases::kLarge},
          run_conv_pool);
});

}  // namespace
}  // namespace mxinfer::bench

// Convolutions of bfloat16 factors on one thread: what each target chooses.
#include <string>
#include <vector>

#include "bench.h"
#include "conv_cases.h"
#include "kernels/conv/bf16/conv_bf16.h"

namespace mxinfer::bench {
namespace {

using kernels::BFloat16;

void run_conv_bf16(benchmark::State& state, const ConvShape& shape, Target target) {
  const char* reason = "";
  const kernels::ConvBf16Kernel& kernel = select_conv_bf16(shape, target, &reason);
  Array<BFloat16> src(shape.batch * shape.channels * kernels::volume(shape.input)),
      dst(shape.batch * shape.filters * kernels::volume(shape.output));
  Array<float> weight(shape.weight_elements()), bias(shape.filters);
  Array<std::uint32_t> panels(kernel.algorithm->packed_pairs(shape));
  AlignedBuffer scratch(kernel.scratch_bytes(shape));
  kernel.algorithm->pack(shape, weight.data(), panels.data());
  kernels::ConvBf16Args args;
  args.shape = shape;
  args.src = src.data();
  args.panels = panels.data();
  args.bias = bias.data();
  args.dst = dst.data();
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(shape), scratch.data());
    benchmark::ClobberMemory();
  }
  report(state, {.flops = flops_of(shape)});
  state.SetLabel(kernel.name);
}

const Family conv_bf16([] {
  for (const ConvCase& c : kConvCases) {
    if (c.shape.groups > 1) continue;  // few products, which float32 computes
    // The reference sums in double, one product after another: too slow to wait for.
    measure("conv_bf16", {c.name, "", cases::kLarge},
            [&c](benchmark::State& state, Target target) { run_conv_bf16(state, c.shape, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

// bfloat16 convolutions on one thread, by the implementation that each target chooses.
#include <string>
#include <vector>

#include "bench.h"
#include "conv_cases.h"
#include "kernels/common/bfloat16.h"
#include "kernels/conv/conv.h"

namespace mxinfer::bench {
namespace {

using kernels::BFloat16;

void run_conv_bf16(benchmark::State& state, ConvProblem problem, Target target) {
  problem.type = kernels::ConvType::bfloat16;
  const char* reason = "";
  const kernels::ConvImpl& kernel = kernels::select_conv(problem, target, &reason);
  Array<BFloat16> src(problem.batch * problem.channels * kernels::volume(problem.input)),
      dst(problem.batch * problem.filters * kernels::volume(problem.output));
  Array<float> weight(problem.weight_elements()), bias(problem.filters);
  AlignedBuffer packed(kernel.packing == nullptr ? 0 : kernel.packed_bytes(problem)),
      scratch(kernel.scratch_bytes(problem));
  if (kernel.packing != nullptr) kernel.pack(problem, weight.data(), packed.data());
  kernels::ConvArgs args;
  args.problem = problem;
  args.src = src.data();
  args.weight = kernel.packing != nullptr ? static_cast<const void*>(packed.data()) : weight.data();
  args.bias = bias.data();
  args.dst = dst.data();
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(problem), scratch.data());
    benchmark::ClobberMemory();
  }
  report(state, {.flops = flops_of(problem)});
  state.SetLabel(kernel.name);
}

const Family conv_bf16([] {
  for (const ConvCase& c : kConvCases) {
    if (c.shape.groups > 1) continue;  // these run in float32
    // The reference, plain sums in double, is too slow.
    measure("conv_bf16", {c.name, "", cases::kLarge},
            [&c](benchmark::State& state, Target target) { run_conv_bf16(state, c.shape, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

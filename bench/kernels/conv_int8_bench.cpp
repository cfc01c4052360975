// Convolutions of 8-bit data on one thread, by the implementation that each target chooses.
#include <cstdint>

#include "bench.h"
#include "conv_cases.h"
#include "kernels/conv/int8/int8_conv.h"

namespace mxinfer::bench {
namespace {

using kernels::Int8Type;

void run_conv_int8(benchmark::State& state, const ConvProblem& problem, Target target) {
  const kernels::Int8ConvImpl& kernel = kernels::select_int8_conv(problem, Int8Type::u8, target);
  Array<std::uint8_t> src(problem.batch * problem.channels * kernels::volume(problem.input)),
      dst(problem.batch * problem.filters * kernels::volume(problem.output));
  Array<std::int8_t> weight(problem.weight_elements());
  Array<std::int32_t> bias(problem.filters);
  Array<float> scale(problem.filters);
  AlignedBuffer packed(kernel.pack == nullptr ? 0 : kernel.packed_bytes(problem, Int8Type::u8)),
      scratch(kernel.scratch_bytes(problem));
  kernels::Int8ConvArgs args;
  args.problem = problem;
  args.src = src.data();
  args.weight = weight.data();
  if (kernel.pack != nullptr) {
    kernel.pack(problem, Int8Type::u8, weight.data(), packed.data());
    args.weight = reinterpret_cast<const std::int8_t*>(packed.data());
  }
  args.bias = bias.data();
  args.scale = scale.data();
  args.before = {kernels::Activation::relu};
  args.dst = dst.data();
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(problem), scratch.data());
    benchmark::ClobberMemory();
  }
  report(state, {.flops = flops_of(problem)});
  state.SetLabel(kernel.name);
}

const Family conv_int8([] {
  for (const ConvCase& c : kConvCases) {
    measure("conv_int8", {c.name, "", cases::kLarge},
            [&c](benchmark::State& state, Target target) { run_conv_int8(state, c.shape, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

// Convolutions of known networks on one thread: GFLOP/s, and the part of the machine's peak that is.
#include <benchmark/benchmark.h>

#include <string>

#include "conv_cases.h"
#include "peak.h"

namespace mxinfer::bench {
namespace {

using kernels::ConvKernel;
using kernels::Target;

void run(benchmark::State& state, const ConvShape& s, Target target) {
  const char* reason = "";
  const ConvKernel& kernel = select_conv(s, target, &reason);
  ConvOperands operands(kernel, s);
  for (auto _ : state) {
    operands.run(kernel);
    benchmark::ClobberMemory();
  }
  const auto done = static_cast<double>(state.iterations()) * flops_of(s) / 1e9;
  state.counters["GFLOP/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  state.counters["of_peak"] = benchmark::Counter(done / peak_gflops(target), benchmark::Counter::kIsRate);
  state.SetLabel(kernel.name);
}

const bool registered = [] {
  for (Target target : {Target::avx2, Target::avx512}) {
    if (!is_supported(target)) continue;
    for (const ConvCase& c : kConvCases) {
      benchmark::RegisterBenchmark((std::string("conv2d/") + c.name + "/" + to_string(target)).c_str(),
                                   [&c, target](benchmark::State& state) { run(state, c.shape, target); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace mxinfer::bench

// Channels-last convolutions of known networks on one thread: the throughput of each implementation in
// operations of the definition, relative to a plain GEMM measured just before. Winograd's may be above 1.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "conv_cases.h"
#include "kernels/conv/conv.h"
#include "plain_gemm.h"

namespace mxinfer::bench {
namespace {

using kernels::ConvImpl;
using kernels::SrcLayout;
using kernels::Target;

/// The algorithms of the list to choose from; channels-first for images.
std::vector<const ConvImpl*> impls_for(ConvProblem s, Target target) {
  if (kernels::reads_nchw(s)) s.src_layout = SrcLayout::nchw;
  std::vector<const ConvImpl*> impls;
  for (const kernels::ConvCandidate& candidate : kernels::conv_candidates(s, target))
    impls.push_back(candidate.impl);
  return impls;
}

void run(benchmark::State& state, const ConvProblem& s, const ConvImpl& kernel, Target target) {
  ConvOperands operands(kernel, s);
  const double gemm = plain_gemm_gflops(target);
  for (auto _ : state) {
    operands.run(kernel);
    benchmark::ClobberMemory();
  }
  const auto done = static_cast<double>(state.iterations()) * flops_of(s) / 1e9;
  state.counters["GFLOP/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  state.counters["of_gemm"] = benchmark::Counter(done / gemm, benchmark::Counter::kIsRate);
}

void register_case(const ConvCase& c, Target target) {
  for (const ConvImpl* kernel : impls_for(c.shape, target)) {
    const std::string name = std::string(kernel->name) + "/" + c.name + "/" + to_string(target);
    benchmark::RegisterBenchmark(name.c_str(), [&c, kernel, target](benchmark::State& state) {
      run(state, c.shape, *kernel, target);
    });
  }
}

const bool registered = [] {
  for (Target target : {Target::avx2, Target::avx512}) {
    if (!is_supported(target)) continue;
    for (const ConvCase& c : kConvCases) register_case(c, target);
  }
  return true;
}();

}  // namespace
}  // namespace mxinfer::bench

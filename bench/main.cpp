// mxinfer_bench: kernel benches. State the machine beside any figure:
//   mxinfer_bench --benchmark_filter=conv --benchmark_repetitions=5 --benchmark_min_time=0.2
#include <benchmark/benchmark.h>

#include "kernels/common/target.h"
#include "peak.h"

int main(int argc, char** argv) {
  using mxinfer::kernels::Target;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (Target target : {Target::baseline, Target::avx2, Target::avx512}) {
    if (!is_supported(target)) continue;
    benchmark::AddCustomContext(std::string("peak GFLOP/s of one thread, ") + to_string(target),
                                std::to_string(mxinfer::bench::peak_gflops(target)));
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

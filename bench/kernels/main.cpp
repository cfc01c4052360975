// mxinfer_bench: kernel benches. State the machine beside any figure:
//   mxinfer_bench --benchmark_filter=conv --benchmark_repetitions=5 --benchmark_min_time=0.2
//   mxinfer_bench --quick      everything but convolutions once, on the best target, to see that it runs
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "bench.h"
#include "kernels/common/target.h"
#include "peak.h"

namespace {

/// Replaces --quick by Google Benchmark's options in front of the others, which may override them.
bool take_quick(std::vector<char*>& arguments) {
  const auto at = std::find(arguments.begin() + 1, arguments.end(), std::string_view("--quick"));
  if (at == arguments.end()) return false;
  arguments.erase(at);
  static char filter[] = "--benchmark_filter=-^conv", time[] = "--benchmark_min_time=0.001";
  arguments.insert(arguments.begin() + 1, {filter, time});
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using mxinfer::kernels::Target;
  std::vector<char*> arguments(argv, argv + argc);
  mxinfer::bench::register_families(take_quick(arguments));
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
  for (Target target : {Target::baseline, Target::avx2, Target::avx512}) {
    if (!is_supported(target)) continue;
    benchmark::AddCustomContext(std::string("peak GFLOP/s of one thread, ") + to_string(target),
                                std::to_string(mxinfer::bench::peak_gflops(target)));
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

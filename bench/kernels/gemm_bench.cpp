// GEMM on one thread: GFLOP/s, and GB/s of weights for single rows, which memory limits.
#include "bench.h"
#include "cases/gemm_cases.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_packed.h"
#include "peak.h"

namespace mxinfer::bench {
namespace {

void report_gemm(benchmark::State& state, const cases::Gemm& c, Target target) {
  const double flops = 2.0 * static_cast<double>(c.rows * c.columns * c.depth);
  report(state, {.bytes = 4.0 * static_cast<double>(c.columns * c.depth), .flops = flops});
  if (target == Target::ref) return;
  const double share = flops * 1e-9 / peak_gflops(target) * static_cast<double>(state.iterations());
  state.counters["of_peak"] = benchmark::Counter(share, benchmark::Counter::kIsRate);
}

void run_as_stored(benchmark::State& state, const cases::Gemm& c, Target target) {
  Array<float> a(c.rows * c.depth), b(c.columns * c.depth), dst(c.rows * c.columns);
  kernels::GemmNtArgs<float> args;
  args.rows = c.rows;
  args.columns = c.columns;
  args.depth = c.depth;
  args.a = a.data();
  args.b = b.data();
  args.dst = dst.data();
  const kernels::GemmNtKernel<float>& kernel = kernels::select_gemm_nt(target);
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(args));
    benchmark::ClobberMemory();
  }
  report_gemm(state, c, target);
  state.SetLabel(kernel.name);
}

void run_packed(benchmark::State& state, const cases::Gemm& c, Target target) {
  const kernels::GemmPackedKernel& kernel = kernels::select_gemm_packed(target);
  Array<float> a(c.rows * c.depth), dst(c.rows * c.columns),
      panels(kernel.panel_elements(c.columns, c.depth));
  kernels::GemmPackedArgs args;
  args.rows = c.rows;
  args.columns = args.dst_stride = c.columns;
  args.depth = args.a_stride = c.depth;
  args.a = a.data();
  args.panels = panels.data();
  args.dst = dst.data();
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(args));
    benchmark::ClobberMemory();
  }
  report_gemm(state, c, target);
  state.SetLabel(kernel.name);
}

const Family gemms([] {
  for (const cases::Gemm& c : cases::kGemm) {
    measure("gemm/as_stored", c.label,
            [&c](benchmark::State& state, Target target) { run_as_stored(state, c, target); });
    measure("gemm/packed", c.label,
            [&c](benchmark::State& state, Target target) { run_packed(state, c, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

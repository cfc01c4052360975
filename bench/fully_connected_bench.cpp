// Fully connected layers on one thread: GFLOP/s, and GB/s of weights for single rows, which memory limits.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "base/aligned_memory.h"
#include "kernels/gemm/gemm.h"
#include "kernels/gemm/gemm_packed.h"
#include "peak.h"

namespace mxinfer::bench {
namespace {

using kernels::Target;

struct Case {
  const char* name;
  std::int64_t rows, columns, depth;
};

const Case kCases[] = {
    {"resnet_fc_b1", 1, 1000, 512},
    {"resnet50_fc_b1", 1, 1000, 2048},
    {"vgg_fc6_b1", 1, 4096, 25088},
    {"vgg_fc7_b2", 2, 4096, 4096},
    {"vgg_fc7_b3", 3, 4096, 4096},
    {"vgg_fc7_b4", 4, 4096, 4096},
    {"vgg_fc7_b6", 6, 4096, 4096},
    {"vgg_fc7_b8", 8, 4096, 4096},
    {"vgg_fc7_b25", 25, 4096, 4096},
    {"lstm_b1", 1, 2048, 512},
    {"lstm_b8", 8, 2048, 512},
    {"bert_128x768x768", 128, 768, 768},
    {"bert_128x3072x768", 128, 3072, 768},
    {"bert_128x768x3072", 128, 768, 3072},
    {"bert_1024x3072x768", 1024, 3072, 768},
    {"attention_128x128x64", 128, 128, 64},
};

AlignedBuffer floats(std::int64_t count) {
  AlignedBuffer buffer(static_cast<std::size_t>(count) * sizeof(float));
  std::fill_n(reinterpret_cast<float*>(buffer.data()), count, 0.5f);
  return buffer;
}

void count(benchmark::State& state, const Case& c, Target target) {
  const auto runs = static_cast<double>(state.iterations());
  const double gflops = runs * 2e-9 * static_cast<double>(c.rows * c.columns * c.depth);
  state.counters["GFLOP/s"] = benchmark::Counter(gflops, benchmark::Counter::kIsRate);
  state.counters["of_peak"] = benchmark::Counter(gflops / peak_gflops(target), benchmark::Counter::kIsRate);
  state.counters["weight_GB/s"] =
      benchmark::Counter(runs * 4e-9 * static_cast<double>(c.columns * c.depth), benchmark::Counter::kIsRate);
}

void run_as_stored(benchmark::State& state, const Case& c, Target target) {
  AlignedBuffer a = floats(c.rows * c.depth), b = floats(c.columns * c.depth),
                dst = floats(c.rows * c.columns);
  kernels::GemmNtArgs<float> args;
  args.rows = c.rows;
  args.columns = c.columns;
  args.depth = c.depth;
  args.a = reinterpret_cast<const float*>(a.data());
  args.b = reinterpret_cast<const float*>(b.data());
  args.dst = reinterpret_cast<float*>(dst.data());
  const kernels::GemmNtKernel& kernel = kernels::select_gemm_nt(target);
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(args));
    benchmark::ClobberMemory();
  }
  count(state, c, target);
  state.SetLabel(kernel.name);
}

void run_packed(benchmark::State& state, const Case& c, Target target) {
  const kernels::GemmPackedKernel& kernel = kernels::select_gemm_packed(target);
  AlignedBuffer a = floats(c.rows * c.depth), dst = floats(c.rows * c.columns),
                panels = floats(kernel.panel_elements(c.columns, c.depth));
  kernels::GemmPackedArgs args;
  args.rows = c.rows;
  args.columns = args.dst_stride = c.columns;
  args.depth = args.a_stride = c.depth;
  args.a = reinterpret_cast<const float*>(a.data());
  args.panels = reinterpret_cast<const float*>(panels.data());
  args.dst = reinterpret_cast<float*>(dst.data());
  for (auto _ : state) {
    kernel.run(args, 0, kernel.tasks(args));
    benchmark::ClobberMemory();
  }
  count(state, c, target);
  state.SetLabel(kernel.name);
}

const bool registered = [] {
  for (Target target : {Target::avx2, Target::avx512}) {
    if (!is_supported(target)) continue;
    for (const Case& c : kCases) {
      const std::string name = std::string("fully_connected/") + c.name + "/" + to_string(target);
      benchmark::RegisterBenchmark((name + "/as_stored").c_str(), [&c, target](benchmark::State& state) {
        run_as_stored(state, c, target);
      });
      benchmark::RegisterBenchmark((name + "/packed").c_str(),
                                   [&c, target](benchmark::State& state) { run_packed(state, c, target); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace mxinfer::bench

// Kernels that only move elements, on one thread: transposition and slices, rows by index, upsampling.
#include <cstddef>

#include "bench.h"
#include "cases/move_cases.h"

namespace mxinfer::bench {
namespace {

void report_moved(benchmark::State& state, std::int64_t elements) {
  report(state, {.items = static_cast<double>(elements), .bytes = 8.0 * static_cast<double>(elements)});
}

void run_copy(benchmark::State& state, const cases::Copy& c, Target target) {
  const kernels::CopyArgs walk = simplify(args_of(c));
  Array<float> src(src_elements(c)), dst(walk.elements());
  const kernels::CopyKernel& kernel = select_copy(walk, sizeof(float), target);
  const kernels::CopyArgs args = kernel.prepare(walk);
  for (auto _ : state) {
    kernel.run(args, reinterpret_cast<const std::byte*>(src.data()), reinterpret_cast<std::byte*>(dst.data()),
               0, kernel.tasks(args));
    benchmark::ClobberMemory();
  }
  report_moved(state, walk.elements());
  state.SetLabel(kernel.name);
}

void run_take(benchmark::State& state, const cases::Take& c) {
  Array<float> src(c.size * c.row), dst(c.count * c.row);
  Array<std::int64_t> indices(c.count);
  for (std::int64_t i = 0; i < c.count; ++i) indices.data()[i] = i * 7919 % c.size;
  const kernels::TakeArgs args{c.size, c.count, static_cast<std::size_t>(c.row) * sizeof(float)};
  for (auto _ : state) {
    take_rows(args, indices.data(), reinterpret_cast<const std::byte*>(src.data()),
              reinterpret_cast<std::byte*>(dst.data()), 0, c.count);
    benchmark::ClobberMemory();
  }
  report_moved(state, c.count * c.row);
}

void run_upsample(benchmark::State& state, const cases::Upsample& c) {
  const std::int64_t outputs = c.channels * c.size * c.size * c.scale * c.scale;
  Array<float> src(c.channels * c.size * c.size), dst(outputs);
  const kernels::UpsampleArgs args{c.channels, c.size, c.size, c.scale, outputs, 0};
  const kernels::UpsampleFn run = kernels::select_upsample(sizeof(float));
  for (auto _ : state) {
    run(args, reinterpret_cast<const std::byte*>(src.data()), reinterpret_cast<std::byte*>(dst.data()), 0,
        c.channels * c.size);
    benchmark::ClobberMemory();
  }
  report_moved(state, outputs);
}

const Family moves([] {
  for (const cases::Copy& c : cases::kCopy) {
    measure("copy", c.label, [&c](benchmark::State& state, Target target) { run_copy(state, c, target); });
  }
  // Plain code, the same for all targets.
  for (const cases::Take& c : cases::kTake) {
    measure_plain("take", c.label, [&c](benchmark::State& state) { run_take(state, c); });
  }
  for (const cases::Upsample& c : cases::kUpsample) {
    measure_plain("upsample", c.label, [&c](benchmark::State& state) { run_upsample(state, c); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

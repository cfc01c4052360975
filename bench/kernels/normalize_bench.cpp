// Row normalisation, local response normalisation, and scale and shift, on one thread.
#include "bench.h"
#include "cases/normalize_cases.h"

namespace mxinfer::bench {
namespace {

void run_rows(benchmark::State& state, const cases::RowNorm& c, Target target) {
  const std::int64_t count = c.rows * c.length;
  Array<float> src(count), dst(count), gamma(c.rows + c.length), beta(c.rows + c.length);
  kernels::RowNormArgs<float> args = args_of(c);
  args.src = src.data();
  args.dst = dst.data();
  args.gamma = gamma.data();
  args.beta = beta.data();
  const auto run = kernels::select_row_norm_f32(target);
  for (auto _ : state) {
    run(args, 0, c.rows);
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(count)});
}

void run_lrn(benchmark::State& state, const cases::Lrn& c, Target target) {
  const std::int64_t rows = c.batch * c.channels;
  Array<float> src(rows * c.inner), dst(rows * c.inner);
  kernels::LrnArgs args = args_of(c);
  args.src = src.data();
  args.dst = dst.data();
  const auto run = kernels::select_lrn_f32(target);
  for (auto _ : state) {
    run(args, 0, rows);
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(rows * c.inner)});
}

void run_scale_shift(benchmark::State& state, const cases::ScaleShift& c, Target target) {
  const std::int64_t count = c.outer * c.channels * c.inner;
  Array<float> src(count), dst(count), scale(c.channels), shift(c.channels);
  kernels::ScaleShiftArgs<float> args = args_of(c);
  args.src = src.data();
  args.dst = dst.data();
  args.scale = scale.data();
  args.shift = shift.data();
  const auto run = kernels::select_scale_shift_f32(target);
  for (auto _ : state) {
    run(args, 0, rows_of(c));
    benchmark::ClobberMemory();
  }
  const auto items = static_cast<double>(count);
  report(state, {.items = items, .bytes = 8 * items});
}

const Family normalize([] {
  for (const cases::RowNorm& c : cases::kRowNorm) {
    measure("row_norm", c.label,
            [&c](benchmark::State& state, Target target) { run_rows(state, c, target); });
  }
  for (const cases::Lrn& c : cases::kLrn) {
    measure("lrn", c.label, [&c](benchmark::State& state, Target target) { run_lrn(state, c, target); });
  }
  for (const cases::ScaleShift& c : cases::kScaleShift) {
    measure("scale_shift", c.label,
            [&c](benchmark::State& state, Target target) { run_scale_shift(state, c, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

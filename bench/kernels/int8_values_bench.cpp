// 8-bit values from floats and back, and their pooling, on one thread.
#include "bench.h"
#include "cases/int8_value_cases.h"
#include "kernels/int8/int8_convert.h"
#include "kernels/int8/int8_pool.h"

namespace mxinfer::bench {
namespace {

using kernels::Int8Type;

void report_values(benchmark::State& state, std::int64_t count) {
  const auto items = static_cast<double>(count);
  report(state, {.items = items, .bytes = items * 5});
}

void run_quantize(benchmark::State& state, std::int64_t count, Target target) {
  Array<float> src(count);
  Array<std::uint8_t> dst(count);
  const auto quantize = kernels::select_quantize(Int8Type::u8, target);
  for (auto _ : state) {
    quantize(src.data(), dst.data(), count, 40.0F);
    benchmark::ClobberMemory();
  }
  report_values(state, count);
}

void run_dequantize(benchmark::State& state, std::int64_t count, Target target) {
  Array<std::uint8_t> src(count);
  Array<float> dst(count);
  const auto dequantize = kernels::select_dequantize(Int8Type::u8, target);
  for (auto _ : state) {
    dequantize(src.data(), dst.data(), count, 0.025F);
    benchmark::ClobberMemory();
  }
  report_values(state, count);
}

void run_byte_pool(benchmark::State& state, const cases::Pool& c, Target target) {
  const kernels::PoolArgs args = args_of(c);
  const std::int64_t outputs = args.planes * args.out_plane();
  Array<std::uint8_t> src(args.planes * args.in_plane()), dst(outputs);
  const kernels::PoolKernel kernel = kernels::select_int8_pool(args, Int8Type::u8, target);
  for (auto _ : state) {
    kernel.run(args, src.data(), dst.data(), 0, kernel.tasks(args));
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(outputs)});
  state.SetLabel(kernel.name);
}

const Family int8_values([] {
  for (const cases::Int8Convert& c : cases::kInt8Convert) {
    measure("int8_quantize", c.label,
            [&c](benchmark::State& state, Target target) { run_quantize(state, c.count, target); });
    measure("int8_dequantize", c.label,
            [&c](benchmark::State& state, Target target) { run_dequantize(state, c.count, target); });
  }
  for (const cases::Pool& c : cases::kInt8Pool) {
    measure("int8_pool", c.label,
            [&c](benchmark::State& state, Target target) { run_byte_pool(state, c, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

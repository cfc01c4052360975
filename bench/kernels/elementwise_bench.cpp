// Unary and binary element-wise functions, and casts of bfloat16, on one thread.
#include <string>

#include "bench.h"
#include "cases/elementwise_cases.h"
#include "kernels/common/bfloat16.h"
#include "kernels/elementwise/bfloat16.h"
#include "kernels/elementwise/binary.h"

namespace mxinfer::bench {
namespace {

using kernels::BFloat16;
using kernels::ElementType;

void report_elements(benchmark::State& state, std::int64_t count, double bytes_each) {
  const auto items = static_cast<double>(count);
  report(state, {.items = items, .bytes = items * bytes_each});
}

void run_unary(benchmark::State& state, const cases::Unary& function, std::int64_t count, Target target) {
  Array<float> src(count), dst(count);
  const auto kernel = kernels::select_unary(function.function, ElementType::float32, target);
  for (auto _ : state) {
    kernel.run(src.data(), dst.data(), count, function.params);
    benchmark::ClobberMemory();
  }
  report_elements(state, count, 8);
}

void run_binary(benchmark::State& state, const char* function, std::int64_t count, Target target) {
  Array<float> a(count), b(count), dst(count);
  const auto kernel = kernels::select_binary(function, ElementType::float32, target);
  for (auto _ : state) {
    kernel.rows(a.data(), b.data(), dst.data(), count);
    benchmark::ClobberMemory();
  }
  report_elements(state, count, 12);
}

void run_cast(benchmark::State& state, bool from_float32, std::int64_t count, Target target) {
  Array<float> f32(count);
  Array<BFloat16> bf16(count);
  const auto& casts = kernels::select_bfloat16_casts(target);
  for (auto _ : state) {
    from_float32 ? casts.from_float32(f32.data(), bf16.data(), count)
                 : casts.to_float32(bf16.data(), f32.data(), count);
    benchmark::ClobberMemory();
  }
  report_elements(state, count, 6);
}

const Family elementwise([] {
  for (const cases::Elements& c : cases::kElements) {
    for (const cases::Unary& function : cases::kUnary) {
      measure(std::string("unary/") + function.function, c.label,
              [&](benchmark::State& state, Target target) { run_unary(state, function, c.count, target); });
    }
    for (const char* function : cases::kBinary) {
      measure(std::string("binary/") + function, c.label,
              [&c, function](benchmark::State& state, Target target) {
                run_binary(state, function, c.count, target);
              });
    }
    for (const bool from_float32 : {true, false}) {
      measure(from_float32 ? "bfloat16/from_float32" : "bfloat16/to_float32", c.label,
              [&c, from_float32](benchmark::State& state, Target target) {
                run_cast(state, from_float32, c.count, target);
              });
    }
  }
});

}  // namespace
}  // namespace mxinfer::bench

// Reductions on one thread.
#include <string>

#include "bench.h"
#include "cases/reduce_cases.h"

namespace mxinfer::bench {
namespace {

void run_reduce(benchmark::State& state, const cases::Reduce& c, const char* function, Target target) {
  const kernels::ReduceShape shape = shape_of(c);
  const std::int64_t outputs = shape.kept.elements(), count = outputs * shape.reduced.elements();
  Array<float> src(count), dst(outputs);
  const kernels::ReduceFold fold = select_reduce(function, kernels::ElementType::float32, target);
  for (auto _ : state) {
    reduce(fold, shape, src.data(), dst.data(), 0, outputs);
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(count), .bytes = 4.0 * static_cast<double>(count)});
}

const Family reductions([] {
  for (const cases::Reduce& c : cases::kReduce) {
    for (const char* function : cases::kReduceFunctions) {
      measure(
          std::string("reduce/") + function, c.label,
          [&c, function](benchmark::State& state, Target target) { run_reduce(state, c, function, target); });
    }
  }
});

}  // namespace
}  // namespace mxinfer::bench

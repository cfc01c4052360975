// Pooling of float32 and bfloat16 on one thread.
#include "bench.h"
#include "cases/pool_cases.h"
#include "kernels/common/bfloat16.h"

namespace mxinfer::bench {
namespace {

template <typename T>
void run_pool(benchmark::State& state, const cases::Pool& c, Target target) {
  const kernels::PoolArgs args = args_of(c);
  const std::int64_t outputs = args.planes * args.out_plane();
  Array<T> src(args.planes * args.in_plane()), dst(outputs);
  const kernels::PoolKernel kernel = select_pool(args, sizeof(T), target);
  for (auto _ : state) {
    kernel.run(args, src.data(), dst.data(), 0, kernel.tasks(args));
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(outputs)});
  state.SetLabel(kernel.name);
}

const Family pooling([] {
  for (const cases::Pool& c : cases::kPool) {
    measure("pool_f32", c.label,
            [&c](benchmark::State& state, Target target) { run_pool<float>(state, c, target); });
    if (!c.channels_last) continue;  // bfloat16 is channels-last
    measure("pool_bf16", c.label,
            [&c](benchmark::State& state, Target target) { run_pool<kernels::BFloat16>(state, c, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

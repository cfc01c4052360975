// Softmax on one thread.
#include "bench.h"
#include "cases/softmax_cases.h"

namespace mxinfer::bench {
namespace {

void run_softmax(benchmark::State& state, const cases::Softmax& c, Target target) {
  using kernels::ElementType;
  const std::int64_t count = c.outer * c.axis * c.inner;
  Array<float> src(count), dst(count);
  const kernels::SoftmaxArgs args = args_of(c);
  const kernels::SoftmaxKernel kernel =
      select_softmax(ElementType::float32, ElementType::float32, args, false, target);
  for (auto _ : state) {
    kernel.run(args, src.data(), dst.data(), nullptr, 0, c.outer * c.inner);
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(count)});
  state.SetLabel(kernel.variant);
}

const Family softmax([] {
  for (const cases::Softmax& c : cases::kSoftmax) {
    measure("softmax", c.label,
            [&c](benchmark::State& state, Target target) { run_softmax(state, c, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

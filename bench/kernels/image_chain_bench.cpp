// HWC pixels to normalised CHW floats, on one thread.
#include "bench.h"
#include "cases/image_chain_cases.h"

namespace mxinfer::bench {
namespace {

void run_chain(benchmark::State& state, const cases::ImageChain& c, Target target) {
  const std::int64_t values = 3 * c.height * c.width;
  Array<float> table(3 * 256), floats(c.floats ? values : 0), dst(values);
  Array<std::uint8_t> bytes(c.floats ? 0 : values);
  const kernels::ChainArgs args = args_of(c, table.data());
  fill_chain_table(args.first, args.steps, args.step_count, args.channels, table.data());
  const auto type = c.floats ? kernels::ElementType::float32 : kernels::ElementType::uint8;
  const kernels::ChainKernels kernel = select_image_chain(type, args, target);
  const void* src = c.floats ? static_cast<const void*>(floats.data()) : bytes.data();
  for (auto _ : state) {
    kernel.run(args, src, dst.data(), c.height);
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(c.height * c.width)});
  state.SetLabel(kernel.variant);
}

const Family chain([] {
  for (const cases::ImageChain& c : cases::kImageChain) {
    measure("image_chain", c.label,
            [&c](benchmark::State& state, Target target) { run_chain(state, c, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

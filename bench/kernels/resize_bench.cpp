// Linear resizing of bytes on one thread.
#include "bench.h"
#include "cases/resize_cases.h"
#include "image/resize.h"

namespace mxinfer::bench {
namespace {

void run_resize(benchmark::State& state, const cases::Resize& c, Target target) {
  const kernels::ResizeShape& s = c.shape;
  Array<std::uint8_t> src(s.src_height * s.src_width * s.channels),
      dst(s.dst_height * s.dst_width * s.channels);
  const image::ResizePlan plan(s, DType::uint8, Interpolation::linear, target);
  AlignedBuffer scratch(plan.scratch_bytes());
  for (auto _ : state) {
    plan.run(src.data(), dst.data(), 0, s.dst_height, scratch.data());
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(s.dst_height * s.dst_width)});
}

const Family resize([] {
  for (const cases::Resize& c : cases::kResize) {
    measure("resize_linear_u8", c.label,
            [&c](benchmark::State& state, Target target) { run_resize(state, c, target); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

// ROIAlign of float32 on one thread.
#include "bench.h"
#include "cases/roi_align_cases.h"

namespace mxinfer::bench {
namespace {

void run_roi_align(benchmark::State& state, const cases::RoiAlign& c, Target target) {
  const cases::RoiAlignData data(c);
  Array<float> dst(static_cast<std::int64_t>(data.outputs()));
  const kernels::RoiAlignArgs args = data.args(dst.data());
  const bool ref = target == Target::ref;
  AlignedBuffer scratch(ref ? kernels::roi_align_scratch(args) : kernels::roi_align_f32_scratch(args));
  const kernels::RoiAlignFn align =
      ref ? kernels::select_roi_align(kernels::ElementType::float32) : kernels::select_roi_align_f32(target);
  for (auto _ : state) {
    align(args, scratch.data(), 0, data.tasks());
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(data.outputs())});
}

const Family roi_align([] {
  for (const cases::RoiAlign& c : cases::kRoiAlign)
    measure("roi_align", c.label,
            [&c](benchmark::State& state, Target target) { run_roi_align(state, c, target); });
});

}  // namespace
}  // namespace mxinfer::bench

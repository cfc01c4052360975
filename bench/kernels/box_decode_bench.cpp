// Boxes from codes and anchors, float32, on one thread.
#include "bench.h"
#include "cases/box_decode_cases.h"

namespace mxinfer::bench {
namespace {

void run_box_decode(benchmark::State& state, const cases::BoxDecode& c, Target target) {
  const cases::BoxDecodeData data(c);
  Array<float> dst(data.rows() * 4);
  const kernels::BoxDecodeArgs args = data.args(dst.data());
  const kernels::BoxDecodeFn decode = target == Target::ref
                                          ? kernels::select_box_decode(kernels::ElementType::float32)
                                          : kernels::select_box_decode_f32(target);
  for (auto _ : state) {
    decode(args, 0, data.rows());
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(data.rows())});
}

const Family box_decode([] {
  for (const cases::BoxDecode& c : cases::kBoxDecode)
    measure("box_decode", c.label,
            [&c](benchmark::State& state, Target target) { run_box_decode(state, c, target); });
});

}  // namespace
}  // namespace mxinfer::bench

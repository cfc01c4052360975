// Suppression of boxes that are sorted already, on one thread; and the plain loop over pairs of them.
#include <algorithm>
#include <string>
#include <vector>

#include "bench.h"
#include "cases/nms_cases.h"

namespace mxinfer::bench {
namespace {

void run_nms(benchmark::State& state, const cases::Nms& c, Target target) {
  cases::NmsBoxes boxes(c);
  const kernels::SuppressArgs<float> args = boxes.args();
  const auto run = kernels::select_suppress_boxes(target);
  std::int64_t kept = 0;
  for (auto _ : state) {
    kept = run(args);
    benchmark::ClobberMemory();
  }
  report(state, {.items = static_cast<double>(c.count)});
  state.SetLabel(std::to_string(kept) + " kept");
}

bool overlap(const kernels::CornerBox<float>& a, const kernels::CornerBox<float>& b) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (width <= 0 || height <= 0) return false;
  const float shared = width * height;
  return shared / (a.area + b.area - shared) > 0.5f;
}

// As programs write it: each box that is kept marks those behind it that overlap it.
void run_plain(benchmark::State& state, const cases::Nms& c) {
  const cases::NmsBoxes boxes(c);
  const std::size_t count = boxes.boxes.size();
  std::int64_t kept = 0;
  for (auto _ : state) {
    std::vector<char> dropped(count, 0);
    kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (dropped[i] != 0) continue;
      ++kept;
      for (std::size_t j = i + 1; j < count; ++j) {
        if (dropped[j] == 0 && boxes.ids[i] == boxes.ids[j] && overlap(boxes.boxes[i], boxes.boxes[j]))
          dropped[j] = 1;
      }
    }
    benchmark::DoNotOptimize(dropped.data());
  }
  report(state, {.items = static_cast<double>(c.count)});
  state.SetLabel(std::to_string(kept) + " kept");
}

const Family nms([] {
  for (const cases::Nms& c : cases::kNms) {
    measure("nms", c.label, [&c](benchmark::State& state, Target target) { run_nms(state, c, target); });
    measure_plain("nms_plain", c.label, [&c](benchmark::State& state) { run_plain(state, c); });
  }
});

}  // namespace
}  // namespace mxinfer::bench

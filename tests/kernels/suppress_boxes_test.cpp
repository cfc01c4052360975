// Suppression of boxes: every target keeps the boxes that the plain loop over pairs keeps.
#include "kernels/nms/suppress_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cases/nms_cases.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

constexpr OverlapRule kRules[] = {OverlapRule::above, OverlapRule::at_least, OverlapRule::smaller_above};

bool suppresses(const SuppressArgs<float>& args, std::int32_t better, std::int32_t other) {
  const CornerBox<float>&a = args.boxes[better], &b = args.boxes[other];
  if (args.ids != nullptr && args.ids[better] != args.ids[other]) return false;
  const float width = (a.x2 < b.x2 ? a.x2 : b.x2) - (a.x1 > b.x1 ? a.x1 : b.x1) + args.more;
  const float height = (a.y2 < b.y2 ? a.y2 : b.y2) - (a.y1 > b.y1 ? a.y1 : b.y1) + args.more;
  const float shared = (width > 0 ? width : 0) * (height > 0 ? height : 0);
  const float all = a.area + b.area - shared;
  if (args.rule == OverlapRule::above) return shared / all > args.limit;
  if (args.rule == OverlapRule::at_least) return (all <= 0 ? 0 : shared / all) >= args.limit;
  return shared / (a.area < b.area ? a.area : b.area) > args.limit;
}

std::vector<std::int32_t> by_pairs(const SuppressArgs<float>& args) {
  std::vector<std::int32_t> kept;
  for (std::int32_t i = 0; i < args.count && static_cast<std::int64_t>(kept.size()) < args.most; ++i) {
    const bool is_out = std::any_of(kept.begin(), kept.end(),
                                    [&](std::int32_t better) { return suppresses(args, better, i); });
    if (!is_out) kept.push_back(i);
  }
  return kept;
}

class SuppressBoxes : public testing::TestWithParam<Target> {
 protected:
  static std::vector<std::int32_t> run(cases::NmsBoxes& boxes, const SuppressArgs<float>& args) {
    return boxes.kept(select_suppress_boxes(GetParam())(args));
  }
};

TEST_P(SuppressBoxes, KeepsWhatThePlainLoopKeeps) {
  for (const cases::Nms& c : cases::kNms) {
    if (c.label.large) continue;
    SCOPED_TRACE(c.label.name);
    cases::NmsBoxes boxes(c);
    for (const OverlapRule rule : kRules) {
      for (const float limit : {0.0f, 0.3f, 0.7f}) {
        SuppressArgs<float> args = boxes.args(rule);
        args.limit = limit;
        const auto expected = by_pairs(args);
        EXPECT_EQ(run(boxes, args), expected) << limit;
        args.ids = nullptr;
        args.more = 1;
        EXPECT_EQ(run(boxes, args), by_pairs(args)) << limit;
      }
    }
  }
}

// Boxes of a grid of few numbers: overlaps that are exactly at the limit, equal boxes, boxes without area,
// and numbers that are none.
TEST_P(SuppressBoxes, DecidesAsThePlainLoopAtTheLimitAndWithoutNumbers) {
  cases::NmsBoxes boxes({{"grid", ""}, 400, 10, 3});
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 0; i < boxes.boxes.size(); ++i) {
    CornerBox<float>& box = boxes.boxes[i];
    for (float* side : {&box.x1, &box.y1, &box.x2, &box.y2}) *side = std::floor(*side / 4);
    if (i % 31 == 7) box.x2 = inf;
    if (i % 37 == 5) box.y1 = nan;
    if (i % 41 == 3) box.x2 = box.x1;
    box.area = (box.x2 - box.x1) * (box.y2 - box.y1);
  }
  for (const OverlapRule rule : kRules) {
    for (const float limit : {-1.0f, 0.0f, 0.25f, 0.5f, 1.0f}) {
      SuppressArgs<float> args = boxes.args(rule);
      args.limit = limit;
      EXPECT_EQ(run(boxes, args), by_pairs(args)) << static_cast<int>(rule) << ' ' << limit;
    }
  }
}

TEST_P(SuppressBoxes, StopsWhenThereAreEnough) {
  cases::NmsBoxes boxes(cases::kNms[0]);
  for (const std::int64_t most : {0, 1, 63, 64, 65}) {
    SuppressArgs<float> args = boxes.args();
    args.most = most;
    EXPECT_EQ(run(boxes, args), by_pairs(args)) << most;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, SuppressBoxes, testing::ValuesIn(test::targets()),
                         [](const auto& target) { return std::string(to_string(target.param)); });

}  // namespace
}  // namespace mxinfer::kernels

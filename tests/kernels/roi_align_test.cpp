// The vector kernel of ROIAlign against the plain one: regions of every place and size, bins of every number.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "base/files/aligned_memory.h"
#include "cases/roi_align_cases.h"
#include "kernels/roi/roi.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

std::vector<float> run(const RoiAlignArgs& given, Target target, std::int64_t tasks) {
  std::vector<float> result(static_cast<std::size_t>(tasks * given.bins()), -7.0f);
  RoiAlignArgs args = given;
  args.dst = result.data();
  const bool ref = target == Target::ref;
  AlignedBuffer scratch(ref ? roi_align_scratch(args) : roi_align_f32_scratch(args));
  const RoiAlignFn align = ref ? select_roi_align(ElementType::float32) : select_roi_align_f32(target);
  // In two parts, of which the second starts inside of a region.
  align(args, scratch.data(), 0, tasks / 2 + 1);
  align(args, scratch.data(), tasks / 2 + 1, tasks);
  return result;
}

void expect_close(const std::vector<float>& expected, const std::vector<float>& actual, Target target) {
  ASSERT_EQ(expected.size(), actual.size());
  // Averages of values up to 1.
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(actual[i], expected[i], 2e-6) << to_string(target) << ", output " << i;
}

TEST(RoiAlign, VectorsAgreeWithTheReference) {
  // Batch index and corners: inside, across each edge, outside, a point, thin ones, all of the map and more,
  // turned around, and one that is none.
  const std::vector<float> rois = {0,    3,  2,  30, 20, 1,  -9, -9, 8,  8,   0,  30,    20,    90,
                                   90,   1,  60, 60, 90, 99, 0,  5,  5,  5,   5,  1,     7,     1,
                                   7.5f, 40, 0,  0,  9,  70, 10, 1,  -5, -50, 99, 99,    0,     20,
                                   20,   4,  3,  -1, 1,  1,  9,  9,  0,  0,   0,  35.5f, 17.25f};
  const auto regions = static_cast<std::int64_t>(rois.size() / 5);
  for (const std::int64_t width : {1, 2, 7, 16, 17, 35, 50}) {
    for (const std::int64_t samples : {-1, 1, 2, 3}) {
      for (const bool aligned : {false, true}) {
        RoiAlignArgs args;
        args.batch = 2;
        args.channels = args.out_channels = 3;
        args.height = 1 + width / 2;
        args.width = width;
        args.bins_y = samples == 3 ? 1 : 7;
        args.bins_x = samples == 1 ? 14 : 5;
        args.scale = 0.5f;
        args.samples = samples;
        args.aligned = aligned;
        args.rois = rois.data();
        // Of exactly that size, so that sanitizers see a read past the end.
        const Tensor values = test::random_tensor({2, 3, args.height, width}, static_cast<unsigned>(width));
        const std::vector<float> data(values.data<float>(), values.data<float>() + values.elements());
        args.data = data.data();
        const std::int64_t tasks = regions * args.out_channels;
        const std::vector<float> expected = run(args, Target::ref, tasks);
        for (const Target target : test::targets())
          if (target != Target::ref) expect_close(expected, run(args, target, tasks), target);
      }
    }
  }
}

// Coordinates so large that many samples round to one place in the map: they are as many as the memory is
// for.
TEST(RoiAlign, RegionsBeyondTheExactnessOfFloatsStayInTheirMemory) {
  struct Far {
    std::int64_t width, bins;
    bool aligned;
    float x1, x2;
  };
  for (const Far& far :
       {Far{66, 8, true, -8.00496845e10f, 2.44084531e10f}, Far{87, 1, true, -1.68951731e9f, 1.4343488e9f},
        Far{39, 1, true, -1.02262016e9f, 7.27904e8f}, Far{1026, 1, false, -2.97476465e10f, 2.45980856e10f}}) {
    for (const bool vertical : {false, true}) {
      RoiAlignArgs args;
      args.batch = args.channels = args.out_channels = 1;
      args.height = vertical ? far.width : 1;
      args.width = vertical ? 1 : far.width;
      args.bins_y = vertical ? far.bins : 1;
      args.bins_x = vertical ? 1 : far.bins;
      args.aligned = far.aligned;
      const std::vector<float> data(static_cast<std::size_t>(far.width), 1.0f);
      const std::vector<float> roi = vertical ? std::vector<float>{0, 0, far.x1, 1, far.x2}
                                              : std::vector<float>{0, far.x1, 0, far.x2, 1};
      args.data = data.data();
      args.rois = roi.data();
      const std::vector<float> expected = run(args, Target::ref, 1);
      for (const Target target : test::targets())
        if (target != Target::ref) expect_close(expected, run(args, target, 1), target);
    }
  }
}

TEST(RoiAlign, VectorsAgreeWithTheReferenceOnTheBenchedCases) {
  for (const cases::RoiAlign& c : cases::kRoiAlign) {
    if (c.label.large) continue;
    SCOPED_TRACE(c.label.name);
    const cases::RoiAlignData data(c);
    const RoiAlignArgs args = data.args(nullptr);
    const std::vector<float> expected = run(args, Target::ref, data.tasks());
    for (const Target target : test::targets())
      if (target != Target::ref) expect_close(expected, run(args, target, data.tasks()), target);
  }
}

}  // namespace
}  // namespace mxinfer::kernels

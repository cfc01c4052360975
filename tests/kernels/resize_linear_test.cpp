// The vector kernel of uint8 linear resizing against the plain one: the same bits at every size, channel
// count and border, and no access outside of the image (for sanitizer builds).
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "base/files/aligned_memory.h"
#include "image/resize.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

TEST(ResizeLinear, VectorsEqualTheReference) {
  std::uint32_t state = 1;
  const auto next = [&] { return state = state * 1664525U + 1013904223U; };
  for (const std::int64_t channels : {1, 2, 3, 4, 5}) {
    for (int i = 0; i < 60; ++i) {
      const std::int64_t src_height = 1 + next() % 9999 % 12;
      const std::int64_t src_width = 1 + next() % 9999 % 41;
      const std::int64_t dst_height = 1 + next() % 9999 % 12;
      const std::int64_t dst_width = 1 + next() % 9999 % 70;
      // Exact sizes, so that sanitizers see a read past the end.
      std::vector<std::uint8_t> src(static_cast<std::size_t>(src_height * src_width * channels));
      for (std::uint8_t& value : src) value = static_cast<std::uint8_t>(next() >> 24);
      std::vector<std::uint8_t> expected(static_cast<std::size_t>(dst_height * dst_width * channels));
      for (const kernels::Target target : test::targets()) {
        const image::ResizePlan plan({src_height, src_width, dst_height, dst_width, channels}, DType::uint8,
                                     Interpolation::linear, target);
        std::vector<std::uint8_t> dst(expected.size());
        AlignedBuffer scratch(plan.scratch_bytes());
        plan.run(src.data(), dst.data(), 0, dst_height, scratch.data());
        if (target == kernels::Target::ref) {
          expected = dst;
          continue;
        }
        EXPECT_EQ(dst, expected) << to_string(target) << ' ' << src_height << 'x' << src_width << 'x'
                                 << channels << " to " << dst_height << 'x' << dst_width;
      }
    }
  }
}

TEST(ResizeLinear, TheVectorKernelIsChosen) {
  const kernels::ResizeShape shape{20, 30, 15, 17, 3};
  for (const kernels::Target target : test::targets()) {
    const image::ResizePlan plan(shape, DType::uint8, Interpolation::linear, target);
    EXPECT_STREQ(plan.kernel_name(), "resize_linear_u8");
    EXPECT_EQ(plan.kernel_target(), target);
  }
}

}  // namespace
}  // namespace mxinfer

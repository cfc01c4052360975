// DepthBlocks: blocks cover the sum once, in its order, and are neither long nor short.
#include "kernels/conv/depth_blocks.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace mxinfer::kernels {
namespace {

struct Sum {
  std::int64_t runs, run_length;
};

TEST(DepthBlocks, CoverEachStepOnceAndInOrder) {
  constexpr std::int64_t kSteps = 128;
  for (const Sum& sum : {Sum{1, 1},
                         {1, 255},
                         {1, 256},
                         {1, 257},
                         {1, 2048},
                         {9, 3},
                         {9, 28},
                         {9, 29},
                         {9, 64},
                         {9, 100},
                         {9, 128},
                         {9, 129},
                         {9, 512},
                         {25, 7},
                         {343, 3}}) {
    SCOPED_TRACE(testing::Message() << sum.runs << " runs of " << sum.run_length);
    const DepthBlocks blocks(sum.runs, sum.run_length, kSteps);
    std::int64_t run = 0, offset = 0;
    for (std::int64_t i = 0; i < blocks.count(); ++i) {
      const DepthBlock block = blocks.at(i);
      ASSERT_EQ(block.first_run, run);
      ASSERT_EQ(block.offset, offset);
      ASSERT_GE(block.depth(), 1);
      EXPECT_LE(block.depth(), 2 * kSteps);
      if (block.runs > 1) {
        ASSERT_EQ(block.length, sum.run_length);
      }
      offset += block.length;
      if (offset < sum.run_length) continue;
      offset = 0;
      run += block.runs;
    }
    EXPECT_EQ(run, sum.runs);
    EXPECT_EQ(offset, 0);
  }
}

TEST(DepthBlocks, LeaveShortSumsWhole) {
  EXPECT_EQ(DepthBlocks(1, 255, 128).count(), 1);
  EXPECT_EQ(DepthBlocks(1, 256, 128).count(), 2);
  EXPECT_EQ(DepthBlocks(9, 28, 128).count(), 1);
  EXPECT_EQ(DepthBlocks(9, 64, 128).count(), 5);
}

}  // namespace
}  // namespace mxinfer::kernels

#include "plan/memory/memory_plan.h"

#include <gtest/gtest.h>

#include <random>

namespace mxinfer::plan {
namespace {

bool overlap(const Block& a, const Block& b) {
  const bool in_time = a.first <= b.last && b.first <= a.last;
  const bool in_space = a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
  return in_time && in_space;
}

TEST(MemoryPlan, NoTwoLiveBlocksOverlap) {
  std::mt19937 generator(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Block> blocks(1 + generator() % 40);
    std::size_t sum = 0;
    for (Block& block : blocks) {
      block.bytes = generator() % 5000;
      block.first = static_cast<std::int32_t>(generator() % 30);
      block.last = block.first + static_cast<std::int32_t>(generator() % 6);
      sum += (block.bytes + 63) / 64 * 64;
    }
    const std::size_t total = assign_offsets(blocks);
    EXPECT_LE(total, sum);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(blocks[i].offset % 64, 0u);
      EXPECT_LE(blocks[i].offset + blocks[i].bytes, total);
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(blocks[i], blocks[j])) << i << " and " << j;
    }
  }
}

TEST(MemoryPlan, AChainTakesTwoBlocks) {
  std::vector<Block> blocks;
  for (std::int32_t i = 0; i < 50; ++i) blocks.push_back({4096, i, i + 1});
  EXPECT_EQ(assign_offsets(blocks), 2u * 4096u);
}

}  // namespace
}  // namespace mxinfer::plan

#include "base/files/block_pool.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/files/aligned_memory.h"
#include "base/files/pages.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

constexpr std::size_t kBlock = std::size_t{300} << 10, kPageBytes = 4096;

void fill(MemoryBlock& block, int value) {
  std::memset(block.data(), value, block.bytes());
}

bool is_all(const MemoryBlock& block, int value) {
  return std::count(block.data(), block.data() + block.bytes(), std::byte(value)) ==
         static_cast<std::ptrdiff_t>(block.bytes());
}

/// The first page boundary inside a block.
void* page_inside(MemoryBlock& block) {
  const auto at = reinterpret_cast<std::uintptr_t>(block.data());
  return block.data() + (kPageBytes - at % kPageBytes) % kPageBytes;
}

/// Whether a page is mapped, and in memory; nullopt if nothing is mapped there.
std::optional<bool> is_resident(void* page) {
  unsigned char state = 0;
  if (::mincore(page, kPageBytes, &state) != 0) return std::nullopt;
  return (state & 1) != 0;
}

TEST(BlockPool, BlocksAreAlignedAndApart) {
  BlockPool pool;
  std::vector<MemoryBlock> blocks;
  // Small ones, ones of the regions, and ones with a region of their own; more than a region holds.
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{65}, kBlock, kBlock + 1,
                                  std::size_t{8} << 20, (std::size_t{8} << 20) + 1, std::size_t{40} << 20})
    for (int i = 0; i < 5; ++i) blocks.push_back(pool.allocate(bytes));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ASSERT_NE(blocks[i].data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[i].data()) % kAlignment, 0u);
    fill(blocks[i], static_cast<int>(i));
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) EXPECT_TRUE(is_all(blocks[i], static_cast<int>(i))) << i;
}

TEST(BlockPool, BlocksFollowOneAnother) {
  if (!kMapsLargeBlocks) GTEST_SKIP() << "blocks are from the heap";
  BlockPool pool;
  const MemoryBlock first = pool.allocate(kBlock + 1), second = pool.allocate(kBlock);
  EXPECT_EQ(second.data(), first.data() + aligned_size(kBlock + 1));
}

TEST(BlockPool, AReleasedBlockGivesItsPagesBack) {
  if (!kMapsLargeBlocks) GTEST_SKIP() << "blocks are from the heap";
  BlockPool pool;
  MemoryBlock before = pool.allocate(kBlock), after;
  void* page = nullptr;
  {
    MemoryBlock released = pool.allocate(kBlock);
    after = pool.allocate(kBlock);
    for (MemoryBlock* block : {&before, &released, &after}) {
      take_pages(block->data(), block->bytes());
      fill(*block, 7);
    }
    page = page_inside(released);
    EXPECT_EQ(is_resident(page), true);
  }
  EXPECT_EQ(is_resident(page), false);
  EXPECT_TRUE(is_all(before, 7));
  EXPECT_TRUE(is_all(after, 7));
}

TEST(BlockPool, ARegionGoesWithItsLastBlock) {
  if (!kMapsLargeBlocks) GTEST_SKIP() << "blocks are from the heap";
  void* page = nullptr;
  MemoryBlock block;
  {
    BlockPool pool;
    block = pool.allocate(kBlock);
    page = page_inside(block);
    fill(block, 3);
  }
  EXPECT_TRUE(is_all(block, 3));
  block = MemoryBlock();
  EXPECT_EQ(is_resident(page), std::nullopt);
  EXPECT_EQ(errno, ENOMEM);
}

TEST(BlockPool, BlocksMove) {
  BlockPool pool;
  MemoryBlock block = pool.allocate(kBlock), other = pool.allocate(kBlock + 1);
  fill(block, 5);
  fill(other, 6);
  std::vector<MemoryBlock> blocks;
  blocks.push_back(std::move(block));
  blocks.push_back(std::move(other));
  std::swap(blocks[0], blocks[1]);
  EXPECT_EQ(blocks[0].bytes(), kBlock + 1);
  EXPECT_TRUE(is_all(blocks[0], 6));
  blocks.erase(blocks.begin());
  EXPECT_EQ(blocks[0].bytes(), kBlock);
  EXPECT_TRUE(is_all(blocks[0], 5));
}

TEST(BlockPool, WhatIsRefusedIsAnError) {
  BlockPool pool;
  EXPECT_MXINFER_ERROR(pool.allocate(kMostBytes), ErrorCode::out_of_memory, {"could not allocate"});
}

}  // namespace
}  // namespace mxinfer

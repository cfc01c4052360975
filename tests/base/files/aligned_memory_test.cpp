#include "base/files/aligned_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/expect_error.h"
#include "support/refuse_large_memory.h"

namespace mxinfer {
namespace {

bool is_aligned(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) % kAlignment == 0;
}

TEST(AlignedMemory, IsAlignedAndAllThere) {
  for (const Pages pages : {Pages::now, Pages::later}) {
    for (const std::size_t bytes : {0, 1, 63, 64, 65, 4097, (1 << 18) - 1, 1 << 18, (3 << 20) + 5}) {
      AlignedBuffer buffer(bytes, pages);
      ASSERT_NE(buffer.data(), nullptr) << bytes;
      EXPECT_TRUE(is_aligned(buffer.data())) << bytes;
      EXPECT_EQ(buffer.bytes(), bytes);
      std::memset(buffer.data(), 1, bytes);
      EXPECT_EQ(std::count(buffer.data(), buffer.data() + bytes, std::byte{1}),
                static_cast<std::ptrdiff_t>(bytes));
    }
  }
}

TEST(AlignedMemory, BlocksAreApart) {
  std::vector<AlignedBuffer> blocks;
  for (int i = 0; i < 100; ++i) {
    blocks.emplace_back(std::size_t{65});
    std::memset(blocks.back().data(), i, 65);
  }
  for (int i = 0; i < 100; ++i) {
    const AlignedBuffer& block = blocks[static_cast<std::size_t>(i)];
    EXPECT_EQ(std::count(block.data(), block.data() + 65, std::byte(i)), 65);
  }
}

TEST(AlignedMemory, WhatIsRefusedIsAnError) {
  // The largest cannot even be rounded up to the alignment.
  for (const std::size_t bytes :
       {kMostBytes, std::numeric_limits<std::size_t>::max() / 2,
        std::numeric_limits<std::size_t>::max() - kAlignment + 2, std::numeric_limits<std::size_t>::max()}) {
    for (const Pages pages : {Pages::now, Pages::later})
      EXPECT_MXINFER_ERROR(AlignedBuffer(bytes, pages), ErrorCode::out_of_memory,
                           {"could not allocate " + std::to_string(bytes) + " bytes"});
  }
}

TEST(AlignedBuffer, IsEmptyUntilItOwnsMemory) {
  AlignedBuffer buffer;
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(buffer.bytes(), 0u);
  AlignedBuffer other(100);
  const std::byte* memory = other.data();
  buffer = std::move(other);
  EXPECT_EQ(buffer.data(), memory);
  EXPECT_EQ(buffer.bytes(), 100u);
}

TEST(AlignedBuffer, ALargeOneGoesBackToTheSystemAtOnce) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer keeps it";
#endif
  const void* memory = nullptr;
  {
    const AlignedBuffer buffer(8 << 20);
    memory = buffer.data();
  }
  unsigned char page = 0;
  EXPECT_EQ(::mincore(const_cast<void*>(memory), 4096, &page), -1);
  EXPECT_EQ(errno, ENOMEM);
}

TEST(AlignedBuffer, OneOfSeveralHugePagesBeginsWithOne) {
  if (!kMapsLargeBlocks) GTEST_SKIP() << "blocks are from the heap";
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  for (const std::size_t bytes : {2 * kHugePage, 2 * kHugePage + 1, 3 * kHugePage - 1}) {
    for (int i = 0; i < 3; ++i) {
      AlignedBuffer buffer(bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % kHugePage, 0u);
      std::memset(buffer.data(), 1, bytes);
    }
  }
}

}  // namespace
}  // namespace mxinfer

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

TEST(TakePages, ChangesNoByte) {
  std::vector<unsigned char> block((5 << 20) + 123);
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<unsigned char>(i * 7 + i / 4096);
  const std::vector<unsigned char> before = block;
  // Stretches of any size at any address, those without a whole page among them.
  for (const std::size_t first : {0, 1, 4095, 70'000}) {
    for (const std::size_t bytes : {0, 1, 4096, 1 << 18, (1 << 20) + 1, 5 << 20})
      take_pages(block.data() + first, std::min(bytes, block.size() - first));
  }
  EXPECT_EQ(block, before);
}

#if defined(MADV_POPULATE_WRITE)
TEST(TakePages, GivesALargeBlockItsPages) {
  constexpr std::size_t kPage = 4096, kBytes = std::size_t{5} << 20;
  void* block = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  if (::madvise(block, kPage, MADV_POPULATE_WRITE) != 0) {
    ::munmap(block, kBytes);
    GTEST_SKIP() << "this system cannot give pages ahead: " << std::strerror(errno);
  }
  const auto resident_pages = [&] {
    std::vector<unsigned char> pages(kBytes / kPage);
    EXPECT_EQ(::mincore(block, kBytes, pages.data()), 0);
    return std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
  };
  take_pages(block, kBytes);
  EXPECT_EQ(resident_pages(), static_cast<std::ptrdiff_t>(kBytes / kPage));
  ::munmap(block, kBytes);
}
#endif

}  // namespace
}  // namespace mxinfer

#include "base/files/pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace mxinfer {
namespace {

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

// The rest of a block whose huge pages come slowly has small ones; nothing else changes.
TEST(TakePages, TakesSmallPagesIfHugeOnesAreSlow) {
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  PageCost cost;
  cost.add(std::size_t{4} << 20, std::int64_t{1} << 30);
  ASSERT_TRUE(cost.is_high());
  std::vector<unsigned char> block(kBytes, 7);
  take_pages(block.data(), block.size(), cost);
  EXPECT_EQ(std::count(block.begin(), block.end(), 7), static_cast<std::ptrdiff_t>(kBytes));
}

TEST(PageCost, IsHighFromAThirdOfANanosecondAByteOn) {
  PageCost fast, slow, few;
  fast.add(std::size_t{9} << 20, std::int64_t{2} << 20);
  EXPECT_FALSE(fast.is_high());
  slow.add(std::size_t{9} << 20, std::int64_t{4} << 20);
  EXPECT_TRUE(slow.is_high());
  few.add(std::size_t{1} << 20, std::int64_t{5} << 20);  // one page may be late
  EXPECT_FALSE(few.is_high());
}

}  // namespace
}  // namespace mxinfer

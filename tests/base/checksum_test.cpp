#include "base/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace mxinfer {
namespace {

std::vector<unsigned char> counted(std::size_t bytes) {
  std::vector<unsigned char> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<unsigned char>(i * 7 + i / 251);
  return all;
}

std::uint64_t sum_of(const std::vector<unsigned char>& bytes) {
  return checksum64(bytes.data(), bytes.size());
}

// Files hold these: if they change, kPackedFormat changes too.
TEST(Checksum, IsTheSameInEveryVersion) {
  EXPECT_EQ(sum_of({}), 0x5ee1ea78e239ba6cu);
  EXPECT_EQ(sum_of(counted(3)), 0x0743ea7fc2aa24d2u);
  EXPECT_EQ(sum_of(counted(5000)), 0x14ee60dc3d2e1848u);
}

TEST(Checksum, EveryBitCounts) {
  std::vector<unsigned char> bytes = counted(1200);
  std::set<std::uint64_t> sums{sum_of(bytes)};
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_TRUE(sums.insert(sum_of(bytes)).second) << bit;
    bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ (1U << (bit % 8)));
  }
}

TEST(Checksum, EveryLengthOfZerosDiffers) {
  std::set<std::uint64_t> sums;
  for (std::size_t bytes = 0; bytes < 1500; ++bytes)
    EXPECT_TRUE(sums.insert(sum_of(std::vector<unsigned char>(bytes))).second) << bytes;
}

TEST(Checksum, TheOrderOfWordsCounts) {
  const std::vector<unsigned char> bytes = counted(4096);
  for (const std::size_t apart : {8U, 64U, 1024U}) {
    std::vector<unsigned char> swapped = bytes;
    std::swap_ranges(swapped.begin(), swapped.begin() + 8,
                     swapped.begin() + static_cast<std::ptrdiff_t>(apart));
    EXPECT_NE(sum_of(swapped), sum_of(bytes)) << apart;
  }
}

}  // namespace
}  // namespace mxinfer

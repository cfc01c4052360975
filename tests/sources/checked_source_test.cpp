#include "sources/checked_source.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "support/expect_error.h"

namespace mxinfer::sources {
namespace {

constexpr std::size_t kBlock = static_cast<std::size_t>(kCheckedBlock);

std::vector<std::byte> contents(std::size_t bytes) {
  std::vector<std::byte> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::byte>(i * 31 + i / 1021);
  return all;
}

Span<const std::byte> view(const std::vector<std::byte>& bytes) {
  return {bytes.data(), bytes.size()};
}

std::vector<std::byte> read(const Source& source, std::size_t offset, std::size_t bytes) {
  std::vector<std::byte> read(bytes);
  source.read(static_cast<std::int64_t>(offset), read.data(), bytes);
  return read;
}

TEST(CheckedSource, ReadsWhatIsThere) {
  for (const std::size_t size : {std::size_t{1}, kBlock - 1, kBlock, 3 * kBlock, 40 * kBlock + 77}) {
    const auto bytes = contents(size);
    const auto source = checked(from_memory(view(bytes), "a"), block_sums(view(bytes)));
    EXPECT_EQ(source->size(), static_cast<std::int64_t>(size));
    for (const std::size_t offset : {std::size_t{0}, std::size_t{5}, kBlock, 2 * kBlock + 1, size - 1}) {
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, kBlock, 19 * kBlock + 3, size}) {
        if (offset > size || count > size - offset) continue;
        const auto* first = bytes.data() + offset;
        EXPECT_EQ(read(*source, offset, count), std::vector<std::byte>(first, first + count))
            << size << ' ' << offset << ' ' << count;
        EXPECT_TRUE(source->is_at_hand(static_cast<std::int64_t>(offset), count));
      }
    }
    EXPECT_THROW(read(*source, 1, size), Error);
  }
}

TEST(CheckedSource, DamageIsNoticedWhereItIsRead) {
  auto bytes = contents(5 * kBlock + 100);
  const BlockSums sums = block_sums(view(bytes));
  bytes[2 * kBlock + 7] ^= std::byte{1};
  bytes.back() ^= std::byte{0x80};
  const auto source = checked(from_memory(view(bytes), "weights"), sums);
  read(*source, 0, 2 * kBlock);
  read(*source, 3 * kBlock, 2 * kBlock);
  for (const auto& part : std::vector<std::pair<std::size_t, std::size_t>>{{0, bytes.size()},
                                                                           {2 * kBlock, 1},
                                                                           {kBlock, 2 * kBlock},
                                                                           {5 * kBlock, 1},
                                                                           {4 * kBlock, kBlock + 1}}) {
    EXPECT_MXINFER_ERROR(read(*source, part.first, part.second), ErrorCode::malformed,
                         {"weights", "checksum", "damaged"});
  }
}

TEST(PartSource, IsAPartOfTheWhole) {
  const auto bytes = contents(1000);
  const std::shared_ptr<const Source> whole = from_memory(view(bytes), "whole");
  const auto part = part_of(whole, 100, 50, "part");
  EXPECT_EQ(part->name(), "part");
  EXPECT_EQ(part->size(), 50);
  EXPECT_EQ(read(*part, 10, 40), std::vector<std::byte>(bytes.data() + 110, bytes.data() + 150));
  EXPECT_MXINFER_ERROR(read(*part, 10, 41), ErrorCode::malformed, {"part"});
  EXPECT_THROW(part_of(whole, -1, 1, "x"), Error);
  EXPECT_THROW(part_of(whole, 990, 11, "x"), Error);
  EXPECT_THROW(part_of(whole, 1, std::numeric_limits<std::int64_t>::max(), "x"), Error);
}

}  // namespace
}  // namespace mxinfer::sources

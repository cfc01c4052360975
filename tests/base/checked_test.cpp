#include "base/checked.h"

#include <gtest/gtest.h>

#include <vector>

namespace mxinfer {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kTwoTo31 = std::int64_t{1} << 31, kTwoTo32 = std::int64_t{1} << 32;

TEST(Checked, ProductsThatDoNotFitAreNothing) {
  EXPECT_EQ(checked_mul(6, 7), 42);
  EXPECT_EQ(checked_mul(0, kMost), 0);
  EXPECT_EQ(checked_mul(kMost, 1), kMost);
  EXPECT_EQ(checked_mul(kTwoTo31, kTwoTo31), kTwoTo31 * kTwoTo31);
  EXPECT_EQ(checked_mul(kTwoTo31, kTwoTo32), std::nullopt);  // 2^63
  EXPECT_EQ(checked_mul(kTwoTo32, kTwoTo32), std::nullopt);  // 2^64, which wraps to 0
  EXPECT_EQ(checked_mul(kMost, 2), std::nullopt);
}

TEST(Checked, ProductsOfManyFactorsAreCheckedAtEach) {
  EXPECT_EQ(checked_mul(2, 3, 5), 30);
  EXPECT_EQ(checked_mul(2, 3, 5, 7, 11), 2310);
  EXPECT_EQ(checked_mul(kTwoTo31, kTwoTo31, 1, 1), kTwoTo31 * kTwoTo31);
  EXPECT_EQ(checked_mul(kTwoTo32, kTwoTo32, 1), std::nullopt);
  EXPECT_EQ(checked_mul(1, kTwoTo31, 4, kTwoTo31), std::nullopt);
  EXPECT_EQ(checked_mul(1, 1, kTwoTo32, kTwoTo31), std::nullopt);
}

TEST(Checked, SumsThatDoNotFitAreNothing) {
  EXPECT_EQ(checked_add(2, 3), 5);
  EXPECT_EQ(checked_add(kMost, 0), kMost);
  EXPECT_EQ(checked_add(kMost, kLeast), -1);
  EXPECT_EQ(checked_add(kMost - 1, 1), kMost);
  EXPECT_EQ(checked_add(kMost, 1), std::nullopt);
  EXPECT_EQ(checked_add(kLeast, -1), std::nullopt);
}

TEST(Checked, IsInsideTakesAnyNumbers) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t near : {kLeast + 2, std::int64_t{0}, std::int64_t{10}, kMost - 2}) {
    for (std::int64_t i = -2; i <= 2; ++i) numbers.push_back(near + i);
  }
  for (const auto first : numbers) {
    for (const auto count : numbers) {
      for (const auto size : numbers) {
        // Two numbers >= 0 always have a sum as unsigned ones.
        const auto end = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(count);
        const bool inside = first >= 0 && count >= 0 && size >= 0 && end <= static_cast<std::uint64_t>(size);
        EXPECT_EQ(is_inside(first, count, size), inside) << first << ", " << count << ", " << size;
      }
    }
  }
}

TEST(Checked, CeilDivAndRoundUp) {
  for (std::int64_t b = 1; b <= 20; ++b) {
    for (std::int64_t a = 0; a <= 100; ++a) {
      const std::int64_t multiple = round_up(a, b);
      EXPECT_EQ(multiple % b, 0) << a << ", " << b;
      EXPECT_TRUE(a <= multiple && multiple < a + b) << a << ", " << b;
      EXPECT_EQ(ceil_div(a, b), multiple / b) << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace mxinfer

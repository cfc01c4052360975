// Casts to and from float16 and bfloat16: every value there and back, and the rounding.
#include "kernels/elementwise/cast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/elementwise/bfloat16.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kPatterns = 65536;

std::vector<std::uint16_t> all_patterns() {
  std::vector<std::uint16_t> bits(kPatterns);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  return bits;
}

/// Every bit pattern comes back; those of NaN come back as a NaN.
void expect_round_trip(CastFn to_float32, CastFn from_float32) {
  const std::vector<std::uint16_t> bits = all_patterns();
  std::vector<float> floats(bits.size());
  std::vector<std::uint16_t> back(bits.size());
  to_float32(bits.data(), floats.data(), kPatterns);
  from_float32(floats.data(), back.data(), kPatterns);
  std::vector<float> again(bits.size());
  to_float32(back.data(), again.data(), kPatterns);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (std::isnan(floats[i])) {
      ASSERT_TRUE(std::isnan(again[i])) << i;
    } else {
      ASSERT_EQ(back[i], bits[i]) << floats[i];
    }
  }
}

/// The middle between a positive number and its neighbour rounds to the even one, other numbers to the
/// nearer.
void expect_nearest_even(CastFn to_float32, CastFn from_float32, std::uint16_t infinity) {
  const std::vector<std::uint16_t> bits = all_patterns();
  std::vector<float> floats(bits.size());
  to_float32(bits.data(), floats.data(), kPatterns);
  std::vector<float> src;
  std::vector<std::uint16_t> expected;
  for (std::uint16_t i = 0; i + 1 < infinity; ++i) {
    const float middle = floats[i] + (floats[i + 1u] - floats[i]) / 2;
    if (!(middle > floats[i] && middle < floats[i + 1u]))
      continue;  // float32 has no number between bfloat16's smallest
    src.insert(src.end(), {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, INFINITY)});
    const auto above = static_cast<std::uint16_t>(i + 1);
    expected.insert(expected.end(), {i, i % 2 == 0 ? i : above, above});
  }
  std::vector<std::uint16_t> actual(src.size());
  from_float32(src.data(), actual.data(), static_cast<std::int64_t>(src.size()));
  for (std::size_t i = 0; i < src.size(); ++i) ASSERT_EQ(actual[i], expected[i]) << src[i];
}

TEST(Float16Cast, KeepsWhatFitsAndRoundsToNearestEven) {
  const CastFn to_float32 = select_cast(ElementType::float16, ElementType::float32);
  const CastFn from_float32 = select_cast(ElementType::float32, ElementType::float16);
  expect_round_trip(to_float32, from_float32);
  expect_nearest_even(to_float32, from_float32, 0x7c00);
}

TEST(BFloat16Cast, KeepsWhatFitsAndRoundsToNearestEvenOnEveryTarget) {
  for (const Target target : test::targets()) {
    SCOPED_TRACE(to_string(target));
    const BFloat16Casts& casts = select_bfloat16_casts(target);
    expect_round_trip(casts.to_float32, casts.from_float32);
    expect_nearest_even(casts.to_float32, casts.from_float32, 0x7f80);
  }
}

}  // namespace
}  // namespace mxinfer::kernels

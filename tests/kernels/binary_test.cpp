// The vector kernels of binary element-wise functions give the bits of the reference.
#include "kernels/elementwise/binary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "simd_targets.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

class BinarySimd : public testing::TestWithParam<Target> {};

std::vector<float> values(std::size_t n, unsigned seed) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> special = {0.0f, -0.0f, 1.0f, -1.0f, inf, -inf, nan, 1e-40f, 3e38f};
  std::vector<float> result;
  const Tensor random = test::random_tensor({static_cast<std::int64_t>(n)}, seed, -5, 5);
  for (std::size_t i = 0; i < n; ++i) {
    const bool use_special = (i * 7 + seed) % 5 == 0;
    result.push_back(use_special ? special[(i + seed * 3) % special.size()] : random.data<float>()[i]);
  }
  return result;
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0) return false;
  }
  return true;
}

TEST_P(BinarySimd, EqualsTheReference) {
  for (const char* name : {"add", "sub", "mul", "div", "maximum", "minimum", "prelu"}) {
    const BinaryKernel simd = binary_simd_f32(name, GetParam());
    const BinaryKernel ref = binary_ref(name, ElementType::float32);
    ASSERT_NE(simd.rows, nullptr) << name;
    for (std::size_t n = 0; n < 70; ++n) {
      const auto a = values(n + 1, 1), b = values(n + 1, 2);
      const auto count = static_cast<std::int64_t>(n);
      std::vector<float> x(n + 1, 7.0f), y(n + 1, 7.0f);  // the last element must stay
      simd.rows(a.data(), b.data(), x.data(), count);
      ref.rows(a.data(), b.data(), y.data(), count);
      EXPECT_TRUE(same(x, y)) << name << " rows of " << n;
      simd.rows_scalar(a.data(), b.data(), x.data(), count);
      ref.rows_scalar(a.data(), b.data(), y.data(), count);
      EXPECT_TRUE(same(x, y)) << name << " row and scalar, " << n;
      simd.scalar_rows(a.data(), b.data(), x.data(), count);
      ref.scalar_rows(a.data(), b.data(), y.data(), count);
      EXPECT_TRUE(same(x, y)) << name << " scalar and row, " << n;
    }
  }
}

TEST_P(BinarySimd, WorksInPlaceOnEitherSide) {
  const auto a = values(61, 1), b = values(61, 2);
  std::vector<float> apart(61), left = a, right = b;
  const BinaryKernel kernel = binary_simd_f32("sub", GetParam());
  kernel.rows(a.data(), b.data(), apart.data(), 61);
  kernel.rows(left.data(), b.data(), left.data(), 61);
  kernel.rows(a.data(), right.data(), right.data(), 61);
  EXPECT_TRUE(same(apart, left));
  EXPECT_TRUE(same(apart, right));
}

INSTANTIATE_TEST_SUITE_P(Targets, BinarySimd, testing::ValuesIn(test::simd_targets()),
                         [](const auto& target) { return std::string(to_string(target.param)); });

TEST(BinaryRef, SurvivesTheIntegersThatTrapOrOverflow) {
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  const std::vector<std::int32_t> a = {kLowest, 7, kLowest, 0}, b = {-1, 0, kLowest, 0};
  std::vector<std::int32_t> out(4);
  const auto run = [&](const char* name) {
    binary_ref(name, ElementType::int32).rows(a.data(), b.data(), out.data(), 4);
    return out;
  };
  EXPECT_EQ(run("div"), (std::vector<std::int32_t>{kLowest, kLowest, 1, kLowest}));
  EXPECT_EQ(run("mod"), (std::vector<std::int32_t>{0, 0, 0, 0}));
  EXPECT_EQ(run("add"), (std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::max(), 7, 0, 0}));
  EXPECT_EQ(run("mul"), (std::vector<std::int32_t>{kLowest, 0, 0, 0}));
}

}  // namespace
}  // namespace mxinfer::kernels

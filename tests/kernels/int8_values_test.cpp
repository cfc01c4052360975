// Conversions and pooling of 8-bit values: every target has the bits of the plain loops, on the cases that
// benches measure.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "cases/int8_value_cases.h"
#include "kernels/int8/int8_convert.h"
#include "kernels/int8/int8_pool.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes random_values(std::int64_t count) {
  std::mt19937 random(5);
  Bytes bytes(static_cast<std::size_t>(count));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

class Int8Values : public testing::TestWithParam<Int8Type> {};

TEST_P(Int8Values, AreQuantizedAsByPlainLoops) {
  for (const cases::Int8Convert& c : cases::kInt8Convert) {
    // Halves, numbers out of range, and those that are none.
    const Tensor data = test::random_tensor({c.count}, 3, -300.0F, 300.0F);
    std::vector<float> from(data.data<float>(), data.data<float>() + c.count);
    for (std::size_t i = 0; i < from.size(); i += 3) from[i] = std::floor(from[i]) + 0.5F;
    from[1] = std::numeric_limits<float>::quiet_NaN();
    from[4] = std::numeric_limits<float>::infinity();
    from[7] = -std::numeric_limits<float>::infinity();
    from[10] = 3e38F;
    Bytes expected(from.size()), actual(from.size());
    quantize_ref(GetParam())(from.data(), expected.data(), c.count, 1.0F);
    for (const Target target : test::targets()) {
      select_quantize(GetParam(), target)(from.data(), actual.data(), c.count, 1.0F);
      EXPECT_EQ(actual, expected) << c.label.name << ", " << to_string(target);
    }
  }
}

TEST_P(Int8Values, AreDequantizedAsByPlainLoops) {
  for (const cases::Int8Convert& c : cases::kInt8Convert) {
    const Bytes from = random_values(c.count);
    std::vector<float> expected(from.size()), actual(from.size());
    dequantize_ref(GetParam())(from.data(), expected.data(), c.count, 0.0371F);
    for (const Target target : test::targets()) {
      select_dequantize(GetParam(), target)(from.data(), actual.data(), c.count, 0.0371F);
      EXPECT_EQ(std::memcmp(actual.data(), expected.data(), actual.size() * sizeof(float)), 0)
          << c.label.name << ", " << to_string(target);
    }
  }
}

TEST_P(Int8Values, ArePooledAsByPlainLoops) {
  for (const cases::Pool& c : cases::kInt8Pool) {
    const PoolArgs args = args_of(c);
    const Bytes from = random_values(args.planes * args.in_plane());
    Bytes expected(static_cast<std::size_t>(args.planes * args.out_plane())), actual(expected.size());
    const PoolKernel plain = int8_pool_ref(GetParam());
    plain.run(args, from.data(), expected.data(), 0, plain.tasks(args));
    for (const Target target : test::targets()) {
      const PoolKernel kernel = select_int8_pool(args, GetParam(), target);
      EXPECT_EQ(kernel.target, target);
      kernel.run(args, from.data(), actual.data(), 0, kernel.tasks(args));
      EXPECT_EQ(actual, expected) << c.label.name << ", " << to_string(target);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Int8Values, testing::Values(Int8Type::s8, Int8Type::u8),
                         [](const auto& type) { return type.param == Int8Type::s8 ? "int8" : "uint8"; });

}  // namespace
}  // namespace mxinfer::kernels

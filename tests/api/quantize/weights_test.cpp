// Weights with a step for each filter.
#include "compose/quantize/weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace mxinfer::api {
namespace {

Tensor weights_of(const Shape& shape, const std::vector<float>& values) {
  Tensor tensor(DType::float32, shape);
  for (std::size_t i = 0; i < values.size(); ++i) tensor.data<float>()[i] = values[i];
  return tensor;
}

TEST(EightBitWeights, HaveAStepForEachFilter) {
  const Parameter weight(weights_of({2, 3}, {1, -0.25f, 0.1f, -127, 64, 0}));
  const EightBitWeights made = quantize_weights(weight, nullptr, 1);
  EXPECT_EQ(made.steps, (std::vector<float>{1.0f / 127, 1}));
  const std::vector<int> expected = {127, -32, 13, -127, 64, 0};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(made.weight.data<std::int8_t>()[i], expected[i]) << i;
  EXPECT_EQ(made.bias.elements(), 0);
}

TEST(EightBitWeights, BiasIsInStepsOfTheProducts) {
  const Parameter weight(weights_of({2, 1}, {127, 254})), bias(weights_of({2}, {10, -3}));
  const EightBitWeights made = quantize_weights(weight, &bias, 0.5f);
  EXPECT_EQ(made.bias.data<std::int32_t>()[0], 20);
  EXPECT_EQ(made.bias.data<std::int32_t>()[1], -3);
}

TEST(EightBitWeights, OfZerosKeepTheBias) {
  const Parameter weight(weights_of({2, 2}, {0, 0, 0, 0})), bias(weights_of({2}, {0.75f, 0}));
  const EightBitWeights made = quantize_weights(weight, &bias, 1.0f / 255);
  const double kept = static_cast<double>(made.bias.data<std::int32_t>()[0]) * made.steps[0] / 255;
  EXPECT_NEAR(kept, 0.75, 1e-6);
  EXPECT_EQ(made.bias.data<std::int32_t>()[1], 0);
  EXPECT_EQ(made.steps[1], 1.0f);
}

TEST(EightBitWeights, ALargeBiasFitsItsInteger) {
  const Parameter weight(weights_of({1, 2}, {1e-9f, -1e-9f})), bias(weights_of({1}, {1000}));
  const EightBitWeights made = quantize_weights(weight, &bias, 1.0f / 255);
  const std::int32_t steps = made.bias.data<std::int32_t>()[0];
  EXPECT_LE(std::abs(steps), 1 << 30);
  EXPECT_NEAR(static_cast<double>(steps) * made.steps[0] / 255, 1000, 1e-3);
}

}  // namespace
}  // namespace mxinfer::api

// The range of 32-bit sums, to the bit: what requantizes them multiplies by it.
#include <gtest/gtest.h>

#include "ops/quantized/int8_product.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

struct SumsRange {
  float data, weight;
  float rows, fused_convolution;  ///< the largest sums in MXNet, of uint8 data
};

// The products differ in their last bit with the order of the divisions by 127 and 255.
constexpr SumsRange kRecordedRanges[] = {{6.0F, 0.3F, 119359.914F, 119359.906F},
                                         {5.5F, 1.25F, 455888.562F, 455888.531F},
                                         {2.0F, 0.9F, 119359.906F, 119359.914F},
                                         {3.0F, 0.7F, 139253.219F, 139253.219F}};

TEST(SumsRange, IsTheOneOfMXNetsFullyConnected) {
  const Tensor data = test::tensor_of<std::uint8_t>({1, 2}, {1, 2});
  const Tensor weight = test::tensor_of<std::int8_t>({1, 2}, {1, 2});
  const Tensor zero = test::tensor_of<float>({1}, {0.0F});
  for (const SumsRange& range : kRecordedRanges) {
    const Tensor data_max = test::tensor_of<float>({1}, {range.data});
    const Tensor weight_min = test::tensor_of<float>({1}, {-range.weight});
    const Tensor weight_max = test::tensor_of<float>({1}, {range.weight});
    const auto out =
        test::run_op("_contrib_quantized_fully_connected", {{"num_hidden", "1"}, {"no_bias", "True"}},
                     {&data, &weight, &zero, &data_max, &weight_min, &weight_max});
    EXPECT_EQ(*out[0].data<std::int32_t>(), 5);
    EXPECT_EQ(*out[1].data<float>(), -range.rows);
    EXPECT_EQ(*out[2].data<float>(), range.rows);
  }
}

TEST(SumsRange, OfFloatWeightsDividesTheDataBy255) {
  ops::Int8Product product;
  product.data = DType::uint8;
  for (const SumsRange& range : kRecordedRanges) {
    EXPECT_EQ(ops::sums_range(product, {0, range.data}, {-range.weight, range.weight}).max,
              range.fused_convolution);
  }
}

TEST(SumsRange, OfAConvolutionWithoutFusionIsThatOfInt8Data) {
  ops::Int8Product unscaled;
  unscaled.weight_range = 4;
  unscaled.is_unscaled = true;
  ops::Int8Product bytes = unscaled;
  unscaled.data = DType::uint8;
  bytes.data = DType::int8;
  for (const SumsRange& range : kRecordedRanges) {
    const ops::ValueRange data{0, range.data}, weight{-range.weight, range.weight};
    EXPECT_EQ(ops::sums_range(unscaled, data, weight).max, ops::sums_range(bytes, data, weight).max);
    EXPECT_NEAR(ops::sums_range(unscaled, data, weight).max / range.rows, 255.0 / 127, 1e-6);
  }
}

}  // namespace
}  // namespace mxinfer

// BatchNorm beyond the recorded cases: fused activations, sizes around the vector widths, and what it
// refuses.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>

#include "kernels/common/post_ops.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Activation;

struct Parameters {
  explicit Parameters(std::int64_t channels)
      : gamma(test::random_tensor({channels}, 1)),
        beta(test::random_tensor({channels}, 2)),
        mean(test::random_tensor({channels}, 3)),
        variance(test::random_tensor({channels}, 4, 0.5f, 2.0f)) {}
  std::vector<const Tensor*> with(const Tensor& data) const {
    return {&data, &gamma, &beta, &mean, &variance};
  }
  Tensor gamma, beta, mean, variance;
};

class BatchNormActivation : public testing::TestWithParam<Activation> {};

TEST_P(BatchNormActivation, IsAppliedToWhatIsStored) {
  const Parameters parameters(5);
  const Tensor data = test::random_tensor({2, 5, 3, 13}, 0, -3, 3);
  for (const char* axis : {"1", "3"}) {
    const Parameters& own = parameters;
    const Parameters last(13);
    const auto inputs = (axis[0] == '1' ? own : last).with(data);
    for (auto target : test::targets()) {
      test::RunOpOptions options;
      options.target = target;
      options.parameters = {1, 2, 3, 4};
      const Tensor plain = std::move(test::run_op("BatchNorm", {{"axis", axis}}, inputs, options)[0]);
      options.post_ops.activation = GetParam();
      options.post_ops.alpha = 0.25f;
      options.post_ops.beta = 0.5f;
      const Tensor fused = std::move(test::run_op("BatchNorm", {{"axis", axis}}, inputs, options)[0]);
      Tensor expected = plain.clone();
      kernels::activate_span(options.post_ops, expected.data<float>(), expected.elements());
      EXPECT_LE(test::relative_difference(fused, expected), 1e-6)
          << kernels::to_string(target) << " axis " << axis;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BatchNormActivation,
                         testing::Values(Activation::none, Activation::relu, Activation::sigmoid,
                                         Activation::tanh, Activation::softrelu, Activation::softsign,
                                         Activation::clip, Activation::leaky, Activation::elu,
                                         Activation::gelu_erf, Activation::swish));

// MXNet computes it through oneDNN alone, where the recorded cases do not go.
TEST(BatchNormWithReLU, IsBatchNormWithoutItsNegativeNumbers) {
  const Tensor data = test::random_tensor({2, 5, 3, 7}, 0, -3, 3);
  const Parameters parameters(5);
  for (auto target : test::targets()) {
    test::RunOpOptions options;
    options.target = target;
    const std::map<std::string, std::string> attrs{{"output_mean_var", "True"}, {"fix_gamma", "False"}};
    auto expected = test::run_op("BatchNorm", attrs, parameters.with(data), options);
    const auto actual = test::run_op("_contrib_BatchNormWithReLU", attrs, parameters.with(data), options);
    for (std::int64_t i = 0; i < expected[0].elements(); ++i) {
      expected[0].data<float>()[i] = std::max(0.0f, expected[0].data<float>()[i]);
    }
    ASSERT_EQ(actual.size(), 3u);
    for (std::size_t o = 0; o < 3; ++o) EXPECT_EQ(test::relative_difference(actual[o], expected[o]), 0);
  }
}

TEST(BatchNorm, EveryWidthAgreesWithTheReference) {
  for (std::int64_t width = 1; width <= 35; ++width) {
    for (const Shape& shape : {Shape{2, 3, width}, Shape{4, width}}) {
      const Tensor data = test::random_tensor(shape, 7);
      const Parameters parameters(shape[1]);
      test::RunOpOptions options;
      options.target = kernels::Target::ref;
      const auto expected =
          test::run_op("BatchNorm", {{"fix_gamma", "False"}}, parameters.with(data), options);
      for (auto target : test::targets()) {
        options.target = target;
        const auto actual =
            test::run_op("BatchNorm", {{"fix_gamma", "False"}}, parameters.with(data), options);
        EXPECT_LE(test::relative_difference(actual[0], expected[0]), 1e-6) << to_string(shape);
      }
    }
  }
}

Tensor cast_to(const char* dtype, const Tensor& data) {
  return std::move(test::run_op("Cast", {{"dtype", dtype}}, {&data})[0]);
}

// It computes in float32: what is stored is that result, rounded.
TEST(BatchNormBFloat16, RoundsTheResultOfFloat32) {
  for (const Activation activation : {Activation::none, Activation::relu, Activation::swish}) {
    for (const Shape& shape : {Shape{3, 1}, Shape{3, 16}, Shape{3, 37}, Shape{2, 3, 16}, Shape{2, 3, 530}}) {
      const Tensor data = cast_to("bfloat16", test::random_tensor(shape, 7, -3, 3));
      const Parameters parameters(shape[1]);
      const std::map<std::string, std::string> attrs{{"fix_gamma", "False"}};
      for (auto target : test::targets()) {
        test::RunOpOptions options;
        options.target = target;
        options.parameters = {1, 2, 3, 4};
        options.post_ops.activation = activation;
        const Tensor wide = cast_to("float32", data);
        const Tensor expected =
            cast_to("bfloat16", test::run_op("BatchNorm", attrs, parameters.with(wide), options)[0]);
        const Tensor actual =
            std::move(test::run_op("_mxinfer_batch_norm_bf16", attrs, parameters.with(data), options)[0]);
        ASSERT_EQ(actual.dtype(), DType::bfloat16);
        EXPECT_EQ(test::relative_difference(cast_to("float32", actual), cast_to("float32", expected)), 0)
            << kernels::to_string(target) << ' ' << to_string(shape);
      }
    }
  }
}

TEST(BatchNormBFloat16, NeedsParametersOfFloat32) {
  const Tensor data = test::random_tensor({2, 4}, 0), narrow = cast_to("bfloat16", data);
  const Parameters parameters(4);
  const Tensor gamma = cast_to("bfloat16", parameters.gamma);
  auto inputs = parameters.with(narrow);
  inputs[1] = &gamma;
  EXPECT_THROW(test::run_op("_mxinfer_batch_norm_bf16", {}, parameters.with(data)), Error);
  try {
    test::run_op("_mxinfer_batch_norm_bf16", {}, inputs);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "gamma is bfloat16 (4,); an input of bfloat16 (2, 4) needs float32 (4,)");
  }
}

TEST(BatchNorm, AnEmptyBatchGivesAnEmptyOutput) {
  const Tensor data(DType::float32, {0, 3, 4});
  EXPECT_EQ(test::run_op("BatchNorm", {}, Parameters(3).with(data))[0].shape(), (Shape{0, 3, 4}));
}

TEST(BatchNorm, NamesTheParameterThatDoesNotFit) {
  const Tensor data = test::random_tensor({2, 4, 3}, 0);
  try {
    test::run_op("BatchNorm", {}, Parameters(3).with(data));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(e.what(), "gamma is float32 (3,); an input of float32 (2, 4, 3) needs float32 (4,)");
  }
}

TEST(BatchNorm, RefusesAnAxisThatIsNotThere) {
  const Tensor data = test::random_tensor({2, 3}, 0);
  EXPECT_THROW(test::run_op("BatchNorm", {{"axis", "2"}}, Parameters(3).with(data)), Error);
}

TEST(BatchNorm, RefusesIntegers) {
  const Tensor data(DType::int32, {2, 3});
  try {
    test::run_op("BatchNorm", {}, Parameters(3).with(data));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported);
  }
}

}  // namespace
}  // namespace mxinfer

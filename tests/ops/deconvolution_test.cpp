// Deconvolution: it is the adjoint of Convolution, and what it refuses.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::random_tensor;
using test::run_op;
using test::RunOpOptions;
using Texts = std::map<std::string, std::string>;

double dot(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.shape(), b.shape());
  double sum = 0;
  for (std::int64_t i = 0; i < a.elements(); ++i) {
    sum += static_cast<double>(a.data<float>()[i]) * b.data<float>()[i];
  }
  return sum;
}

/// <deconv(x), y> = <x, conv(y)> with the same weight, stride, pad and dilation, where the sizes fit.
void expect_adjoint(Texts attrs, const Shape& x_shape, const Shape& y_shape, const Shape& weight_shape) {
  const Tensor x = random_tensor(x_shape, 1), y = random_tensor(y_shape, 2),
               weight = random_tensor(weight_shape, 3);
  attrs["no_bias"] = "True";
  for (auto target : test::targets()) {
    for (bool constant : {false, true}) {
      RunOpOptions options{.target = target};
      if (constant) options.parameters = {1};
      Texts deconv = attrs, conv = attrs;
      deconv["num_filter"] = std::to_string(y_shape[1]);
      conv["num_filter"] = std::to_string(x_shape[1]);
      const Tensor forth = std::move(run_op("Deconvolution", deconv, {&x, &weight}, options)[0]);
      const Tensor back = std::move(run_op("Convolution", conv, {&y, &weight}, options)[0]);
      EXPECT_NEAR(dot(forth, y), dot(x, back), 1e-3) << to_string(target);
    }
  }
}

TEST(Deconvolution, IsTheAdjointOfConvolution) {
  expect_adjoint({{"kernel", "(3, 3)"}}, {2, 3, 5, 6}, {2, 4, 7, 8}, {3, 4, 3, 3});
  expect_adjoint({{"kernel", "(4, 3)"}, {"stride", "(2, 3)"}, {"pad", "(1, 0)"}}, {1, 3, 5, 6},
                 {1, 4, 10, 18}, {3, 4, 4, 3});
  expect_adjoint({{"kernel", "(3, 3, 2)"}, {"stride", "(2, 1, 2)"}, {"dilate", "(1, 2, 1)"}}, {1, 3, 4, 5, 6},
                 {1, 4, 9, 9, 12}, {3, 4, 3, 3, 2});
  expect_adjoint({{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"dilate", "(2, 3)"}}, {1, 3, 5, 6},
                 {1, 4, 13, 17}, {3, 4, 3, 3});
  expect_adjoint({{"kernel", "(5,)"}, {"stride", "(2,)"}, {"num_group", "2"}}, {2, 4, 9}, {2, 6, 21},
                 {4, 3, 5});
}

TEST(Deconvolution, RefusesWhatDoesNotFitAndSaysWhy) {
  const Tensor data(DType::float32, {1, 2, 6, 6}), weight(DType::float32, {2, 4, 3, 3});
  const auto refusal = [&](Texts attrs) -> std::string {
    attrs.insert({{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"num_filter", "4"}});
    try {
      run_op("Deconvolution", attrs, {&data, &weight});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_NE(refusal({{"adj", "(2, 0)"}}).find("must be smaller than the stride, 2"), std::string::npos);
  EXPECT_NE(
      refusal({{"target_shape", "(15, 12)"}}).find("asks for 15 in spatial dimension 0: expected 1 to 13"),
      std::string::npos);
  EXPECT_NE(refusal({{"pad", "(7, 7)"}}).find("the output would be -1"), std::string::npos);
  EXPECT_NE(
      refusal({{"num_filter", "5"}}).find("input 'weight' has shape (2, 4, 3, 3): expected (2, 5, 3, 3)"),
      std::string::npos);
}

}  // namespace
}  // namespace mxinfer

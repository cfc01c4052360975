// FullyConnected: hand-computed values and what it refuses.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <cstring>

#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::run_op;
using test::RunOpOptions;
using test::tensor_of;

TEST(FullyConnected, IsAProductWithTheTransposedWeight) {
  const Tensor data = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor weight = tensor_of<float>({2, 3}, {1, 10, 100, -1, 0, 1});
  const Tensor bias = tensor_of<float>({2}, {0.5f, -0.5f});
  for (auto target : test::targets()) {
    const auto out = run_op("FullyConnected", {{"num_hidden", "2"}}, {&data, &weight, &bias},
                            RunOpOptions{.target = target, .parameters = {1, 2}});
    ASSERT_EQ(out[0].shape(), Shape({2, 2}));
    EXPECT_EQ(out[0].data<float>()[0], 321.5f);
    EXPECT_EQ(out[0].data<float>()[1], 1.5f);
    EXPECT_EQ(out[0].data<float>()[2], 654.5f);
    EXPECT_EQ(out[0].data<float>()[3], 1.5f);
  }
}

TEST(FullyConnected, RefusesWhatDoesNotFitAndSaysWhy) {
  const Tensor data(DType::float32, {2, 3, 4});
  const Tensor weight(DType::float32, {5, 4});
  const Tensor bias(DType::float32, {4});
  const auto refusal = [&](std::map<std::string, std::string> attrs) -> std::string {
    try {
      attrs.emplace("num_hidden", "5");
      run_op("FullyConnected", attrs, {&data, &weight, &bias});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(
      refusal({}),
      "data (2, 3, 4) has 12 elements in a row: expected 4, as the weights (5, 4) take; flatten is True");
  EXPECT_EQ(refusal({{"num_hidden", "6"}}),
            "input 'weight' has shape (5, 4): expected (6, 12) (num_hidden, elements of a row of data; "
            "data is (2, 3, 4), flatten is True)");
  EXPECT_EQ(refusal({{"flatten", "False"}}), "input 'bias' has shape (4,): expected (5,) (num_hidden)");
}

TEST(FullyConnected, EveryTargetAgreesWithTheReferenceAtAnyThreadCount) {
  const Tensor weight = test::random_tensor({321, 700}, 1), bias = test::random_tensor({321}, 2);
  for (std::int64_t rows : {1, 4, 5, 10, 120}) {
    const Tensor data = test::random_tensor({rows, 700}, 3), residual = test::random_tensor({rows, 321}, 4);
    const std::vector<const Tensor*> inputs{&data, &weight, &bias, &residual};
    RunOpOptions options{.target = kernels::Target::ref};
    options.post_ops = {graph::Activation::sigmoid, 0, 0, true};
    const auto expected = run_op("FullyConnected", {{"num_hidden", "321"}}, inputs, options);
    for (auto target : test::targets()) {
      std::string kernel;
      options = {.target = target, .parameters = {1, 2}, .post_ops = options.post_ops, .kernel = &kernel};
      const auto one = run_op("FullyConnected", {{"num_hidden", "321"}}, inputs, options);
      // Sums of about sqrt(700) / 3 whose rounding the sigmoid scales down.
      EXPECT_LE(test::relative_difference(one[0], expected[0]), 1e-5);
      const std::string row = target == kernels::Target::ref ? "gemm_nt_ref_f32"
                              : rows < 5                     ? "gemm_nt_dot_f32"
                                                             : "gemm_packed_f32";
      EXPECT_EQ(kernel, row + " [" + to_string(target) + "]");
      for (int threads : {2, 5}) {
        options.threads = threads;
        const auto many = run_op("FullyConnected", {{"num_hidden", "321"}}, inputs, options);
        EXPECT_EQ(std::memcmp(many[0].raw(), one[0].raw(), one[0].bytes()), 0);
      }
    }
  }
}

TEST(FullyConnected, ComputedWeightsAreReadAsStored) {
  const Tensor data = test::random_tensor({20, 7}, 1), weight = test::random_tensor({3, 7}, 2);
  for (auto target : test::targets()) {
    if (target == kernels::Target::ref) continue;
    std::string kernel;
    run_op("FullyConnected", {{"num_hidden", "3"}, {"no_bias", "True"}}, {&data, &weight},
           RunOpOptions{.target = target, .kernel = &kernel});
    EXPECT_EQ(kernel, std::string("gemm_nt_dot_f32 [") + to_string(target) + "]");
  }
}

}  // namespace
}  // namespace mxinfer

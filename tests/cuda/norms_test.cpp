// Normalisations on a GPU.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/support.h"

namespace mxinfer {
namespace {

using test::expect_as_on_cpu;
using test::random_tensor;

// Gamma, beta, mean and variance of so many channels.
struct Statistics {
  explicit Statistics(std::int64_t channels)
      : gamma(random_tensor({channels}, 2, 0.5f, 2)),
        beta(random_tensor({channels}, 3)),
        mean(random_tensor({channels}, 4)),
        variance(random_tensor({channels}, 5, 0.1f, 2)) {}
  Tensor gamma, beta, mean, variance;
};

TEST(NormsOnCuda, BatchNorm) {
  for (const std::int64_t channels : {1, 3, 4, 8}) {
    const Statistics s(channels);
    for (const char* fix : {"True", "False"}) {
      const Tensor first = random_tensor({2, channels, 3, 5}, 1),
                   last = random_tensor({2, 3, 5, channels}, 1);
      const std::vector<const Tensor*> rest{&s.gamma, &s.beta, &s.mean, &s.variance};
      for (const std::vector<std::size_t>& parameters : {std::vector<std::size_t>{1, 2, 3, 4}, {}}) {
        test::OnCudaOptions options;
        options.parameters = parameters;
        const auto with = [&](const Tensor& data) {
          std::vector<const Tensor*> inputs{&data};
          inputs.insert(inputs.end(), rest.begin(), rest.end());
          return inputs;
        };
        expect_as_on_cpu("BatchNorm", {{"fix_gamma", fix}}, with(first), options);
        expect_as_on_cpu("BatchNorm", {{"fix_gamma", fix}, {"axis", "3"}, {"eps", "0.1"}}, with(last),
                         options);
        options.post_ops.activation = graph::Activation::relu;
        expect_as_on_cpu("BatchNorm", {{"fix_gamma", fix}}, with(first), options);
      }
    }
  }
}

// Rows of channels, in whole vectors or not; a thread has four rows.
TEST(NormsOnCuda, BatchNormOfRowsOfChannels) {
  for (const std::int64_t channels : {4, 8, 12, 40}) {
    const Statistics s(channels);
    for (const std::int64_t rows : {1, 3, 4, 5, 50}) {
      const Tensor data = random_tensor({rows, channels}, 1);
      for (const graph::Activation activation :
           {graph::Activation::none, graph::Activation::relu, graph::Activation::sigmoid}) {
        test::OnCudaOptions options{.parameters = {1, 2, 3, 4}};
        options.post_ops.activation = activation;
        expect_as_on_cpu("BatchNorm", {{"fix_gamma", "False"}},
                         {&data, &s.gamma, &s.beta, &s.mean, &s.variance}, options);
      }
    }
  }
}

TEST(NormsOnCuda, BatchNormWithReLU) {
  const Statistics s(5);
  const Tensor data = random_tensor({2, 5, 3, 4}, 1);
  const test::OnCudaOptions options{.parameters = {1, 2, 3, 4}};
  expect_as_on_cpu("_contrib_BatchNormWithReLU", {}, {&data, &s.gamma, &s.beta, &s.mean, &s.variance},
                   options);
}

// One gamma may serve several statistics: each node has its own scale.
TEST(NormsOnCuda, BatchNormsThatShareGamma) {
  const Statistics s(4), other(4);
  const Tensor means = random_tensor({4}, 9, -5, 5);
  test::GraphBuilder b;
  const auto x = b.input("x");
  const auto gamma = b.parameter("gamma", s.gamma.clone()), beta = b.parameter("beta", s.beta.clone());
  const auto variance = b.parameter("variance", s.variance.clone());
  for (const Tensor* mean : {&s.mean, &means}) {
    const auto stored = b.parameter(mean == &means ? "mean1" : "mean0", mean->clone());
    b.head(b.op("BatchNorm", {{"fix_gamma", "False"}}, {x, gamma, beta, stored, variance}));
  }
  const Tensor data = random_tensor({2, 4, 3, 3}, 1);
  test::expect_graph_as_on_cpu(b.graph(), {&data});
}

TEST(NormsOnCuda, LayerNorm) {
  for (const std::int64_t length : {1, 5, 8, 31, 32, 33, 768, 1024, 1025, 3000}) {
    const Tensor data = random_tensor({3, 2, length}, 1, 9, 11),
                 middle = random_tensor({3, length, 35}, 4, -1, 1);
    const Tensor gamma = random_tensor({length}, 2), beta = random_tensor({length}, 3);
    expect_as_on_cpu("LayerNorm", {}, {&data, &gamma, &beta}, {.tolerance = 3e-5});
    expect_as_on_cpu("LayerNorm", {{"axis", "1"}, {"output_mean_var", "True"}}, {&middle, &gamma, &beta});
  }
}

TEST(NormsOnCuda, InstanceAndGroupNorm) {
  for (const std::int64_t size : {1, 2, 7, 40}) {
    const Tensor data = random_tensor({2, 6, size, size}, 1), gamma = random_tensor({6}, 2);
    const Tensor beta = random_tensor({6}, 3), gamma3 = random_tensor({3}, 4), beta3 = random_tensor({3}, 5);
    expect_as_on_cpu("InstanceNorm", {}, {&data, &gamma, &beta});
    expect_as_on_cpu("GroupNorm", {{"num_groups", "3"}, {"output_mean_var", "True"}},
                     {&data, &gamma3, &beta3});
  }
}

TEST(NormsOnCuda, ALargeMeanCostsNoDigits) {
  const Tensor data = random_tensor({1, 2, 200, 200}, 1, 1000, 1001);
  const Tensor gamma = random_tensor({2}, 2), beta = random_tensor({2}, 3);
  expect_as_on_cpu("InstanceNorm", {}, {&data, &gamma, &beta}, {.tolerance = 2e-4});
}

TEST(NormsOnCuda, NaNsStayInTheirRows) {
  Tensor data = random_tensor({4, 50}, 1);
  data.data<float>()[60] = std::numeric_limits<float>::quiet_NaN();
  const Tensor gamma = random_tensor({50}, 2), beta = random_tensor({50}, 3);
  expect_as_on_cpu("LayerNorm", {}, {&data, &gamma, &beta});
  expect_as_on_cpu("L2Normalization", {}, {&data});
}

TEST(NormsOnCuda, L2Normalization) {
  for (const std::int64_t size : {1, 3, 6, 33}) {
    const Tensor data = random_tensor({2, 20, size, size}, 1);
    for (const char* mode : {"instance", "channel", "spatial"})
      expect_as_on_cpu("L2Normalization", {{"mode", mode}}, {&data});
  }
  const Tensor large = random_tensor({2, 300}, 1, 1e20f, 2e20f),
               small = random_tensor({2, 300}, 2, 1e-25f, 2e-25f);
  expect_as_on_cpu("L2Normalization", {}, {&large});
  expect_as_on_cpu("L2Normalization", {{"eps", "0"}}, {&small});
  const Tensor zeros(DType::float32, {2, 40});
  expect_as_on_cpu("L2Normalization", {}, {&zeros});
}

TEST(NormsOnCuda, ResponseNormalization) {
  for (const std::int64_t channels : {1, 4, 5, 12}) {
    const Tensor data = random_tensor({2, channels, 5, 7}, 1, -3, 3);
    for (const char* size : {"1", "3", "5", "9"})
      expect_as_on_cpu("LRN", {{"nsize", size}, {"alpha", "0.5"}, {"beta", "0.75"}}, {&data});
  }
}

}  // namespace
}  // namespace mxinfer

// The operators that are convolutions.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cuda/support.h"

namespace mxinfer::test {
namespace {

using graph::Activation;
using Texts = std::map<std::string, std::string>;

Texts with(Texts attrs, const Texts& more) {
  for (const auto& [name, value] : more) attrs[name] = value;
  return attrs;
}

/// Weights that are parameters, and weights that are computed.
void expect_convolution(const std::string& op, const Texts& attrs, const Shape& data_shape,
                        const Shape& weight_shape, std::int64_t filters) {
  const Tensor data = random_tensor(data_shape, 1), weight = random_tensor(weight_shape, 2),
               bias = random_tensor({filters}, 3);
  const Texts all = with(attrs, {{"num_filter", std::to_string(filters)}});
  expect_as_on_cpu(op, with(all, {{"no_bias", "True"}}), {&data, &weight});
  expect_as_on_cpu(op, with(all, {{"no_bias", "True"}}), {&data, &weight}, {.parameters = {1}});
  expect_as_on_cpu(op, with(all, {{"no_bias", "False"}}), {&data, &weight, &bias}, {.parameters = {1, 2}});
}

TEST(CudaConvolutionOps, ChannelsFirst) {
  expect_convolution("Convolution", {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"stride", "(2, 2)"}},
                     {2, 5, 9, 8}, {7, 5, 3, 3}, 7);
  expect_convolution("Convolution", {{"kernel", "(1, 1)"}}, {1, 8, 6, 7}, {40, 8, 1, 1}, 40);
  expect_convolution("Convolution", {{"kernel", "(5,)"}, {"dilate", "(2,)"}, {"pad", "(3,)"}}, {3, 4, 20},
                     {6, 4, 5}, 6);
  expect_convolution("Convolution", {{"kernel", "(2, 3, 3)"}, {"stride", "(1, 2, 1)"}, {"num_group", "2"}},
                     {2, 4, 4, 6, 7}, {20, 2, 2, 3, 3}, 20);
  expect_convolution("Convolution_v1", {{"kernel", "(3, 3)"}}, {1, 3, 5, 5}, {4, 3, 3, 3}, 4);
}

TEST(CudaConvolutionOps, ChannelsFirstDepthwise) {
  expect_convolution("Convolution", {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_group", "6"}},
                     {2, 6, 7, 8}, {6, 1, 3, 3}, 6);
  expect_convolution("Convolution", {{"kernel", "(3, 3)"}, {"num_group", "3"}}, {2, 3, 7, 8}, {6, 1, 3, 3},
                     6);
}

TEST(CudaConvolutionOps, ChannelsFirstWithPostOps) {
  const Tensor data = random_tensor({2, 5, 6, 7}, 1), weight = random_tensor({8, 5, 3, 3}, 2),
               bias = random_tensor({8}, 3), slopes = random_tensor({8}, 4),
               residual = random_tensor({2, 8, 4, 5}, 5);
  const Texts attrs{{"kernel", "(3, 3)"}, {"num_filter", "8"}};
  OnCudaOptions options{.parameters = {1, 2}};
  options.post_ops.residual = true;
  options.post_ops.activation = Activation::tanh;
  expect_as_on_cpu("Convolution", attrs, {&data, &weight, &bias, &residual}, options);
  options.post_ops.activation = Activation::prelu;
  expect_as_on_cpu("Convolution", attrs, {&data, &weight, &bias, &slopes, &residual}, options);
}

TEST(CudaConvolutionOps, ChannelsLast) {
  const Tensor data = random_tensor({2, 6, 7, 12}, 1), weight = random_tensor({8, 12, 3, 3}, 2),
               bias = random_tensor({8}, 3), border = random_tensor({12}, 4), slopes = random_tensor({8}, 5),
               residual = random_tensor({2, 6, 7, 8}, 6);
  const Texts attrs{{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "8"}};
  OnCudaOptions options{.parameters = {1, 2}};
  expect_as_on_cpu("_mxinfer_convolution_nhwc", attrs, {&data, &weight, &bias}, options);
  options.post_ops.activation = Activation::swish;
  options.post_ops.residual = true;
  expect_as_on_cpu("_mxinfer_convolution_nhwc", attrs, {&data, &weight, &bias, &residual}, options);
  options.post_ops.activation = Activation::prelu;
  options.parameters = {1, 2, 3};
  expect_as_on_cpu("_mxinfer_convolution_nhwc", with(attrs, {{"border", "True"}}),
                   {&data, &weight, &bias, &border, &slopes, &residual}, options);
}

TEST(CudaConvolutionOps, ChannelsLastOfPlanes) {
  const Tensor data = random_tensor({2, 3, 15, 14}, 1), weight = random_tensor({16, 3, 7, 7}, 2);
  expect_as_on_cpu("_mxinfer_convolution_nhwc",
                   {{"kernel", "(7, 7)"},
                    {"stride", "(2, 2)"},
                    {"pad", "(3, 3)"},
                    {"num_filter", "16"},
                    {"planes", "True"},
                    {"no_bias", "True"}},
                   {&data, &weight}, {.parameters = {1}});
}

TEST(CudaConvolutionOps, ChannelsLastDepthwise) {
  const Tensor data = random_tensor({1, 9, 11, 24}, 1), weight = random_tensor({24, 1, 3, 3}, 2),
               bias = random_tensor({24}, 3);
  OnCudaOptions options{.parameters = {1, 2}};
  options.post_ops.activation = Activation::clip;
  options.post_ops.alpha = -0.25f;
  options.post_ops.beta = 0.5f;
  expect_as_on_cpu("_mxinfer_convolution_nhwc",
                   {{"kernel", "(3, 3)"},
                    {"stride", "(2, 2)"},
                    {"pad", "(1, 1)"},
                    {"num_filter", "24"},
                    {"num_group", "24"}},
                   {&data, &weight, &bias}, options);
}

// So small that the sum is split on any GPU.
TEST(CudaConvolutionOps, ChannelsLastOfALongSum) {
  const Tensor data = random_tensor({1, 3, 3, 160}, 1), weight = random_tensor({24, 160, 3, 3}, 2),
               residual = random_tensor({1, 3, 3, 24}, 3);
  OnCudaOptions options{.parameters = {1}};
  options.post_ops.activation = Activation::relu;
  options.post_ops.residual = true;
  expect_as_on_cpu("_mxinfer_convolution_nhwc",
                   {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "24"}, {"no_bias", "True"}},
                   {&data, &weight, &residual}, options);
}

TEST(CudaConvolutionOps, Deconvolution) {
  expect_convolution("Deconvolution", {{"kernel", "(4, 4)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}},
                     {2, 20, 5, 6}, {20, 12, 4, 4}, 12);
  expect_convolution("Deconvolution",
                     {{"kernel", "(3, 2)"}, {"stride", "(3, 2)"}, {"pad", "(1, 0)"}, {"adj", "(2, 1)"}},
                     {1, 6, 5, 3}, {6, 9, 3, 2}, 9);
  expect_convolution(
      "Deconvolution",
      {{"kernel", "(3, 3)"}, {"stride", "(2, 3)"}, {"dilate", "(2, 2)"}, {"target_shape", "(11, 18)"}},
      {1, 5, 6, 6}, {5, 4, 3, 3}, 4);
  expect_convolution("Deconvolution", {{"kernel", "(5,)"}, {"stride", "(4,)"}, {"pad", "(3,)"}}, {2, 4, 2},
                     {4, 3, 5}, 3);
  expect_convolution("Deconvolution", {{"kernel", "(3, 2, 2)"}, {"stride", "(2, 2, 1)"}, {"num_group", "2"}},
                     {1, 6, 2, 3, 3}, {6, 10, 3, 2, 2}, 20);
}

TEST(CudaConvolutionOps, DeconvolutionWithFewerTapsThanItsStride) {
  expect_convolution("Deconvolution", {{"kernel", "(1, 2)"}, {"stride", "(3, 4)"}, {"adj", "(1, 2)"}},
                     {1, 5, 3, 3}, {5, 8, 1, 2}, 8);
}

// As segmentation networks enlarge their classes, each by itself.
TEST(CudaConvolutionOps, DeconvolutionOfEachChannel) {
  expect_convolution("Deconvolution",
                     {{"kernel", "(8, 8)"}, {"stride", "(4, 4)"}, {"pad", "(2, 2)"}, {"num_group", "5"}},
                     {1, 5, 4, 3}, {5, 1, 8, 8}, 5);
}

TEST(CudaConvolutionOps, DeconvolutionWithAnActivation) {
  const Tensor data = random_tensor({1, 64, 4, 3}, 1), weight = random_tensor({64, 8, 4, 4}, 2);
  OnCudaOptions options{.parameters = {1}};
  options.post_ops.activation = Activation::relu;
  expect_as_on_cpu("Deconvolution",
                   {{"kernel", "(4, 4)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"num_filter", "8"}},
                   {&data, &weight}, options);
}

}  // namespace
}  // namespace mxinfer::test

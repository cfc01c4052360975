// _mxinfer_convolution_pool_nhwc: the bits of _mxinfer_convolution_nhwc and Pooling, and which kernel it
// gets.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <utility>

#include "support/run_op.h"
#include "support/same_bits.h"

namespace mxinfer {
namespace {

using test::random_tensor;
using test::run_op;
using test::RunOpOptions;
using Texts = std::map<std::string, std::string>;
using test::expect_same_bits;

const Texts kConvolution{{"kernel", "(7, 7)"}, {"stride", "(2, 2)"}, {"pad", "(3, 3)"}, {"num_filter", "16"}};

Texts with(Texts attrs, const Texts& more) {
  for (const auto& [name, value] : more) attrs[name] = value;
  return attrs;
}

TEST(ConvolutionPool, HasTheBitsOfBothAndItsOwnKernel) {
  const Tensor planes = random_tensor({2, 3, 60, 50}, 1), last = random_tensor({2, 60, 50, 3}, 1);
  const Tensor weight = random_tensor({16, 3, 7, 7}, 2), bias = random_tensor({16}, 3);
  for (const kernels::Target target : test::targets()) {
    for (const bool from_planes : {true, false}) {
      const Tensor& data = from_planes ? planes : last;
      const Texts conv = with(kConvolution, {{"planes", from_planes ? "True" : "False"}});
      RunOpOptions options{.target = target, .parameters = {1, 2}, .post_ops = {graph::Activation::relu}};
      const auto sums = run_op("_mxinfer_convolution_nhwc", conv, {&data, &weight, &bias}, options);
      const auto expected = run_op("Pooling",
                                   {{"kernel", "(3, 3)"},
                                    {"stride", "(2, 2)"},
                                    {"pad", "(1, 1)"},
                                    {"layout", "NHWC"},
                                    {"pooling_convention", "full"}},
                                   {&sums[0]}, {.target = target});
      options.inner_post_ops = {std::exchange(options.post_ops, {})};
      for (const int threads : {1, 2, 5}) {
        std::string kernel;
        options.threads = threads;
        options.kernel = &kernel;
        const auto out = run_op("_mxinfer_convolution_pool_nhwc",
                                with(conv, {{"pool_kernel", "(3, 3)"},
                                            {"pool_stride", "(2, 2)"},
                                            {"pool_pad", "(1, 1)"},
                                            {"pool_convention", "full"}}),
                                {&data, &weight, &bias}, options);
        // The direct row sums taps of a position one after the other, the strip a row of them: other bits.
        if (from_planes || target == kernels::Target::ref) {
          expect_same_bits(out[0], expected[0]);
        } else {
          EXPECT_LE(test::relative_difference(out[0], expected[0]), 4e-6);
        }
        const std::string fused =
            from_planes ? "conv_nhwc_strip_of_nchw_pool_f32" : "conv_nhwc_strip_pool_f32";
        const std::string name =
            target == kernels::Target::ref ? "conv_nhwc_ref_f32, pool_nd_ref_f32" : fused;
        EXPECT_EQ(kernel, name + " [" + kernels::to_string(target) + "]");
      }
    }
  }
}

TEST(ConvolutionPool, RefusesWindowsLargerThanTheConvolution) {
  const Tensor data = random_tensor({1, 3, 8, 8}, 1), weight = random_tensor({16, 3, 7, 7}, 2);
  const Tensor bias = random_tensor({16}, 3);
  try {
    run_op("_mxinfer_convolution_pool_nhwc",
           with(kConvolution, {{"planes", "True"}, {"pool_kernel", "(9, 9)"}}), {&data, &weight, &bias},
           {.parameters = {1, 2}});
    FAIL() << "it was accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("kernel size 9 exceeds the input's 4"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace mxinfer

// Convolutions of three spatial dimensions that need fewer: frames become images of a batch, planes rows.
#include <gtest/gtest.h>

#include "ops/fused/convolution_nhwc.h"
#include "support/run_op.h"

namespace mxinfer::ops {
namespace {

using kernels::ConvProblem;
using kernels::Spatial;

ConvProblem shape_of(const Spatial& kernel, const Spatial& stride, const Spatial& pad) {
  ConvProblem s;
  s.batch = 2;
  s.channels = s.filters = 16;
  s.input = {6, 9, 11};
  s.kernel = kernel;
  s.stride = stride;
  s.pad = pad;
  for (std::size_t d = 0; d < 3; ++d) s.output[d] = (s.input[d] + 2 * pad[d] - kernel[d]) / stride[d] + 1;
  return s;
}

TEST(ConvolutionDimensions, AreAsFewAsTheFilterNeeds) {
  const ConvProblem frames = in_fewest_dimensions(shape_of({1, 3, 3}, {1, 2, 1}, {0, 1, 1}));
  EXPECT_EQ(frames.batch, 12);
  EXPECT_EQ(frames.input, (Spatial{1, 9, 11}));
  EXPECT_EQ(frames.output, (Spatial{1, 5, 11}));

  const ConvProblem rows = in_fewest_dimensions(shape_of({3, 1, 1}, {2, 1, 1}, {1, 0, 0}));
  EXPECT_EQ(rows.batch, 2);
  EXPECT_EQ(rows.input, (Spatial{1, 6, 99}));
  EXPECT_EQ(rows.output, (Spatial{1, 3, 99}));
  EXPECT_EQ(rows.kernel, (Spatial{1, 3, 1}));
  EXPECT_EQ(rows.stride, (Spatial{1, 2, 1}));
  EXPECT_EQ(rows.pad, (Spatial{0, 1, 0}));

  for (const ConvProblem& whole :
       {shape_of({3, 3, 3}, {1, 1, 1}, {1, 1, 1}), shape_of({1, 3, 3}, {2, 1, 1}, {0, 1, 1}),
        shape_of({1, 3, 3}, {1, 1, 1}, {1, 1, 1}), shape_of({3, 1, 1}, {1, 1, 2}, {1, 0, 0})}) {
    const ConvProblem same = in_fewest_dimensions(whole);
    EXPECT_EQ(same.batch, 2);
    EXPECT_EQ(same.input, whole.input);
  }
}

/// (N, C, D, H, W) to (N, D, H, W, C) and back.
Tensor channels_last(const Tensor& t) {
  return std::move(test::run_op("transpose", {{"axes", "(0, 2, 3, 4, 1)"}}, {&t})[0]);
}
Tensor channels_first(const Tensor& t) {
  return std::move(test::run_op("transpose", {{"axes", "(0, 4, 1, 2, 3)"}}, {&t})[0]);
}

TEST(ConvolutionDimensions, ChangeNoResult) {
  struct Case {
    const char *kernel, *stride, *pad, *dilate;
  };
  for (const Case& c : {Case{"(1, 3, 3)", "(1, 1, 1)", "(0, 1, 1)", "(1, 1, 1)"},
                        Case{"(1, 3, 3)", "(1, 2, 2)", "(0, 1, 0)", "(1, 1, 1)"},
                        Case{"(1, 3, 3)", "(2, 1, 1)", "(0, 1, 1)", "(1, 1, 1)"},
                        Case{"(1, 3, 3)", "(1, 1, 1)", "(1, 1, 1)", "(2, 1, 1)"},
                        Case{"(3, 1, 1)", "(1, 1, 1)", "(1, 0, 0)", "(1, 1, 1)"},
                        Case{"(3, 1, 1)", "(2, 1, 1)", "(2, 0, 0)", "(2, 1, 1)"},
                        Case{"(1, 1, 1)", "(1, 1, 1)", "(0, 0, 0)", "(1, 1, 1)"},
                        Case{"(3, 3, 3)", "(1, 1, 1)", "(1, 1, 1)", "(1, 1, 1)"}}) {
    const std::map<std::string, std::string> attrs{{"kernel", c.kernel},
                                                   {"stride", c.stride},
                                                   {"pad", c.pad},
                                                   {"dilate", c.dilate},
                                                   {"num_filter", "32"}};
    const std::int64_t taps[] = {c.kernel[1] - '0', c.kernel[4] - '0', c.kernel[7] - '0'};
    const Tensor data = test::random_tensor({2, 16, 6, 9, 11}, 1), bias = test::random_tensor({32}, 2);
    const Tensor weight = test::random_tensor({32, 16, taps[0], taps[1], taps[2]}, 3);
    const Tensor expected =
        std::move(test::run_op("Convolution", attrs, {&data, &weight, &bias}, {kernels::Target::ref})[0]);
    const Tensor last = channels_last(data);
    for (const kernels::Target target : test::targets()) {
      test::RunOpOptions options;
      options.target = target;
      options.threads = 2;
      options.parameters = {1, 2};
      std::string kernel;
      options.kernel = &kernel;
      const auto outputs = test::run_op("_mxinfer_convolution_nhwc", attrs, {&last, &weight, &bias}, options);
      EXPECT_LT(test::relative_difference(channels_first(outputs[0]), expected), 1e-5)
          << c.kernel << ' ' << c.stride << ' ' << c.pad << " by " << kernel;
    }
  }
}

}  // namespace
}  // namespace mxinfer::ops

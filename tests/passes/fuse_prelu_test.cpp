// Slopes of channels in convolutions.
#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/networks/optimized.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::convolution;
using test::expect_optimized;
using test::GraphBuilder;
using Attrs = std::map<std::string, std::string>;
using Names = std::vector<std::string>;
using test::kConv;

Value prelu(GraphBuilder& b, Value x, std::int64_t slopes) {
  return b.op("LeakyReLU", {{"act_type", "prelu"}},
              {x, b.parameter("gamma", test::random_tensor({slopes}, 7))});
}

TEST(FusePrelu, BehindConvolutionsOfEveryKind) {
  for (const std::int64_t slopes : {1, 20}) {
    for (const std::int64_t groups : {1, 2, 20}) {
      GraphBuilder b;
      const Value x = prelu(b, convolution(b, b.input("data"), 3, 20, 3), slopes);
      b.head(prelu(b, convolution(b, x, 20, 20, 3, groups), slopes));
      expect_optimized(b, test::random_tensor({2, 3, 9, 8}, 3), {kConv, kConv, "transpose"});
    }
  }
}

TEST(FusePrelu, BehindAResidual) {
  GraphBuilder b;
  const Value x = convolution(b, b.input("data"), 3, 20, 3);
  b.head(prelu(b, b.op("elemwise_add", {}, {convolution(b, x, 20, 20, 3), x}), 20));
  expect_optimized(b, test::random_tensor({2, 3, 9, 8}, 3), {kConv, kConv, "transpose"});
}

// A slope for each channel of each sample, or for each sample, lies along more than the filters.
TEST(FusePrelu, NotSlopesOfSamples) {
  for (const Shape& slopes : {Shape{2, 20}, Shape{2, 1}, Shape{2}}) {
    GraphBuilder b;
    const Value x = convolution(b, b.input("data"), 3, 20, 3);
    b.head(b.op("LeakyReLU", {{"act_type", "prelu"}},
                {x, b.parameter("gamma", test::random_tensor(slopes, 7))}));
    expect_optimized(b, test::random_tensor({2, 3, 9, 8}, 3), {kConv, "_mxinfer_prelu_nhwc", "transpose"});
  }
}

// As many slopes as filters, but of another shape: refused, with the pass as without it.
TEST(FusePrelu, NotSlopesOfAnotherShape) {
  GraphBuilder b;
  const Value x = convolution(b, b.input("data"), 3, 20, 3);
  b.head(
      b.op("LeakyReLU", {{"act_type", "prelu"}}, {x, b.parameter("gamma", test::random_tensor({4, 5}, 7))}));
  pipeline::optimise(b.graph(), {.folds_constants = false});
  const Tensor data = test::random_tensor({2, 3, 9, 8}, 3);
  EXPECT_MXINFER_ERROR(test::run_graph(b.graph(), {&data}), ErrorCode::invalid_argument,
                       {"gamma has the shape (4, 5)", "(20,)", "(2, 20)"});
}

TEST(FusePrelu, NotWhereSomebodyElseReadsBetween) {
  GraphBuilder b;
  const Value x = convolution(b, b.input("data"), 3, 20, 3);
  b.head(x);
  b.head(prelu(b, x, 20));
  expect_optimized(b, test::random_tensor({2, 3, 9, 8}, 3),
                   {kConv, "_mxinfer_prelu_nhwc", "transpose", "transpose"});
}

// MobileFaceNet's block.
TEST(FusePrelu, InsideOfABlock) {
  for (const std::int64_t size : {3, 20}) {
    GraphBuilder b;
    const Value x = b.input("data");
    const Value wide = prelu(b, convolution(b, x, 10, 60, 1), 60);
    const Value filtered = prelu(b, convolution(b, wide, 60, 60, 3, 60), 60);
    b.head(prelu(b, b.op("elemwise_add", {}, {convolution(b, filtered, 60, 10, 1), x}), 10));
    expect_optimized(b, test::random_tensor({2, 10, size, size}, 3),
                     {"transpose", "_mxinfer_separable_nhwc", "transpose"});
  }
}

}  // namespace
}  // namespace mxinfer

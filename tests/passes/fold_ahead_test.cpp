// Arithmetic in front of products goes into their weights.
#include <gtest/gtest.h>

#include "support/networks/optimized.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Attrs = std::map<std::string, std::string>;
using Names = std::vector<std::string>;
using test::kConv;

Value parameter(GraphBuilder& b, const std::string& name, const Shape& shape, unsigned seed,
                float low = -1.0f, float high = 1.0f) {
  return b.parameter(name, test::random_tensor(shape, seed, low, high));
}

Value seeded_batch_norm(GraphBuilder& b, Value x, std::int64_t channels, const char* fix_gamma = "False") {
  return b.op("BatchNorm", {{"fix_gamma", fix_gamma}},
              {x, parameter(b, "gamma", {channels}, 4, 0.5f, 1.5f), parameter(b, "beta", {channels}, 5),
               parameter(b, "mean", {channels}, 6), parameter(b, "var", {channels}, 7, 0.5f, 2.0f)});
}

Value bare_convolution(GraphBuilder& b, Value x, std::int64_t channels, std::int64_t filters,
                       Attrs attrs = {}) {
  attrs.emplace("kernel", "(3, 3)");
  attrs.emplace("num_group", "1");
  attrs.emplace("no_bias", "False");
  attrs["num_filter"] = std::to_string(filters);
  const std::int64_t of_group = channels / std::stoll(attrs["num_group"]);
  std::vector<Value> inputs{x, parameter(b, "w", {filters, of_group, 3, 3}, 20)};
  if (attrs["no_bias"] != "True") inputs.push_back(parameter(b, "b", {filters}, 21));
  return b.op("Convolution", attrs, inputs);
}

// What InsightFace's networks begin with.
Value normalized(GraphBuilder& b, Value x) {
  x = b.op("_minus_scalar", {{"scalar", "127.5"}}, {x});
  return b.op("_mul_scalar", {{"scalar", "0.0078125"}}, {x});
}

void expect_folded(GraphBuilder& b, const Tensor& data, const Names& ops, double tolerance = 4e-6) {
  test::expect_optimized(b, data, ops, tolerance);
}

TEST(FoldAhead, PixelsAreNormalizedByTheFirstConvolution) {
  for (const Attrs& attrs : {Attrs{{"pad", "(1, 1)"}, {"stride", "(2, 2)"}}, Attrs{{"pad", "(2, 0)"}},
                             Attrs{{"no_bias", "True"}}}) {
    GraphBuilder b;
    b.head(bare_convolution(b, normalized(b, b.input("data")), 3, 8, attrs));
    expect_folded(b, test::random_tensor({2, 3, 9, 10}, 3, 0, 255), {kConv, "transpose"});
  }
}

TEST(FoldAhead, ABatchNormOfTheInput) {
  for (const char* fix_gamma : {"True", "False"}) {
    for (const char* pad : {"(0, 0)", "(1, 1)"}) {
      GraphBuilder b;
      b.head(bare_convolution(b, seeded_batch_norm(b, b.input("data"), 3, fix_gamma), 3, 8, {{"pad", pad}}));
      expect_folded(b, test::random_tensor({2, 3, 9, 10}, 3), {kConv, "transpose"});
    }
  }
}

TEST(FoldAhead, BatchNormsInsideOfResidualUnits) {
  for (const char* groups : {"1", "4"}) {
    GraphBuilder b;
    const Value x = bare_convolution(b, b.input("data"), 3, 64, {{"pad", "(1, 1)"}});
    const Value y =
        bare_convolution(b, seeded_batch_norm(b, x, 64), 64, 64, {{"pad", "(1, 1)"}, {"num_group", groups}});
    b.head(b.op("elemwise_add", {}, {y, x}));
    expect_folded(b, test::random_tensor({2, 3, 9, 10}, 3), {kConv, kConv, "transpose"}, 1e-5);
  }
}

TEST(FoldAhead, OneFilterForEachChannelTakesScalesAlone) {
  GraphBuilder b;
  const Value x = bare_convolution(b, b.input("data"), 3, 8);
  b.head(x);
  b.head(bare_convolution(b, b.op("_mul_scalar", {{"scalar", "3"}}, {x}), 8, 8,
                          {{"pad", "(1, 1)"}, {"num_group", "8"}}));
  b.head(bare_convolution(b, seeded_batch_norm(b, x, 8), 8, 8, {{"pad", "(1, 1)"}, {"num_group", "8"}}));
  expect_folded(b, test::random_tensor({2, 3, 9, 10}, 3),
                {kConv, kConv, "BatchNorm", kConv, "transpose", "transpose", "transpose"});
}

TEST(FoldAhead, NotWhereSomebodyElseReadsBetween) {
  GraphBuilder b;
  const Value x = seeded_batch_norm(b, b.input("data"), 3);
  b.head(x);
  b.head(bare_convolution(b, x, 3, 8));
  expect_folded(b, test::random_tensor({2, 3, 9, 10}, 3), {"BatchNorm", kConv, "transpose"});
}

// No number of the padding would come out as 0.
TEST(FoldAhead, NotWhereAChannelIsSwitchedOff) {
  GraphBuilder b;
  const Value x = b.op(
      "BatchNorm", {{"fix_gamma", "False"}},
      {b.input("data"), b.parameter("gamma", test::tensor_of<float>({3}, {1, 0, 2})),
       parameter(b, "beta", {3}, 5), parameter(b, "mean", {3}, 6), parameter(b, "var", {3}, 7, 0.5f, 2.0f)});
  b.head(bare_convolution(b, x, 3, 8, {{"pad", "(1, 1)"}}));
  expect_folded(b, test::random_tensor({2, 3, 9, 10}, 3), {"BatchNorm", kConv, "transpose"});
}

TEST(FoldAhead, TheEndOfAFaceNetwork) {
  for (const bool flatten_first : {false, true}) {
    GraphBuilder b;
    Value x = b.op("Dropout", {{"p", "0.4"}}, {seeded_batch_norm(b, b.input("data"), 6)});
    if (flatten_first) x = b.op("Flatten", {}, {x});
    x = b.op("FullyConnected", {{"num_hidden", "5"}},
             {x, parameter(b, "fw", {5, 120}, 1), parameter(b, "fb", {5}, 2)});
    b.head(seeded_batch_norm(b, x, 5, "True"));
    expect_folded(b, test::random_tensor({3, 6, 4, 5}, 3), {"FullyConnected"});
  }
}

TEST(FoldAhead, NumbersInFrontOfProductsOfRows) {
  GraphBuilder b;
  const Value x =
      b.op("_div_scalar", {{"scalar", "3"}}, {b.op("_rminus_scalar", {{"scalar", "1"}}, {b.input("data")})});
  const Value y = b.op("FullyConnected", {{"num_hidden", "5"}, {"flatten", "False"}, {"no_bias", "True"}},
                       {x, parameter(b, "fw", {5, 12}, 1)});
  b.head(b.op("_mul_scalar", {{"scalar", "0.5"}}, {y}));
  expect_folded(b, test::random_tensor({3, 6, 12}, 3), {"FullyConnected"});
}

TEST(FoldAhead, ArithmeticBehindAConvolution) {
  GraphBuilder b;
  const Value x = bare_convolution(b, b.input("data"), 3, 8);
  b.head(b.op("_plus_scalar", {{"scalar", "0.5"}}, {b.op("_mul_scalar", {{"scalar", "0.17"}}, {x})}));
  expect_folded(b, test::random_tensor({2, 3, 9, 10}, 3), {kConv, "transpose"});
}

}  // namespace
}  // namespace mxinfer

// How operators on 8-bit values go on channels-last.
#include <gtest/gtest.h>

#include "passes/passes.h"
#include "support/int8_arrays.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "support/same_bits.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Texts = std::map<std::string, std::string>;
using OpNames = std::vector<std::string>;

constexpr const char* kInt8Conv = "_mxinfer_convolution_int8";
constexpr const char* kInt8Pool = "_mxinfer_pooling_int8";

Value quantized(GraphBuilder& b, Value x) {
  return b.op("_mxinfer_quantize", {{"scale", "120"}, {"dtype", "int8"}}, {x});
}

Value int8_convolution(GraphBuilder& b, Value x, std::int64_t channels, std::int64_t filters, int kernel,
                       std::optional<Value> residual = std::nullopt) {
  const auto name = [&](const char* what) { return what + std::to_string(b.graph().nodes.size()); };
  const std::string size = std::to_string(kernel), pad = std::to_string(kernel / 2);
  std::vector<Value> inputs{x};
  inputs.push_back(b.parameter(name("weight"),
                               test::random_integers<std::int8_t>({filters, channels, kernel, kernel}, 1)));
  inputs.push_back(b.parameter(name("scale"), test::random_tensor({filters}, 2, 0.0004F, 0.001F)));
  inputs.push_back(b.parameter(name("bias"), test::random_integers<std::int32_t>({filters}, 3, -900, 900)));
  Texts attrs{{"kernel", "(" + size + ", " + size + ")"},
              {"pad", "(" + pad + ", " + pad + ")"},
              {"num_filter", std::to_string(filters)},
              {"dtype", "uint8"},
              {"before_function", "1"}};
  if (residual) {
    inputs.push_back(*residual);
    attrs.insert({{"with_sum", "True"}, {"residual_scale", "0.5"}});
  }
  return b.op(kInt8Conv, attrs, inputs);
}

/// Rewrites a copy, and expects these operators and the same bits, or nearly where values are of float32.
void expect_channels_last(GraphBuilder& b, const OpNames& ops, bool same_bits = true) {
  const Tensor data = test::random_tensor({2, 3, 18, 14}, 3);
  graph::Graph rewritten = b.graph();
  passes::channels_last(rewritten);
  graph::verify(rewritten);
  EXPECT_EQ(test::op_names(rewritten), ops);
  for (const kernels::Target target : test::targets()) {
    const auto before = test::run_graph(b.graph(), {&data}, {.target = target});
    const auto after = test::run_graph(rewritten, {&data}, {.target = target});
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (same_bits) {
        test::expect_same_bits(after[i], before[i]);
      } else {
        EXPECT_LE(test::relative_difference(after[i], before[i]), 4e-6);
      }
    }
  }
}

TEST(Int8Layout, AWholeNetworkHasTransposesAtItsEndsAlone) {
  GraphBuilder b;
  Value x = int8_convolution(b, quantized(b, b.input("data")), 3, 16, 3);
  x = b.op(kInt8Pool, {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}}, {x});
  const Value y = int8_convolution(b, x, 16, 16, 3);
  x = int8_convolution(b, y, 16, 16, 1, x);
  x = b.op("_mxinfer_dequantize", {{"scale", "0.02"}}, {x});
  x = b.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}}, {x});
  b.head(b.op("Flatten", {}, {x}));
  expect_channels_last(b,
                       {"_mxinfer_quantize", "transpose", kInt8Conv, kInt8Pool, kInt8Conv, kInt8Conv,
                        "_mxinfer_dequantize", "Pooling", "transpose", "Flatten"},
                       false);
}

TEST(Int8Layout, BranchesAreJoined) {
  GraphBuilder b;
  const Value x = int8_convolution(b, quantized(b, b.input("data")), 3, 8, 3);
  const Value mean = b.op(kInt8Pool, {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"pool_type", "avg"}}, {x});
  const Value joined =
      b.op("Concat", {{"num_args", "2"}, {"dim", "1"}}, {int8_convolution(b, x, 8, 12, 1), mean});
  b.head(int8_convolution(b, joined, 20, 8, 3));
  expect_channels_last(b, {"_mxinfer_quantize", "transpose", kInt8Conv, kInt8Pool, kInt8Conv, "Concat",
                           kInt8Conv, "transpose"});
}

TEST(Int8Layout, ConvolutionsOfFloatsStandBeside) {
  GraphBuilder b;
  Value x = b.op("Convolution", {{"kernel", "(3, 3)"}, {"num_filter", "16"}},
                 {b.input("data"), b.parameter("w", test::random_tensor({16, 3, 3, 3}, 20)),
                  b.parameter("b", test::random_tensor({16}, 21))});
  x = int8_convolution(b, b.op("_mxinfer_quantize", {{"scale", "20"}}, {x}), 16, 8, 1);
  b.head(b.op("_mxinfer_dequantize", {{"scale", "0.05"}}, {x}));
  graph::Graph rewritten = b.graph();
  passes::channels_last(rewritten);
  EXPECT_EQ(test::op_names(rewritten), (OpNames{"_mxinfer_convolution_nhwc", "_mxinfer_quantize", kInt8Conv,
                                                "_mxinfer_dequantize", "transpose"}));
}

TEST(Int8Layout, MxnetsOwnOperatorsFollow) {
  GraphBuilder b;
  const Value x = int8_convolution(b, quantized(b, b.input("data")), 3, 8, 3);
  const Value y = int8_convolution(b, x, 8, 12, 1);
  Tensor low(DType::float32, {1}), high(DType::float32, {1}), higher(DType::float32, {1});
  high.data<float>()[0] = 2.0F;
  higher.data<float>()[0] = 3.0F;
  const Value zero = b.parameter("low", std::move(low)), two = b.parameter("high", std::move(high)),
              three = b.parameter("higher", std::move(higher));
  Value joined =
      b.op("_contrib_quantized_concat", {{"num_args", "2"}, {"dim", "1"}}, {x, y, zero, two, zero, three});
  joined = b.op("_contrib_quantized_elemwise_add", {{"min_calib_range", "0"}, {"max_calib_range", "5"}},
                {joined, joined, zero, three, zero, three});
  b.head(int8_convolution(b, joined, 20, 8, 3));
  b.head({joined.node, 2});
  expect_channels_last(b,
                       {"_mxinfer_quantize", "transpose", kInt8Conv, kInt8Conv, "_contrib_quantized_concat",
                        "_contrib_quantized_elemwise_add", kInt8Conv, "transpose"});
}

TEST(Int8Layout, ComputedWeightsStay) {
  GraphBuilder b;
  const Value x = quantized(b, b.input("data"));
  const Value weight =
      b.op("_mxinfer_quantize", {{"scale", "9"}}, {b.parameter("w", test::random_tensor({4, 3, 1, 1}, 5))});
  b.head(b.op(kInt8Conv, {{"kernel", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}},
              {x, weight, b.parameter("scale", test::random_tensor({4}, 2))}));
  graph::Graph rewritten = b.graph();
  passes::channels_last(rewritten);
  EXPECT_EQ(test::op_names(rewritten), (OpNames{"_mxinfer_quantize", "_mxinfer_quantize", kInt8Conv}));
}

}  // namespace
}  // namespace mxinfer

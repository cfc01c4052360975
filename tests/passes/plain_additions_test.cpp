// Additions that may broadcast become plain where the graph shows that both sides have one shape.
#include <gtest/gtest.h>

#include "ops/op_def.h"
#include "passes/passes.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;

class PlainAdditions : public testing::TestWithParam<const char*> {
 protected:
  Value convolution(Value data, int filters, int kernel, int stride, int pad, int from = 4) {
    const auto square = [](int n) { return "(" + std::to_string(n) + ", " + std::to_string(n) + ")"; };
    const Value weight =
        b.parameter("w" + std::to_string(count_++), test::random_tensor({filters, from, kernel, kernel}, 1));
    return b.op("Convolution",
                {{"num_filter", std::to_string(filters)},
                 {"kernel", square(kernel)},
                 {"stride", square(stride)},
                 {"pad", square(pad)},
                 {"no_bias", "True"}},
                {data, weight});
  }

  /// The operator that the sum of both is behind the pass.
  std::string sum(Value a, Value b_value) {
    b.head(b.op(GetParam(), {}, {a, b_value}));
    passes::plain_additions(b.graph());
    return b.graph().nodes.back().op->name;
  }

  test::GraphBuilder b;

 private:
  int count_ = 0;
};

TEST_P(PlainAdditions, OfABlockAndItsInput) {
  const Value data = b.input("data");
  const Value first = convolution(data, 4, 3, 1, 1);
  EXPECT_EQ(sum(convolution(b.op("relu", {}, {first}), 4, 3, 1, 1), first), "elemwise_add");
}

TEST_P(PlainAdditions, OfABlockThatHalvesAndItsShortcut) {
  const Value data = b.input("data");
  const Value body = convolution(convolution(data, 8, 3, 2, 1), 8, 3, 1, 1, 8);
  EXPECT_EQ(sum(body, convolution(data, 8, 1, 2, 0)), "elemwise_add");
}

TEST_P(PlainAdditions, NotOfOtherChannelsOrWindows) {
  const Value data = b.input("data");
  EXPECT_EQ(sum(convolution(data, 8, 3, 1, 1), convolution(data, 1, 3, 1, 1)), GetParam());
}

TEST_P(PlainAdditions, NotOfAWindowThatMakesLess) {
  const Value data = b.input("data");
  EXPECT_EQ(sum(convolution(data, 8, 3, 1, 0), convolution(data, 8, 3, 1, 1)), GetParam());
}

TEST_P(PlainAdditions, NotOfTwoInputs) {
  EXPECT_EQ(sum(b.input("a"), b.input("b")), GetParam());
}

TEST_P(PlainAdditions, OfDenseLayersBehindANormalization) {
  const Value data = b.input("data");
  const Value norm = b.op("LayerNorm", {},
                          {data, b.parameter("gamma", test::random_tensor({6}, 1)),
                           b.parameter("beta", test::random_tensor({6}, 2))});
  const Value dense = b.op("FullyConnected", {{"num_hidden", "6"}, {"flatten", "False"}, {"no_bias", "True"}},
                           {norm, b.parameter("w", test::random_tensor({6, 6}, 3))});
  EXPECT_EQ(sum(norm, dense), "elemwise_add");
}

INSTANTIATE_TEST_SUITE_P(All, PlainAdditions, testing::Values("broadcast_add", "_npi_add"),
                         [](const auto& each) { return std::string(each.param).substr(1); });

}  // namespace
}  // namespace mxinfer

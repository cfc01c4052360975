// The pass that makes one operator of MobileNets' blocks.
#include <gtest/gtest.h>

#include "graph/graph.h"
#include "mobilenet_blocks.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using test::GraphBuilder;
using test::kSeparable;
using test::named_convolution;
using test::relu6;
using Names = std::vector<std::string>;
using test::kConv;

void expect_fused(GraphBuilder& b, const Tensor& data, const Names& ops) {
  graph::Graph fused = b.graph();
  pipeline::optimise(fused, {.folds_constants = false});
  graph::verify(fused);
  EXPECT_EQ(test::op_names(fused), ops);
  const auto before = test::run_graph(b.graph(), {&data}), after = test::run_graph(fused, {&data});
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_LE(test::relative_difference(after[i], before[i]), 4e-6) << "output " << i;
}

TEST(FuseSeparable, AnInvertedResidualIsOneOperator) {
  for (const std::int64_t size : {3, 20}) {
    GraphBuilder b;
    auto x = b.input("data");
    auto wide = relu6(b, named_convolution(b, "expand", x, 10, 60, 1));
    auto filtered = relu6(b, named_convolution(b, "filter", wide, 60, 60, 3, 60));
    b.head(b.op("elemwise_add", {}, {named_convolution(b, "project", filtered, 60, 10, 1), x}));
    expect_fused(b, test::random_tensor({2, 10, size, size}, 3), {"transpose", kSeparable, "transpose"});
  }
}

TEST(FuseSeparable, WithoutExpansionAndWithStride) {
  GraphBuilder b;
  auto x = named_convolution(b, "stem", b.input("data"), 3, 12, 3);
  auto filtered = relu6(b, named_convolution(b, "filter", x, 12, 12, 3, 12, 2));
  b.head(relu6(b, named_convolution(b, "project", filtered, 12, 20, 1)));
  expect_fused(b, test::random_tensor({1, 3, 17, 15}, 3), {kConv, kSeparable, "transpose"});
}

TEST(FuseSeparable, NotWhereSomebodyElseReadsBetween) {
  GraphBuilder b;
  auto wide = named_convolution(b, "expand", b.input("data"), 10, 60, 1);
  auto filtered = named_convolution(b, "filter", wide, 60, 60, 3, 60);
  b.head(named_convolution(b, "project", filtered, 60, 10, 1));
  b.head(filtered);
  expect_fused(b, test::random_tensor({2, 10, 8, 8}, 3),
               {"transpose", kConv, kConv, kConv, "transpose", "transpose"});
}

}  // namespace
}  // namespace mxinfer

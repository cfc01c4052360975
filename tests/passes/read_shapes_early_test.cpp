#include <gtest/gtest.h>

#include "passes/passes.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Names = std::vector<std::string>;

void expect_read(GraphBuilder& b, const Names& ops) {
  graph::Graph early = b.graph();
  passes::read_shapes_early(early);
  graph::verify(early);
  EXPECT_EQ(test::op_names(early), ops);
  const Tensor data = test::random_tensor({2, 3, 4, 5}, 1);
  const auto before = test::run_graph(b.graph(), {&data}), after = test::run_graph(early, {&data});
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(test::relative_difference(after[i], before[i]), 0.0) << "output " << i;
}

Value offset(GraphBuilder& b) {
  return b.parameter("offset", test::random_tensor({1, 1, 8, 8}, 2));
}

// "x * 0" of GluonCV, which keeps gradients out.
TEST(ReadShapesEarly, FromBeforeWhatNobodyElseReads) {
  GraphBuilder b;
  const Value x = b.op("square", {}, {b.input("data")});
  const Value like = b.op("relu", {}, {b.op("_mul_scalar", {{"scalar", "0"}}, {x})});
  b.head(b.op("slice_like", {{"axes", "(2, 3)"}}, {offset(b), like}));
  b.head(x);
  expect_read(b, {"square", "slice_like"});
}

TEST(ReadShapesEarly, NotFromBeforeWhatIsComputedAnyway) {
  GraphBuilder b;
  const Value like = b.op("relu", {}, {b.op("square", {}, {b.input("data")})});
  b.head(b.op("slice_like", {{"axes", "(2, 3)"}}, {offset(b), like}));
  b.head(like);
  expect_read(b, {"square", "relu", "slice_like"});
}

TEST(ReadShapesEarly, DataStays) {
  GraphBuilder b;
  const Value x = b.input("data");
  b.head(b.op("slice_like", {{"axes", "(2, 3)"}},
              {b.op("_mul_scalar", {{"scalar", "2"}}, {x}), b.op("pick", {{"axis", "0"}}, {x, x})}));
  graph::Graph early = b.graph();
  passes::read_shapes_early(early);
  EXPECT_EQ(test::op_names(early), (Names{"_mul_scalar", "pick", "slice_like"}));
}

}  // namespace
}  // namespace mxinfer

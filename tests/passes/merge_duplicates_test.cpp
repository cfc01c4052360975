#include <gtest/gtest.h>

#include "passes/passes.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Names = std::vector<std::string>;

void expect_merged(GraphBuilder& b, const Names& ops) {
  graph::Graph merged = b.graph();
  passes::merge_duplicates(merged);
  graph::verify(merged);
  EXPECT_EQ(test::op_names(merged), ops);
  const Tensor data = test::random_tensor({2, 3, 4, 5}, 1);
  const auto before = test::run_graph(b.graph(), {&data}), after = test::run_graph(merged, {&data});
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(test::relative_difference(after[i], before[i]), 0.0) << "output " << i;
}

Value scaled(GraphBuilder& b, Value x, const char* scalar) {
  return b.op("_mul_scalar", {{"scalar", scalar}}, {x});
}

TEST(MergeDuplicates, WholeChainsThatSayTheSame) {
  GraphBuilder b;
  const Value x = b.input("data");
  const auto branch = [&] { return b.op("relu", {}, {scaled(b, x, "2")}); };
  b.head(b.op("elemwise_add", {}, {branch(), branch()}));
  expect_merged(b, {"_mul_scalar", "relu", "elemwise_add"});
}

TEST(MergeDuplicates, ADefaultIsTheSameAsItsValue) {
  GraphBuilder b;
  const Value x = b.input("data");
  b.head(b.op("elemwise_add", {}, {b.op("softmax", {}, {x}), b.op("softmax", {{"axis", "-1"}}, {x})}));
  expect_merged(b, {"softmax", "elemwise_add"});
}

TEST(MergeDuplicates, NotOtherAttributesInputsOrOperators) {
  GraphBuilder b;
  const Value x = b.input("data");
  const Value two = scaled(b, x, "2"), three = scaled(b, x, "3");
  b.head(b.op("add_n", {{"num_args", "4"}},
              {two, three, scaled(b, two, "2"), b.op("_plus_scalar", {{"scalar", "2"}}, {x})}));
  expect_merged(b, {"_mul_scalar", "_mul_scalar", "_mul_scalar", "_plus_scalar", "add_n"});
}

TEST(MergeDuplicates, OutputsOfTheModelKeepTheirNames) {
  GraphBuilder b;
  const Value x = b.input("data");
  b.head(scaled(b, x, "2"));
  b.head(scaled(b, x, "2"));
  b.head(b.op("relu", {}, {scaled(b, x, "2")}));
  expect_merged(b, {"_mul_scalar", "_mul_scalar", "relu"});
}

}  // namespace
}  // namespace mxinfer

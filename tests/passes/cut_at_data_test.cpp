#include "passes/bind/cut_at_data.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::passes {
namespace {

using test::GraphBuilder;

std::vector<std::vector<std::string>> parts_of(const graph::Graph& graph) {
  std::vector<std::vector<std::string>> names;
  for (const Part& part : cut_at_data(graph)) names.push_back(test::op_names(part.graph));
  return names;
}

TEST(CutAtData, LeavesGraphsOfKnownSizesWhole) {
  GraphBuilder b;
  b.head(b.op("relu", {}, {b.input("data")}));
  EXPECT_EQ(parts_of(b.graph()), (std::vector<std::vector<std::string>>{{"relu"}}));
  EXPECT_EQ(heads_that_depend_on_data(b.graph()), std::vector<bool>{false});
}

TEST(CutAtData, PutsWhatDependsOnAMaskBehindIt) {
  GraphBuilder b;
  const auto x = b.input("data"), mask = b.input("mask");
  const auto y = b.op("relu", {}, {x});
  const auto kept = b.op("_contrib_boolean_mask", {}, {y, mask});
  b.head(b.op("tanh", {}, {kept}));
  b.head(b.op("sigmoid", {}, {y}));
  EXPECT_EQ(parts_of(b.graph()),
            (std::vector<std::vector<std::string>>{{"relu", "_mxinfer_boolean_mask", "sigmoid"}, {"tanh"}}));
  EXPECT_EQ(heads_that_depend_on_data(b.graph()), (std::vector<bool>{true, false}));
  const auto parts = cut_at_data(b.graph());
  // Heads: the rows, sigmoid's output, and the sizes of the rows.
  EXPECT_EQ(parts[0].sizes, (std::vector<Part::Sizes>{{2, 0}, {-1, 0}}));
  EXPECT_EQ(parts[0].graph.heads.size(), 3u);
  EXPECT_EQ(parts[1].graph.heads.size(), 2u);
}

TEST(CutAtData, MakesAPartForEachMaskInARow) {
  GraphBuilder b;
  const auto x = b.input("data"), mask = b.input("mask");
  const auto once = b.op("_contrib_boolean_mask", {}, {x, mask});
  const auto sums = b.op("sum", {{"axis", "1"}}, {once});
  b.head(b.op("_contrib_boolean_mask", {}, {once, sums}));
  EXPECT_EQ(parts_of(b.graph()), (std::vector<std::vector<std::string>>{
                                     {"_mxinfer_boolean_mask"}, {"sum", "_mxinfer_boolean_mask"}, {}}));
}

// Parts are copied and planned one by one.
TEST(CutAtData, RefusesMoreMasksInARowThanAnyNetworkHas) {
  const auto in_a_row = [](int count) {
    GraphBuilder b;
    auto x = b.input("data");
    const auto mask = b.input("mask");
    for (int i = 0; i < count; ++i) x = b.op("_contrib_boolean_mask", {}, {x, mask});
    b.head(x);
    return b.graph();
  };
  EXPECT_EQ(cut_at_data(in_a_row(256)).size(), 257u);
  EXPECT_MXINFER_ERROR(cut_at_data(in_a_row(50'000)), ErrorCode::unsupported,
                       {"50000 operators", "follow one another; the limit is 256"});
}

TEST(BooleanMask, SaysWhatDoesNotFit) {
  const Tensor data = test::random_tensor({4, 2}, 1), mask = test::random_tensor({3}, 2);
  EXPECT_MXINFER_ERROR(test::run_op("_mxinfer_boolean_mask", {}, {&data, &mask}), ErrorCode::invalid_argument,
                       {"index has shape (3,)", "data (4, 2)"});
  EXPECT_MXINFER_ERROR(test::run_op("_mxinfer_boolean_mask", {{"axis", "1"}}, {&data, &mask}),
                       ErrorCode::unsupported, {"axis=1"});
}

TEST(BooleanMask, TakesWhatIsNotZeroAsMxnetDoes) {
  const Tensor data = test::tensor_of<std::int8_t>({4, 1}, {1, 2, 3, 4});
  const Tensor mask = test::tensor_of<float>({4}, {0.5f, 0.0f, -1.0f, std::nanf("")});
  const auto out = test::run_op("_mxinfer_boolean_mask", {}, {&data, &mask});
  ASSERT_EQ(out[1].data<std::int64_t>()[0], 3);
  EXPECT_EQ(std::vector<std::int8_t>(out[0].data<std::int8_t>(), out[0].data<std::int8_t>() + 3),
            (std::vector<std::int8_t>{1, 3, 4}));
}

}  // namespace
}  // namespace mxinfer::passes

#include "pipeline/fold_constants.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::pipeline {
namespace {

using test::GraphBuilder;

const kernels::Target kTarget = kernels::best_target();

TEST(FoldConstants, ComputesWhatFollowsFromParametersOnce) {
  GraphBuilder b;
  const auto x = b.input("data");
  const auto w = b.parameter("w", test::random_tensor({4, 6}, 1));
  const auto turned = b.op("transpose", {}, {b.op("Reshape", {{"shape", "(3, 8)"}}, {w})});
  b.head(b.op("dot", {}, {x, turned}));
  graph::Graph folded = b.graph();
  fold_constants(folded, kTarget);
  EXPECT_EQ(test::op_names(folded), std::vector<std::string>{"dot"});
  const Tensor data = test::random_tensor({2, 8}, 2);
  EXPECT_EQ(
      test::relative_difference(test::run_graph(folded, {&data})[0], test::run_graph(b.graph(), {&data})[0]),
      0.0);
}

TEST(FoldConstants, TakesEveryOutputOfANode) {
  GraphBuilder b;
  const auto x = b.input("data");
  const auto w = b.parameter("w", test::random_tensor({6, 2}, 1));
  const auto parts = b.op("SliceChannel", {{"num_outputs", "2"}, {"axis", "0"}}, {w});
  b.head(b.op("elemwise_add", {}, {x, parts}));
  b.head(b.op("elemwise_mul", {}, {x, {parts.node, 1}}));
  b.head({parts.node, 1});
  graph::Graph folded = b.graph();
  fold_constants(folded, kTarget);
  EXPECT_EQ(test::op_names(folded), (std::vector<std::string>{"elemwise_add", "elemwise_mul"}));
  const Tensor data = test::random_tensor({3, 2}, 2);
  const auto expected = test::run_graph(b.graph(), {&data}), actual = test::run_graph(folded, {&data});
  for (std::size_t o = 0; o < 3; ++o) EXPECT_EQ(test::relative_difference(actual[o], expected[o]), 0.0);
}

TEST(FoldConstants, LeavesWhatWouldTakeMuchMoreMemory) {
  GraphBuilder b;
  const auto w = b.parameter("w", test::random_tensor({1024}, 1));
  b.head(b.op("tile", {{"reps", "(2000,)"}}, {w}));
  graph::Graph folded = b.graph();
  fold_constants(folded, kTarget);
  EXPECT_EQ(test::op_names(folded), std::vector<std::string>{"tile"});
}

// 2 GB of zeros, which a plan makes with itself.
TEST(FoldConstants, DoesNotMakeWhatItDoesNotKeep) {
  GraphBuilder b;
  b.head(b.op("_zeros", {{"shape", "(500000000,)"}}, {}));
  const auto most_kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const auto before = most_kilobytes();
  graph::Graph folded = b.graph();
  fold_constants(folded, kTarget);
  EXPECT_EQ(test::op_names(folded), std::vector<std::string>{"_zeros"});
  EXPECT_LT(most_kilobytes() - before, 500'000);
}

TEST(FoldConstants, LeavesWhatDoesNotFitForThePlanToSay) {
  GraphBuilder b;
  const auto v = b.parameter("v", test::random_tensor({3}, 1)),
             w = b.parameter("w", test::random_tensor({4}, 1));
  b.head(b.op("elemwise_add", {}, {v, w}));
  b.head(b.op("_zeros", {{"shape", "(0, 4)"}}, {}));
  graph::Graph folded = b.graph();
  fold_constants(folded, kTarget);
  EXPECT_EQ(test::op_names(folded), (std::vector<std::string>{"elemwise_add", "_zeros"}));
}

}  // namespace
}  // namespace mxinfer::pipeline

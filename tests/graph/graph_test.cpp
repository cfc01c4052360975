#include "graph/graph.h"

#include <gtest/gtest.h>

#include "graph/redirects.h"
#include "support/expect_error.h"

namespace mxinfer::graph {
namespace {

Node node(const std::string& name, const std::string& op, std::vector<Value> inputs,
          std::int32_t outputs = 1) {
  Node n;
  n.name = name;
  n.op_name = op;
  n.inputs = std::move(inputs);
  n.num_outputs = outputs;
  return n;
}

// data -> a -> b(2 outputs) -> c, and d that nothing needs.
Graph sample() {
  Graph g;
  g.nodes = {node("data", "", {}), node("a", "A", {{0, 0}}), node("b", "B", {{1, 0}, {0, 0}}, 2),
             node("d", "D", {{1, 0}}), node("c", "C", {{2, 1}})};
  g.heads = {{4, 0}};
  return g;
}

TEST(Verify, AcceptsAGoodGraph) {
  EXPECT_NO_THROW(verify(sample()));
}

TEST(Verify, NamesWhatIsWrong) {
  Graph g = sample();
  g.nodes[1].inputs = {{1, 0}};
  EXPECT_MXINFER_ERROR(verify(g), ErrorCode::malformed, {"node 'a' (A)", "input 0", "node 1"});
  g = sample();
  g.nodes[1].inputs = {{-1, 0}};
  EXPECT_MXINFER_ERROR(verify(g), ErrorCode::malformed, {"node 'a' (A)", "node -1"});
  g = sample();
  g.nodes[4].inputs = {{2, 2}};
  EXPECT_MXINFER_ERROR(verify(g), ErrorCode::malformed,
                       {"node 'c' (C)", "output 2", "node 'b' (B)", "has 2"});
  g = sample();
  g.nodes[0].inputs = {{0, 0}};
  EXPECT_MXINFER_ERROR(verify(g), ErrorCode::malformed, {"variable 'data'", "inputs"});
  g = sample();
  g.nodes[2].control_deps = {4};
  EXPECT_MXINFER_ERROR(verify(g), ErrorCode::malformed, {"node 'b' (B)", "control dependency", "node 4"});
  g = sample();
  g.heads = {{9, 0}};
  EXPECT_MXINFER_ERROR(verify(g), ErrorCode::malformed, {"heads", "node 9"});
  g.heads.clear();
  EXPECT_MXINFER_ERROR(verify(g), ErrorCode::malformed, {"no outputs"});
}

TEST(RemoveDeadNodes, KeepsWhatHeadsNeedAndRenumbers) {
  Graph g = sample();
  const auto new_id = remove_dead_nodes(g);
  EXPECT_EQ(new_id, (std::vector<std::int32_t>{0, 1, 2, -1, 3}));
  ASSERT_EQ(g.nodes.size(), 4u);
  EXPECT_EQ(g.nodes[3].name, "c");
  EXPECT_EQ(g.nodes[3].inputs[0], (Value{2, 1}));
  EXPECT_EQ(g.heads[0], (Value{3, 0}));
}

TEST(SortTopologically, PutsAppendedNodesInFrontOfTheirReaders) {
  Graph g = sample();
  const auto late = append(g, node("late", "", {}));
  g.nodes[1].inputs.push_back({late, 0});
  sort_topologically(g);
  EXPECT_NO_THROW(verify(g));
  EXPECT_EQ(g.nodes.size(), 6u);
  EXPECT_EQ(g.nodes[static_cast<std::size_t>(g.heads[0].node)].name, "c");
}

TEST(SortTopologically, DeepGraphsDoNotOverflowTheStack) {
  Graph g;
  g.nodes.push_back(node("data", "", {}));
  for (std::int32_t i = 0; i < 200000; ++i) g.nodes.push_back(node("n", "N", {{i, 0}}));
  g.heads = {{200000, 0}};
  sort_topologically(g);
  EXPECT_NO_THROW(verify(g));
}

TEST(Uses, AreCounted) {
  EXPECT_EQ(count_uses(sample()), (std::vector<std::vector<int>>{{2}, {2}, {0, 1}, {0}, {1}}));
}

TEST(Redirects, LeadReadersAndHeadsToTheEndOfTheWay) {
  Graph g = sample();
  Redirects redirects;
  redirects.add({1, 0}, {0, 0});
  redirects.apply(g);
  EXPECT_EQ(count_uses(g)[0][0], 4);
  EXPECT_EQ(count_uses(g)[1][0], 0);

  // In any order, a value onto itself, and of some outputs alone.
  g = sample();
  redirects.add({3, 0}, {3, 0});
  redirects.add({4, 0}, {2, 1});
  redirects.add({2, 1}, {1, 0});
  EXPECT_EQ(redirects({4, 0}), (Value{0, 0}));
  EXPECT_EQ(redirects({2, 1}), (Value{0, 0}));
  EXPECT_EQ(redirects({2, 0}), (Value{2, 0}));
  EXPECT_EQ(redirects({3, 0}), (Value{3, 0}));
  redirects.apply(g);
  for (Value head : g.heads) EXPECT_EQ(head, (Value{0, 0}));
}

TEST(Redirects, LongWaysAreGoneOnce) {
  constexpr std::int32_t kMany = 300'000;
  Graph g;
  g.nodes.push_back(node("data", "", {}));
  for (std::int32_t i = 0; i < kMany; ++i) g.nodes.push_back(node("n", "N", {{i, 0}}));
  g.heads.assign(1000, {kMany, 0});
  Redirects redirects;
  for (std::int32_t i = kMany; i > 0; --i) redirects.add({i, 0}, {i - 1, 0});
  redirects.apply(g);
  EXPECT_EQ(count_uses(g)[0][0], kMany + 1000);
}

TEST(ValueName, FollowsMxnet) {
  const Graph g = sample();
  EXPECT_EQ(value_name(g, {0, 0}), "data");
  EXPECT_EQ(value_name(g, {1, 0}), "a_output");
  EXPECT_EQ(value_name(g, {2, 1}), "b_output1");
}

TEST(Dump, IsOneLineANode) {
  const std::string text = dump(sample());
  EXPECT_NE(text.find("2 b = B(a_output, data)\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace mxinfer::graph

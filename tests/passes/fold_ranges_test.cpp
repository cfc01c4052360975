// Ranges of calibrated 8-bit values become parameters; fused nodes of float32 become their operators.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "formats/json/symbol_json.h"
#include "graph/node_of.h"
#include "passes/passes.h"
#include "support/networks/golden_graphs.h"

namespace mxinfer::passes {
namespace {

graph::Graph recorded(const std::string& name) {
  std::ifstream file(test::quantized_graphs_folder() / (name + "-symbol.json"));
  std::ostringstream text;
  text << file.rdbuf();
  return formats::parse_symbol(text.str()).graph;
}

/// How many inputs that are ends of ranges are computed.
int computed_ranges(const graph::Graph& graph) {
  int computed = 0;
  for (const graph::Node& node : graph.nodes) {
    for (const graph::Value input : node.inputs) {
      const graph::Node& from = graph::node_of(graph, input);
      if (from.num_outputs == 3 && input.index > 0) ++computed;
    }
  }
  return computed;
}

TEST(FoldRanges, OfACalibratedNetwork) {
  graph::Graph graph = recorded("network_auto");
  EXPECT_GT(computed_ranges(graph), 10);
  fold_ranges(graph);
  EXPECT_EQ(computed_ranges(graph), 0);
  graph::verify(graph);
}

TEST(FoldRanges, NotOfOneThatIsNot) {
  graph::Graph graph = recorded("network_uncalibrated");
  fold_ranges(graph);
  EXPECT_GT(computed_ranges(graph), 10);
  graph::verify(graph);
}

TEST(InlineFused, GivesTheOperatorsBack) {
  graph::Graph graph = recorded("floats_fused");
  inline_fused(graph);
  int convolutions = 0;
  for (const graph::Node& node : graph.nodes) {
    EXPECT_TRUE(node.subgraphs.empty()) << node.name;
    if (node.op_name == "Convolution") ++convolutions;
  }
  EXPECT_EQ(convolutions, 6);
  graph::verify(graph);
}

TEST(InlineFused, LeavesQuantizedNodes) {
  graph::Graph graph = recorded("network_auto");
  const std::size_t before = graph.nodes.size();
  inline_fused(graph);
  EXPECT_EQ(graph.nodes.size(), before);
}

}  // namespace
}  // namespace mxinfer::passes

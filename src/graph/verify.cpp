#include "base/fail.h"
#include "graph/graph.h"

namespace mxinfer::graph {
namespace {

void check_value(const Graph& graph, Value value, std::size_t limit, const char* what) {
  if (value.node < 0 || static_cast<std::size_t>(value.node) >= limit) {
    fail(ErrorCode::malformed, what, " refers to node ", value.node, "; only nodes 0 to ",
         static_cast<std::int64_t>(limit) - 1, " can be referred to here");
  }
  const Node& producer = graph.nodes[static_cast<std::size_t>(value.node)];
  if (value.index < 0 || value.index >= producer.num_outputs) {
    fail(ErrorCode::malformed, what, " refers to output ", value.index, " of ", describe(producer),
         ", which has ", producer.num_outputs);
  }
}

void verify_node(const Graph& graph, std::size_t id) {
  const Node& node = graph.nodes[id];
  if (node.is_variable() && !node.inputs.empty()) fail(ErrorCode::malformed, "a variable cannot have inputs");
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    check_value(graph, node.inputs[k], id, concat("input ", k).c_str());
  }
  // Allowing only earlier ids also rules out cycles.
  for (std::int32_t dep : node.control_deps) check_value(graph, Value{dep, 0}, id, "a control dependency");
  for (const auto& subgraph : node.subgraphs) verify(*subgraph);
}

}  // namespace

void verify(const Graph& graph) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    in_context([&] { return describe(graph.nodes[id]); }, [&] { verify_node(graph, id); });
  }
  if (graph.heads.empty()) fail(ErrorCode::malformed, "the graph has no outputs (heads is empty)");
  for (Value head : graph.heads) check_value(graph, head, graph.nodes.size(), "heads");
}

}  // namespace mxinfer::graph

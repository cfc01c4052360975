// MXNet's symbol files: the graph of a network as JSON, as every version of MXNet since 0.7 wrote it.
//
//   formats::ParsedSymbol symbol = formats::parse_symbol(text);
//   formats::require_supported(formats::unsupported_ops(symbol.graph));  // Error that lists all of them
//   ... symbol.graph ...
//
// What old versions wrote differently is brought to the form of MXNet 1.9 while reading, so that the graph is
// the same whatever version wrote the file; docs/reference/model-format.md describes the versions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::formats {

/// The limits of a symbol file; exceeding them is Error(malformed).
struct SymbolLimits {
  std::size_t bytes = std::size_t{256} << 20;
  int json_depth = 64;
  std::size_t nodes = 1'000'000;  ///< of the graph and its subgraphs together
  int subgraph_depth = 16;
  int node_outputs = 65536;         ///< outputs of one node, and inputs of a variadic one
  std::size_t outputs = 2'000'000;  ///< of all nodes together
};

/// An operator that this library does not have, or not with the attributes of the nodes that need it.
struct UnsupportedOp {
  std::string op;
  std::vector<std::string> nodes;
  std::string reason{};  ///< follows the operator in a message: "is an operator written in Python, ..."
};

/// A node that does not fit its operator: an attribute, an input or a subgraph that this one does not have.
struct NodeProblem {
  std::string op, node;  ///< in a subgraph with the nodes around it in front, as in UnsupportedOp
  std::string reason;
};

struct ParsedSymbol {
  graph::Graph graph;
  std::vector<std::string> warnings;
};

/// Reads a graph, resolves its operators and their attributes, and verifies it. Throws Error(malformed); the
/// message names the node. Nodes of unknown operators have no Node::op. With `problems`, nodes that do not
/// fit their operators have none either and are listed there; without it, the first of them throws.
ParsedSymbol parse_symbol(std::string_view json, const SymbolLimits& limits = {},
                          std::vector<NodeProblem>* problems = nullptr);

/// The operators of a graph, and of its subgraphs, that this library does not run, sorted by name. Once dead
/// nodes are removed these are the ones that the outputs need.
std::vector<UnsupportedOp> unsupported_ops(const graph::Graph& graph);

/// Throws one Error(unsupported) that lists the operators, what each of them is, and what to do, unless there
/// are none.
void require_supported(const std::vector<UnsupportedOp>& ops);

/// The graph in the form that MXNet 1.x writes. Unknown keys of the file that the graph was read from are
/// kept.
std::string write_symbol(const graph::Graph& graph);

}  // namespace mxinfer::formats

// Graph: what a model computes, as nodes in topological order.
//
//   graph::Graph g = formats::parse_symbol(text).graph;
//   for (const graph::Node& node : g.nodes) ... node.op_name, node.inputs ...
//   graph::verify(g);                       // throws if an id, an order or a count is wrong
//   std::cout << graph::dump(g);            // one line a node
//
// A node refers to values (a node's id and the index of one of its outputs). A variable is a node without an
// operator: an input, or a parameter, which then carries its value.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/attrs.h"
#include "kernels/common/post_ops.h"
#include "tensor/parameter.h"

namespace mxinfer::ops {
struct OpDef;
}

namespace mxinfer::graph {

/// A value: output `index` of node `node`.
struct Value {
  std::int32_t node = 0;
  std::int32_t index = 0;
  friend bool operator==(const Value& a, const Value& b) { return a.node == b.node && a.index == b.index; }
  friend bool operator<(const Value& a, const Value& b) {
    return std::pair(a.node, a.index) < std::pair(b.node, b.index);
  }
};

using kernels::Activation;
using kernels::PostOps;

struct Graph;

struct Node {
  std::string name;
  std::string op_name;             ///< as in the file; empty for a variable
  const ops::OpDef* op = nullptr;  ///< set once resolved; nullptr for variables
  std::map<std::string, std::string> raw_attrs;
  Attrs attrs;
  std::vector<Value> inputs;
  std::int32_t num_outputs = 1;
  /// The names of its outputs if others of the network have the same: "conv0_output#1" (ops::name_values);
  /// otherwise empty.
  std::vector<std::string> value_names;
  std::vector<std::int32_t> control_deps;
  std::vector<std::shared_ptr<Graph>> subgraphs;
  std::shared_ptr<const Parameter> constant;  ///< the value of a parameter
  std::int32_t input_index = -1;              ///< the network's input that a free variable is
  /// What passes fused behind the operator; its inputs (PostOps::inputs) are the node's last.
  PostOps post_ops;
  /// If the operator computes several products in a row: the post-ops of each but the last. Their slopes are
  /// inputs before those of post_ops.
  std::vector<PostOps> inner_post_ops;
  /// How passes changed this node, for explain: "batch norm 'bn0' folded in".
  std::vector<std::string> notes;
  /// Unknown keys of the file, as JSON text, kept for writing it back.
  std::map<std::string, std::string> unknown_keys;

  bool is_variable() const { return op_name.empty(); }
};

struct Graph {
  std::vector<Node> nodes;   ///< topologically sorted: inputs come first
  std::vector<Value> heads;  ///< the outputs
  /// Graph attributes as (type, JSON text of the value): {"mxnet_version", {"int", "10901"}}.
  std::map<std::string, std::pair<std::string, std::string>> attrs;
  std::map<std::string, std::string> unknown_keys;
  int mxnet_version = 800;  ///< major * 10000 + minor * 100 + patch; 800 if the file does not say
  /// Passes have made it one of float32 from one whose products are of this type, float16 or bfloat16, for a
  /// device that has it for them.
  std::optional<DType> was_halves{};
};

/// How many of a node's last inputs its post-ops read, inner ones included. The operator's infer() does not
/// see them.
std::size_t post_op_inputs(const Node& node);

/// "node 'conv0' (Convolution)", or "variable 'data'".
std::string describe(const Node& node);

/// The name MXNet gives a value: "<node>_output" for one output, "<node>_output<i>" for several, the bare
/// name for a variable. (Operators with named outputs: see ops::output_name.)
std::string value_name(const Graph& graph, Value value);

/// Checks the structure: every input of a node earlier than the node, every output index below the producer's
/// count, heads in range, no cycle through control_deps, variables without inputs. Throws Error(malformed)
/// naming the node.
void verify(const Graph& graph);

/// Removes nodes that no head needs (inputs and parameters too) and renumbers. Returns the new id of each old
/// node, -1 if it was removed.
std::vector<std::int32_t> remove_dead_nodes(Graph& graph);

/// Appends a node and returns its id. A pass may let earlier nodes read it, and then calls
/// sort_topologically.
std::int32_t append(Graph& graph, Node node);

/// Moves every node behind its inputs and otherwise keeps the order. Precondition: no cycles (verify has
/// passed, and passes create none).
void sort_topologically(Graph& graph);

/// How many times each value is read, by nodes or as a head: counts[node][index].
std::vector<std::vector<int>> count_uses(const Graph& graph);

/// One line per node, for people: "12 conv0 = Convolution(data, conv0_weight) kernel=(3, 3)".
std::string dump(const Graph& graph);

}  // namespace mxinfer::graph

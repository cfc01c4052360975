// How the values of a network are called, and found by their names. MXNet lets several nodes have one name,
// and so several values: those get an index.
//
//   ops::name_values(graph);                        // once, as the file has it
//   ops::output_name(graph, value);                 // "conv0_output#1"
//   ops::ValueIndex(graph).find("conv0_output#1");  // the value
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::ops {

/// Tells values of one name apart: "conv0_output#0", "conv0_output#1", ... in the order of the nodes
/// (base/text/unique_names.h). The names stay with the nodes, whichever of them passes remove. Variables of
/// one name stand for one array, and count once.
void name_values(graph::Graph& graph);

/// The names of the heads, all different: a value that is a head twice gets an index too.
std::vector<std::string> head_names(const graph::Graph& graph);

/// Finds many values by name. The graph must outlive it unchanged.
class ValueIndex {
 public:
  explicit ValueIndex(const graph::Graph& graph);

  /// By the name of output_name() or head_names(); by MXNet's, or by the name of a node, which stands for its
  /// first output, if that is one value's alone. Throws Error(not_found), and Error(invalid_argument) that
  /// lists how to ask for each of several.
  graph::Value find(const std::string& name) const;

 private:
  using Values = std::vector<graph::Value>;
  [[noreturn]] void fail_ambiguous(const std::string& name, const Values& values) const;
  [[noreturn]] void fail_missing(const std::string& name) const;
  const Values* values_called(const std::string& name) const;

  const graph::Graph& graph_;
  std::map<std::string, graph::Value> unique_;
  std::map<std::string, Values> by_mxnet_name_;
  std::map<std::string, Values> by_node_;
};

}  // namespace mxinfer::ops

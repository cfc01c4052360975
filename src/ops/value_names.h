// Names the values of a network and finds them by name. MXNet allows several nodes, and so several values,
// with the same name: these get an index.
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

/// Gives values of the same name an index: "conv0_output#0", "conv0_output#1", ... in the order of the nodes
/// (base/text/unique_names.h). Nodes keep their names when passes remove others. Variables of the same name
/// are the same array and count once.
void name_values(graph::Graph& graph);

/// The names of the heads, all different: a value that is a head twice gets an index too.
std::vector<std::string> head_names(const graph::Graph& graph);

/// Finds values by name. The graph must outlive it unchanged.
class ValueIndex {
 public:
  explicit ValueIndex(const graph::Graph& graph);

  /// Finds a value by the name of output_name() or head_names(), or, if unique, by MXNet's name or by the
  /// name of a node, which means its first output. Throws Error(not_found), or Error(invalid_argument) with
  /// the unique names if there are several.
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

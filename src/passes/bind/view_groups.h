// ViewGroups: which operators of a graph that move elements, with element-wise ones between them, can be one
// kernel.
//
//   ViewGroups groups(graph, types);
//   for (const auto& [last, members] : groups.find()) ... groups.kernels(members) ...
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "graph/graph.h"
#include "shapes/infer.h"

namespace mxinfer::passes {

/// Node ids, ascending.
using Ids = std::vector<std::int32_t>;
/// The members of each group by its last node.
using Groups = std::map<std::int32_t, Ids>;

/// Whether it is a chain of element-wise operators, which is taken apart in a group.
bool is_chain(const graph::Node& node);

/// Refers to the graph and the types of its values, which must outlive it.
class ViewGroups {
 public:
  ViewGroups(const graph::Graph& graph, const shapes::ValueTypes& types);

  // What find() excepts: nodes whose values must be in memory.
  std::set<std::int32_t> kept{};    ///< do not join the group of their readers
  std::set<std::int32_t> single{};  ///< are in no group

  /// A node joins the group that all its readers are in; the others are the last of a group of their own.
  Groups find() const;
  /// How many kernels the members are on their own.
  std::int64_t kernels(const Ids& members) const;

 private:
  bool is_plain_float(graph::Value value) const;
  bool can_join(std::size_t id) const;
  bool is_moved(graph::Value value) const;

  const graph::Graph& graph_;
  const shapes::ValueTypes& types_;
  /// By node: a concatenation with some input that its producer could not write directly into it.
  std::vector<bool> concatenates_moved_;
};

}  // namespace mxinfer::passes

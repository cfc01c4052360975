// Values that are to be read in the place of others, for passes that leave out many nodes: one walk through
// the graph for all of them.
//
//   Redirects redirects;
//   for (...) redirects.add({id, 0}, node.inputs[0]);   // what reads the node is to read its input
//   redirects.apply(graph);
#pragma once

#include <unordered_map>

#include "graph/graph.h"

namespace mxinfer::graph {

class Redirects {
 public:
  /// From now on `to`, or what that is redirected to, is read in the place of `from`. Precondition: `to` does
  /// not lead back to `from`.
  void add(Value from, Value to);

  /// What is to be read in the place of a value: itself, if nothing is.
  Value operator()(Value value);

  /// Every reader, and every head, reads what it is to.
  void apply(Graph& graph);

 private:
  struct Hash {
    std::size_t operator()(Value value) const {
      return std::hash<std::uint64_t>()(static_cast<std::uint64_t>(value.node) << 32 |
                                        static_cast<std::uint32_t>(value.index));
    }
  };
  std::unordered_map<Value, Value, Hash> to_;
};

}  // namespace mxinfer::graph

// Replacements of values, for passes that remove many nodes: one walk through the graph applies all of them.
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
  /// Replaces `from` by `to`, or by what that is redirected to. Precondition: `to` does not lead back to
  /// `from`.
  void add(Value from, Value to);

  /// The replacement of a value; the value itself if it has none.
  Value operator()(Value value);

  /// Applies the replacements to every reader and every head.
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

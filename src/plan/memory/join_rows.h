// Concatenations and slices along the last dimension that copy nothing: what makes an input of a
// concatenation leaves room between its rows for those of the others; who reads a slice, or a concatenation
// inside of a larger one, finds its rows among others.
//
//   RowStrides rows(graph, types);
//   rows.join([&](const JoinedRows& part) { storage.hold(part.join, 0, part.input, part.offset); });
//   if (rows.may_lie_apart(slice)) rows.set(slice, 96);
//   rows.of(value)                                       // 0, or from one row to the next
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "plan/shapes/infer.h"

namespace mxinfer::plan {

/// An input of a concatenation that is written straight into it.
struct JoinedRows {
  std::int32_t join;   ///< the node that concatenates
  std::size_t input;   ///< which of its inputs
  std::size_t offset;  ///< bytes from the start of what it gives
};

class RowStrides {
 public:
  RowStrides(const graph::Graph& graph, const ValueTypes& types);

  /// Decides which values are written into concatenations (OpDef::joins_rows): those that can be written
  /// apart (OpDef::writes_rows_apart), and read apart by all others who read them (OpDef::reads_rows_apart).
  void join(const std::function<void(const JoinedRows&)>& tell);

  /// Whether everybody who reads a value can read rows that lie apart; it is no output of the network.
  bool may_lie_apart(graph::Value value) const { return may_lie_apart(value, -1); }
  void set(graph::Value value, std::int64_t stride) { strides_[key(value)] = stride; }
  /// Elements from one row of the value to the next; 0: they follow each other.
  std::int64_t of(graph::Value value) const;

 private:
  using Key = std::pair<std::int32_t, std::int32_t>;
  struct Reader {
    std::int32_t node;  ///< -1: the network gives it
    std::size_t input;
  };

  static Key key(graph::Value value) { return {value.node, value.index}; }
  const ops::TensorType& type(graph::Value value) const;
  bool reads_apart(const Reader& reader) const;
  bool may_lie_apart(graph::Value value, std::int32_t but_for) const;
  bool may_be_joined(graph::Value value, std::int32_t join) const;

  const graph::Graph& graph_;
  const ValueTypes& types_;
  std::map<Key, std::vector<Reader>> readers_;
  std::map<Key, std::int64_t> strides_;
};

}  // namespace mxinfer::plan

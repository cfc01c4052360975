// Strided views: zero-copy concatenations and slices along the last dimension. The producer of a part writes
// it with the row stride of the whole concatenation; the readers of a slice, or of a concatenation inside a
// larger one, read it with the row stride of the wider value.
//
//   StridedViews strides(graph, types);
//   for (const PlacedPart& part : strides.place_parts()) ...
//   if (strides.are_accepted(slice, 96)) strides.set(slice, 96);
//   types[slice.node][slice.index].row_stride           // 96
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "ops/backend.h"
#include "shapes/infer.h"

namespace mxinfer::plan {

/// An input of a concatenation that its producer writes directly into the output.
struct PlacedPart {
  std::int32_t concatenation;  ///< the node
  std::size_t input;           ///< which of its inputs
  std::size_t offset;          ///< bytes from the start of its output
};

class StridedViews {
 public:
  /// Which backend computes a node.
  using BackendOf = std::function<const ops::Backend&(std::size_t node)>;

  /// Both must outlive it; sets the strides in `types`.
  StridedViews(const graph::Graph& graph, shapes::ValueTypes& types, BackendOf backend_of);

  /// Decides which values are written directly into concatenations (Traits::concatenates_rows): those whose
  /// producer's backend takes a strided output, and the backends of whose other readers take strided inputs.
  std::vector<PlacedPart> place_parts();

  /// Whether every reader of a value accepts this row stride, and the value is not an output of the network.
  bool are_accepted(graph::Value value, std::int64_t row_stride) const {
    return are_accepted(value, row_stride, -1);
  }
  void set(graph::Value value, std::int64_t row_stride) { type(value).row_stride = row_stride; }

 private:
  using Key = std::pair<std::int32_t, std::int32_t>;
  struct Reader {
    std::int32_t node;  ///< -1: it is an output of the network
    std::size_t input;
  };

  static Key key(graph::Value value) { return {value.node, value.index}; }
  ops::TensorType& type(graph::Value value) const {
    return types_[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
  }
  bool accepts(const Reader& reader, std::int64_t row_stride) const;
  /// Whatever node `but_for` accepts.
  bool are_accepted(graph::Value value, std::int64_t row_stride, std::int32_t but_for) const;
  bool can_be_placed(graph::Value value, std::int64_t row_stride, std::int32_t concatenation) const;

  const graph::Graph& graph_;
  shapes::ValueTypes& types_;
  BackendOf backend_of_;
  std::map<Key, std::vector<Reader>> readers_;
};

}  // namespace mxinfer::plan

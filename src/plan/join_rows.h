// Concatenations along the last dimension whose inputs are written straight into them: what makes an input
// leaves room between its rows for those of the others, and nothing is copied.
//
//   const auto joined = join_rows(graph, types);
//   if (auto found = joined.find(id); found != joined.end()) ...   // output 0 of node `id` is written apart
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "graph/graph.h"
#include "plan/infer.h"

namespace mxinfer::plan {

/// Where output 0 of a node is to be written.
struct JoinedRows {
  std::int32_t join;    ///< the node that concatenates
  std::size_t input;    ///< which of its inputs this is
  std::int64_t stride;  ///< elements from one row to the next
  std::size_t offset;   ///< bytes from the start of the concatenation
};

/// By the node whose rows they are: those that can write them apart (OpDef::writes_rows_apart), into the only
/// node that reads them (OpDef::joins_rows).
std::map<std::size_t, JoinedRows> join_rows(const graph::Graph& graph, const ValueTypes& types);

}  // namespace mxinfer::plan

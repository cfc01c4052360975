// What the first readers of an input reveal about it: rows of an Embedding, features and the axis of time of
// an RNN, lengths of sequences.
//
//   InputTrace trace = trace_input(graph, variable);
//   if (trace.rows && id >= *trace.rows) ...            // the Embedding has no row for it
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/graph.h"

namespace mxinfer::api {

struct InputTrace {
  /// The rows of the Embedding that looks up the values, the smallest if there are several.
  std::optional<std::int64_t> rows{};
  /// The axis of time, 0 or 1, if an RNN reads the input, or what an Embedding makes of it, directly or with
  /// its first two axes swapped.
  std::optional<std::size_t> time_axis{};
  /// What an RNN without an Embedding in front takes at each time.
  std::optional<std::int64_t> features{};
  /// SequenceMask, SequenceReverse or SequenceLast reads it as the lengths of sequences.
  bool is_length = false;
};

/// `variable` is the id of a node. Follows operators that change no value (identities, casts, dropout, the
/// swap of axes) and the output of an Embedding.
InputTrace trace_input(const graph::Graph& graph, std::int32_t variable);

/// The id of the variable of an input. Precondition: there is one of that index.
std::int32_t variable_of(const graph::Graph& graph, std::size_t input);

}  // namespace mxinfer::api

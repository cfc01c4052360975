// The batches that a network takes. A training may have written its own into the graph: Reshape(shape=(4, 7,
// 10)) behind FullyConnected(70), a state of 4 rows, a constant of 4 rows.
//
//   const TriedBatches tried = try_batches(graph, inputs, 4, 224);
//   if (tried.rule == BatchRule::fixed) ...                    // batches of tried.batch alone
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "model/trial.h"

namespace mxinfer::api {

enum class BatchRule : std::uint8_t {
  free,      ///< any number of samples
  multiple,  ///< `batch` samples, or a multiple
  fixed,     ///< `batch` samples
};

struct TriedBatches {
  std::int64_t batch = 1;
  BatchRule rule = BatchRule::free;
  std::int64_t rejected = 0;  ///< a batch that the network does not take; 0 if the rule is free
  std::vector<Trial> trials;  ///< what fits: of two batches, if it takes two, and of two sides
};

/// Whether the input's batch is not stated.
bool has_free_batch(const DataDesc& input);

/// What the network takes besides a batch that it does take, with `side` for other free dimensions; no trials
/// if it does not take that one.
TriedBatches try_batches(const graph::Graph& graph, const std::vector<DataDesc>& inputs, std::int64_t batch,
                         std::int64_t side);

/// Batches to try on a network that does not take a single sample: sizes that are written in front of shapes
/// in the graph, and then a few others.
std::vector<std::int64_t> batches_to_try(const graph::Graph& graph);

/// "the network takes batches of 4 samples alone: with 1, node 'r' (Reshape) › ...": a warning.
std::string warning_of(const graph::Graph& graph, const std::vector<DataDesc>& inputs,
                       const TriedBatches& tried, std::int64_t side);

}  // namespace mxinfer::api

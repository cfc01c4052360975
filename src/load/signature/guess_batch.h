// Finds the batches that a network accepts. Training may have written its own into the graph:
// Reshape(shape=(4, 7, 10)) behind FullyConnected(70), a state of 4 rows, a constant of 4 rows.
//
//   const TriedBatches tried = try_batches(graph, inputs, 4, 224);
//   if (tried.rule == BatchRule::fixed) ...                    // only batches of tried.batch
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
  std::int64_t rejected = 0;  ///< a batch that the network rejects; 0 if the rule is free
  std::vector<Trial> trials;  ///< what fits: of two batches, if it takes two, and of two sides
};

/// Whether the input's batch is free.
bool has_free_batch(const DataDesc& input);

/// Tries other batches than one that the network accepts, with `side` for other free dimensions. No trials if
/// it rejects that one.
TriedBatches try_batches(const graph::Graph& graph, const std::vector<DataDesc>& inputs, std::int64_t batch,
                         std::int64_t side);

/// Batches to try on a network that rejects a single sample: the first sizes of shapes in the graph, and then
/// a few others.
std::vector<std::int64_t> batches_to_try(const graph::Graph& graph);

/// A warning: "the network accepts only batches of 4 samples: with 1, node 'r' (Reshape) › ...".
std::string warning_of(const graph::Graph& graph, const std::vector<DataDesc>& inputs,
                       const TriedBatches& tried, std::int64_t side);

}  // namespace mxinfer::api

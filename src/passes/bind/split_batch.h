// Which operators of a network run sample by sample. In a batch the values of a network's first operators
// are larger than any cache, and its weights small: all operators on one sample, then on the next, read and
// write the cache. Towards the end it is the other way round, and weights are better read once for all
// samples.
//
//   if (auto split = split_batch(graph, inputs, types)) graph = std::move(*split);
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "shapes/infer.h"

namespace mxinfer::passes {

/// The graph with its first operators in the subgraph of one _mxinfer_by_sample; nothing if that would not
/// pay. `inputs` and `types` are those of the graph, as infer_types has them. The choice follows from the
/// sizes alone, so that a batch gives the same bits on any machine and number of threads.
std::optional<graph::Graph> split_batch(const graph::Graph& graph, const std::vector<ops::TensorType>& inputs,
                                        const shapes::ValueTypes& types);

}  // namespace mxinfer::passes

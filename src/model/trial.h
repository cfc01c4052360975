// Finds the outputs of a network for inputs of certain shapes by trial: it only infers types and computes
// nothing.
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "ops/op_def.h"

namespace mxinfer::api {

/// What the network gives for shapes that fit the descriptors of its inputs.
struct Trial {
  std::vector<ops::TensorType> inputs;
  std::vector<ops::TensorType> outputs;
};

/// `batch` and `side` for free dimensions: a concrete shape to try.
Shape concrete_shape(const DataDesc& desc, std::int64_t batch, std::int64_t side);

/// nullopt if the network rejects the shapes or not all of them are known.
std::optional<Trial> try_shapes(const graph::Graph& graph, const std::vector<DataDesc>& inputs,
                                std::int64_t batch, std::int64_t side);

/// The network's error for such shapes; empty if it accepts them, or if not all of them are known.
std::string objection_to(const graph::Graph& graph, const std::vector<DataDesc>& inputs, std::int64_t batch,
                         std::int64_t side);

/// With -1 if dimensions differ; of rank 0 if the ranks do.
Shape common_shape(const Shape& a, const Shape& b);

}  // namespace mxinfer::api

// TunableNode: a node that several kernels can compute, with everything to run it on its own.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "shapes/infer.h"

namespace mxinfer::plan {

struct TunableNode {
  std::string shape;                      ///< ops::Implementations::shape
  std::vector<std::string> kernels;       ///< the names of its implementations
  graph::Graph graph{};                   ///< the node alone: its operands are inputs
  std::vector<ops::TensorType> inputs{};  ///< of that graph
  ops::TensorType output{};
};

/// Fills in graph and types of node `id` of `from`.
void isolate_node(const graph::Graph& from, const shapes::ValueTypes& types, std::size_t id,
                  TunableNode& node);

}  // namespace mxinfer::plan

// Stored halves: which float32 values of a device's nodes a plan keeps in 16 bits, float16 or bfloat16 as
// PlanOptions::precision says. That halves the memory that they move through.
//
//   for (const StoredNode& node : store_halves(graph, types, on_device, options)) ...
//   node.inputs[0], node.outputs[0]     // the types in which the node reads and writes
//
// The types of the graph stay what they are: a value that is stored so still is float32 to operators. Which
// values are, ops/narrow_values.h decides: those between products. What the kernels of a node take, its
// backend says (ops/half_form.h). Of float16, values that may be beyond 65504 stay float32
// (ops/elementwise/float16_range.h). So do indices, the CPU's nodes, inputs and outputs of the graph, and
// parameters, unless the kernels of their reader pack them.
//
// Where a reader wants another type than a value is stored in, the placement inserts a Cast on the device.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"
#include "shapes/infer.h"

namespace mxinfer::plan {

struct StoredNode {
  std::vector<DType> inputs, outputs;
  std::string note{};  ///< why it stays float32, for explain; empty if there is nothing to say
};

/// Float16 or bfloat16, float32 if values are not stored in 16 bits.
DType stored_type(const PlanOptions& options);

/// By node of the graph. `on_device`: the nodes that the device computes.
std::vector<StoredNode> store_halves(const graph::Graph& graph, const shapes::ValueTypes& types,
                                     const std::vector<bool>& on_device, const PlanOptions& options);

}  // namespace mxinfer::plan

// Device placement: which nodes of a graph run on a device, and the copies between it and the CPU.
//
//   Placement placement = place_on_device(graph, types, options);
//   if (placement.on_device[id]) ...            // node id of placement.graph()
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "plan/plan.h"
#include "shapes/infer.h"

namespace mxinfer::plan {

struct Placement {
  const graph::Graph& graph() const { return made ? *made : *given; }

  const graph::Graph* given = nullptr;
  std::optional<graph::Graph> made{};  ///< with the copies, or rewritten by the stage "bind"; else `given`
  shapes::ValueTypes types;
  std::vector<bool> on_device;  ///< by node: whether its outputs are in the device's memory
};

/// Places every node on PlanOptions::device for which PlanOptions::backend has an accepting implementation,
/// and inserts a copy wherever a value changes sides. Inputs and outputs of the graph are in the process's
/// memory, or on the device if PlanOptions::operands_on_device says so; parameters are where they are read.
/// Nodes without elements to compute stay on the CPU, and so do control flow operators. Decides which values
/// the device stores in 16 bits (plan/lower/stored_halves.h), with casts where readers want another type.
Placement place_on_device(const graph::Graph& graph, const shapes::ValueTypes& types,
                          const PlanOptions& options);

/// Whether the device computes a node. Copies do not count, though they access its memory.
bool node_is_on_device(const Placement& placement, std::size_t id);
/// Which copy between the CPU and the device a node is.
DeviceCopy device_copy(const graph::Node& node);
/// Whether a node reads its inputs in the device's memory.
bool reads_device(const Placement& placement, std::size_t id);

}  // namespace mxinfer::plan

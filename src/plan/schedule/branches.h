// Branches: independent parts of a graph, such as those of an Inception block, two towers, or a projection
// beside a residual block's main path. A region is a run of nodes that falls apart into branches. They can
// run side by side, each on one thread, instead of one after another, each on all threads. That saves the
// time that threads wait for each other at the start and end of every loop.
//
//   for (const Region& region : find_regions(graph, times, 2, Branches::where_it_pays)) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::plan {

/// When branches run side by side. Results do not depend on it.
enum class Branches : std::uint8_t { where_it_pays, wherever_there_are, never };

struct Region {
  std::int32_t first = 0;  ///< node
  std::int32_t last = 0;   ///< node, included
  /// The operators of each branch, in the graph's order, including those that run nothing.
  std::vector<std::vector<std::int32_t>> branches;
  /// By thread: the branches that it runs in sequence.
  std::vector<std::vector<std::size_t>> workers;
  double seconds = 0;          ///< predicted
  double seconds_in_turn = 0;  ///< predicted without the region
};

/// The time of a node on one thread.
struct NodeTime {
  bool runs = false;  ///< not a variable, an alias, or a concatenation that moves nothing
  double seconds = 0;
};

/// The regions to run side by side on so many threads, in order; they share no node. `times` is by node.
std::vector<Region> find_regions(const graph::Graph& graph, const std::vector<NodeTime>& times, int threads,
                                 Branches when);

}  // namespace mxinfer::plan

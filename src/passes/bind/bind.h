// Stage "bind": the rewrites that need the shapes and dtypes of the inputs, in their order (bind.cpp).
//
//   passes::Bound bound = passes::bind(graph, input_types, {.splits_batches = true});    // once for each plan
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "shapes/infer.h"

namespace mxinfer::passes {

/// A graph for fixed shapes.
struct Bound {
  std::optional<graph::Graph> rewritten;  ///< nothing: the graph as it was
  shapes::ValueTypes types;
};

struct BindOptions {
  bool splits_batches = false;  ///< the network's leading operators run sample by sample
  bool fuses_views = false;     ///< for a device that computes _mxinfer_view_chain
  bool packs_outputs = false;   ///< then: small outputs go to the process in one copy
};

/// Stage "bind": what depends on the shapes and dtypes of the inputs. Throws what inference throws.
Bound bind(const graph::Graph& graph, const std::vector<ops::TensorType>& inputs, const BindOptions& options);

/// Whether a node reads float16 that it computes in float32 (ops::Traits::float16).
bool is_widened(const graph::Graph& graph, const shapes::ValueTypes& types, std::size_t id);

/// Casts stand in front of such nodes and behind them. `types` are those of the graph before.
void widen_float16(graph::Graph& graph, const shapes::ValueTypes& types);

/// Whether halves_in_float32 has left open at an end of the network whether there is a cast.
bool has_open_ends(const graph::Graph& graph);
/// Casts stand there where dtypes differ, and nothing where they are the same.
graph::Graph resolve_ends(graph::Graph graph, const shapes::ValueTypes& types);

/// The graph with operators that only move elements, and element-wise ones around them, as
/// _mxinfer_view_chain; nothing if there are none to fuse. With `packs_outputs`, small outputs that they
/// compute are parts of one array.
std::optional<graph::Graph> fuse_views(const graph::Graph& graph, const std::vector<ops::TensorType>& inputs,
                                       const shapes::ValueTypes& types, bool packs_outputs);

}  // namespace mxinfer::passes

// Times every implementation of the nodes of a graph that have several.
//
//   for (const TunedChoice& choice : time_implementations(graph, types, {Target::avx2, 2}, arena, {})) ...
#pragma once

#include <mxinfer/tuning.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "base/threads/thread_arena.h"
#include "plan/plan.h"

namespace mxinfer::plan {

/// One choice for each shape, in the order of the nodes. Data are random. Packed weights are flushed from the
/// caches before each run, because in a network other layers' weights evict them. `inputs` as in make_plan;
/// `options` give target and threads; `arena` has the same number of threads. `progress` is called after each
/// shape.
std::vector<TunedChoice> time_implementations(
    const graph::Graph& graph, const std::vector<ops::TensorType>& inputs, const PlanOptions& options,
    ThreadArena& arena, const std::function<void(std::size_t done, std::size_t total)>& progress);

}  // namespace mxinfer::plan

// GraphPlans: the plans of a graph. One cache of them; or, where sizes depend on values, one for each part of
// the graph, the later ones planned for the sizes that the earlier ones gave.
//
//   GraphPlans plans(graph, max_plans, make_plan);
//   std::vector<Tensor> outputs = plans.run(inputs, arena);        // on any thread
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "exec/plan_cache.h"
#include "passes/cut_at_data.h"

namespace mxinfer::exec {

/// Makes a plan of a graph for inputs of these types.
using MakeGraphPlan = std::function<std::shared_ptr<const plan::Plan>(
    const graph::Graph& graph, const std::vector<ops::TensorType>& inputs)>;

/// Thread-safe.
class GraphPlans {
 public:
  /// `graph` must outlive it.
  GraphPlans(const graph::Graph& graph, std::size_t max_plans, const MakeGraphPlan& make);

  /// Whether one plan holds the whole graph, so that its outputs' types are known before it runs.
  bool is_whole() const { return parts_.size() == 1; }
  /// Of the whole graph, or of its first part.
  PlanCache& first() { return parts_.front().plans; }

  /// The types of the outputs, and what the plans are; where sizes depend on values, for the largest that
  /// they may be.
  std::vector<ops::TensorType> output_types(Span<const TensorView> inputs);
  PlanInfo info(Span<const TensorView> inputs);

  /// Runs all of it into new tensors.
  std::vector<Tensor> run(Span<const TensorView> inputs, ThreadArena& arena);

 private:
  struct CutPart {
    CutPart(std::unique_ptr<passes::Part> p, std::size_t max_plans, MakePlan make)
        : part(std::move(p)), plans(max_plans, std::move(make)) {}
    std::unique_ptr<passes::Part> part;  ///< nullptr where the graph was not cut
    PlanCache plans;
  };
  std::list<CutPart> parts_;

  /// The plan of each part, for the largest sizes.
  std::vector<std::shared_ptr<const plan::Plan>> largest(Span<const TensorView> inputs);
};

}  // namespace mxinfer::exec

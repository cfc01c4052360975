// What of a model computes on the CPU, though a GPU was asked for.
#pragma once

#include <mxinfer/plan_info.h>
#include <mxinfer/predictor.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace mxinfer::test {

/// Whether a step computes on the CPU, as PlanInfo::steps_on_cpu counts them. What runs inside of another
/// step does not count.
inline bool computes_on_cpu(const StepInfo& step) {
  const bool moves = step.kernel == "alias" || step.op.rfind("_mxinfer_copy_to_", 0) == 0;
  return step.device == "cpu" && !step.inner && !moves;
}

/// The operators of those steps, for inputs of these shapes.
inline std::set<std::string> operators_on_cpu(const Predictor& predictor,
                                              const std::map<std::string, Tensor>& inputs) {
  std::vector<NamedShape> shapes;
  for (const auto& [name, tensor] : inputs) shapes.push_back({name, tensor.shape()});
  std::set<std::string> names;
  for (const StepInfo& step : predictor.explain(shapes).steps) {
    if (computes_on_cpu(step)) names.insert(step.op);
  }
  return names;
}

}  // namespace mxinfer::test

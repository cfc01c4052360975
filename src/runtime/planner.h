// Planner: makes plans of a model's graphs, for one predictor's options.
//
//   Planner planner("model 'digits'", plan_options, weights);
//   auto plan = planner.plan(graph, {{DType::float32, {1, 1, 8, 8}}});
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace mxinfer::runtime {

/// "model 'digits' with data float32 (1, 1, 8, 8)": the prefix of errors from making a plan.
std::string describe_call(const std::string& subject, const graph::Graph& graph,
                          const std::vector<ops::TensorType>& inputs);

/// Immutable; thread-safe.
class Planner {
 public:
  /// `subject` names what is planned, for errors and the log; `weights` must outlive it.
  Planner(std::string subject, plan::PlanOptions options, plan::WeightStore& weights);

  const plan::PlanOptions& options() const { return options_; }
  /// PlanOptions::devices, or PlanOptions::device alone; none: plans run on the CPU.
  Span<const std::shared_ptr<device::Device>> devices() const { return {devices_.data(), devices_.size()}; }
  /// For devices()[device], or the CPU. Throws what make_plan throws, prefixed with describe_call().
  std::shared_ptr<const plan::Plan> plan(const graph::Graph& graph,
                                         const std::vector<ops::TensorType>& inputs,
                                         std::size_t device = 0) const;

  std::size_t weight_bytes_on(const device::Device& device) const { return weights_.bytes_on(device); }
  /// Releases the packed weights that no plan uses.
  void release_unused_weights() const { weights_.release_unused(); }

 private:
  std::string subject_;
  plan::PlanOptions options_;
  std::vector<std::shared_ptr<device::Device>> devices_;
  plan::WeightStore& weights_;
};

}  // namespace mxinfer::runtime

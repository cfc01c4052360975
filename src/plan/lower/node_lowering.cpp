#include "plan/lower/node_lowering.h"

#include <algorithm>

#include "base/fail.h"
#include "plan/run_plan.h"

namespace mxinfer::plan {
namespace {

// The plan of a subgraph, as the operator that holds it sees it.
class PlannedSubgraph : public ops::Subplan {
 public:
  explicit PlannedSubgraph(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}
  const std::vector<ops::TensorType>& outputs() const override { return plan_->outputs; }
  std::size_t workspace_bytes() const override { return plan::workspace_bytes(*plan_); }
  std::size_t thread_scratch_bytes() const override { return plan_->thread_scratch_bytes; }
  double flops() const override {
    double sum = 0;
    for (const PlannedStep& step : plan_->steps) sum += step.step.flops;
    return sum;
  }
  void run(const void* const* inputs, void* const* outputs, std::byte* workspace,
           const ops::RunContext& parent) const override {
    run_plan(*plan_, inputs, outputs, {workspace, parent.thread_scratch, parent.thread_scratch_stride});
  }

 private:
  std::shared_ptr<const Plan> plan_;
};

}  // namespace

const Tensor* keep_value(const Parameter& parameter, Plan& plan) {
  plan.parameters.push_back(parameter.value());
  return plan.parameters.back().get();
}

const std::byte* NodeLowering::packed_on_device(std::size_t i, const std::string& packing, std::size_t bytes,
                                                const Pack& pack, const DevicePack& on_device) {
  if (!parameter(i)) fail(ErrorCode::internal, "input ", i, " is no parameter and cannot be packed");
  packed_inputs_.insert(i);
  plan_.packed.add(weights_.packed(parameter(i), packing, bytes, pack, device_, on_device));
  return plan_.packed.all().back()->data();
}

std::shared_ptr<const ops::Subplan> NodeLowering::subplan(std::size_t k,
                                                          const std::vector<ops::TensorType>& inputs) {
  // Subtracts what the enclosing graph uses of the memory for Winograd's algorithm.
  PlanOptions options = this->options();
  options.max_winograd_bytes -= std::min(options.max_winograd_bytes, plan_.winograd_bytes);
  options.warnings.clear();
  options.device = nullptr;  // control flow runs on the CPU
  // Each thread has a sample of its own already.
  if (node().op->traits.runs_bodies_in_parallel) options.branches = Branches::never;
  plan_.subplans.push_back(make_plan(*node().subgraphs.at(k), inputs, options, weights_));
  const Plan& inner = *plan_.subplans.back();
  plan_.winograd_bytes += inner.winograd_bytes;
  // Allocated before the steps run, because exceptions must not be thrown inside their loops.
  for (const auto& weight : inner.packed.all()) plan_.packed.add(weight);
  plan_.tunable.insert(plan_.tunable.end(), inner.tunable.begin(), inner.tunable.end());
  return std::make_shared<PlannedSubgraph>(plan_.subplans.back());
}

bool NodeLowering::alias_strided(std::size_t o, std::size_t i, std::size_t offset, std::int64_t row_stride) {
  if (input(i).row_stride != 0 || !strides_.are_accepted({id(), static_cast<std::int32_t>(o)}, row_stride))
    return false;
  strides_.set({id(), static_cast<std::int32_t>(o)}, row_stride);
  alias(o, i, offset);
  return true;
}

}  // namespace mxinfer::plan

#include "runtime/planner.h"

#include "base/fail.h"

namespace mxinfer::runtime {

std::string describe_call(const std::string& subject, const graph::Graph& graph,
                          const std::vector<ops::TensorType>& inputs) {
  std::vector<std::string> names(inputs.size());
  for (const graph::Node& node : graph.nodes) {
    const auto index = static_cast<std::size_t>(node.input_index);
    if (node.is_variable() && node.input_index >= 0 && index < names.size()) names[index] = node.name;
  }
  std::string text = subject + " with";
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    text += concat(i > 0 ? ", " : " ", printable(names[i]), " ", ops::to_string(inputs[i]));
  }
  return text;
}

Planner::Planner(std::string subject, plan::PlanOptions options, plan::WeightStore& weights)
    : subject_(std::move(subject)), options_(std::move(options)), weights_(weights) {
  if (options_.device == nullptr) return;
  if (options_.devices.empty()) options_.devices.push_back({options_.device, options_.backend});
  for (const ops::OpenedDevice& opened : options_.devices) devices_.push_back(opened.device);
}

std::shared_ptr<const plan::Plan> Planner::plan(const graph::Graph& graph,
                                                const std::vector<ops::TensorType>& inputs,
                                                std::size_t device) const {
  const std::string origin = describe_call(subject_, graph, inputs);
  const auto plan_on = [&](const plan::PlanOptions& options) {
    return in_context([&] { return origin; },
                      [&] { return plan::make_plan(graph, inputs, options, weights_, origin); });
  };
  if (device == 0) return plan_on(options_);
  plan::PlanOptions options = options_;
  options.device = options_.devices[device].device;
  options.backend = options_.devices[device].backend;
  return plan_on(options);
}

}  // namespace mxinfer::runtime

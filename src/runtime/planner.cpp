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

std::shared_ptr<const plan::Plan> Planner::plan(const graph::Graph& graph,
                                                const std::vector<ops::TensorType>& inputs) const {
  const std::string origin = describe_call(subject_, graph, inputs);
  return in_context([&] { return origin; },
                    [&] { return plan::make_plan(graph, inputs, options_, weights_, origin); });
}

}  // namespace mxinfer::runtime

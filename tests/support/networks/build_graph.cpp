#include "support/networks/build_graph.h"

#include "base/fail.h"
#include "ops/registry.h"
#include "plan/plan.h"
#include "runtime/executor.h"

namespace mxinfer::test {

graph::Value GraphBuilder::input(const std::string& name) {
  graph::Node node;
  node.name = name;
  node.input_index = inputs_++;
  return {graph::append(graph_, std::move(node)), 0};
}

graph::Value GraphBuilder::parameter(const std::string& name, Tensor value) {
  graph::Node node;
  node.name = name;
  node.constant = make_parameter(std::move(value));
  return {graph::append(graph_, std::move(node)), 0};
}

graph::Value GraphBuilder::op(const std::string& op, const std::map<std::string, std::string>& attrs,
                              const std::vector<graph::Value>& inputs, const std::string& name) {
  graph::Node node;
  node.op = ops::find_op(op);
  if (node.op == nullptr) fail(ErrorCode::unsupported, "operator ", op, " is not there");
  node.op_name = op;
  node.name = name.empty() ? op + std::to_string(graph_.nodes.size()) : name;
  node.raw_attrs = attrs;
  node.attrs = graph::parse_attrs(node.op->attrs, attrs);
  node.inputs = inputs;
  node.num_outputs = static_cast<std::int32_t>(ops::output_ports(*node.op, node.attrs).names.size());
  return {graph::append(graph_, std::move(node)), 0};
}

std::vector<Tensor> run_graph(const graph::Graph& graph, const std::vector<const Tensor*>& inputs,
                              const RunGraphOptions& options) {
  std::vector<ops::TensorType> types;
  std::vector<const void*> from;
  for (const Tensor* input : inputs) {
    types.push_back({input->dtype(), input->shape()});
    from.push_back(input->raw());
  }
  plan::WeightStore weights;
  plan::PlanOptions how{options.target, options.threads};
  how.branches = options.branches;
  runtime::Executor executor(plan::make_plan(graph, types, how, weights));
  for (const StepInfo& step : executor.plan().info.steps) {
    if (options.kernels != nullptr) options.kernels->emplace(step.node, step.kernel);
  }
  std::vector<Tensor> outputs;
  std::vector<void*> to;
  for (const auto& type : executor.plan().outputs) outputs.emplace_back(type.dtype, type.shape);
  for (Tensor& output : outputs) to.push_back(output.raw());
  ThreadArena threads(options.threads);
  executor.run(from.data(), to.data(), threads);
  return outputs;
}

std::vector<std::string> op_names(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Node& node : graph.nodes) {
    if (node.op != nullptr) names.push_back(node.op->name);
  }
  return names;
}

}  // namespace mxinfer::test

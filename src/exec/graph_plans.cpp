#include "exec/graph_plans.h"

#include <algorithm>
#include <iterator>

#include "base/fail.h"
#include "ops/op_def.h"
#include "plan/predict_times.h"

namespace mxinfer::exec {
namespace {

bool depends_on_data(const graph::Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const graph::Node& node) {
    if (node.op != nullptr && node.op->bounded_form != nullptr) return true;
    return std::any_of(node.subgraphs.begin(), node.subgraphs.end(),
                       [](const auto& subgraph) { return depends_on_data(*subgraph); });
  });
}

MakePlan of(const graph::Graph& graph, const MakeGraphPlan& make) {
  return [&graph, make](const std::vector<ops::TensorType>& types) { return make(graph, types); };
}

std::vector<Tensor> run_one(PlanCache& plans, Span<const TensorView> inputs, ThreadArena& arena) {
  auto lease = plans.lease(inputs);
  std::vector<Tensor> outputs;
  std::vector<const void*> from;
  std::vector<void*> to;
  const plan::Plan& plan = lease->plan();
  in_context([&] { return plan.origin + kTrail + "the memory of its outputs"; },
             [&] {
               for (const auto& type : plan.outputs)
                 outputs.push_back(Tensor::uninitialized(type.dtype, type.shape));
             });
  for (const TensorView& input : inputs) from.push_back(input.raw());
  for (Tensor& output : outputs) to.push_back(output.raw());
  lease->run(from.data(), to.data(), arena);
  return outputs;
}

// What the next part reads: the heads of a part, cut to the rows that they have.
std::vector<TensorView> cut_to_rows(const std::vector<Tensor>& heads, const std::vector<std::int32_t>& rows) {
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Shape shape = heads[i].shape();
    if (rows[i] >= 0) shape[0] = heads[static_cast<std::size_t>(rows[i])].data<std::int64_t>()[0];
    views.emplace_back(heads[i].dtype(), shape, heads[i].raw());
  }
  return views;
}

}  // namespace

GraphPlans::GraphPlans(const graph::Graph& graph, std::size_t max_plans, const MakeGraphPlan& make) {
  if (!depends_on_data(graph)) {
    parts_.emplace_back(nullptr, max_plans, of(graph, make));
    return;
  }
  for (passes::Part& cut : passes::cut_at_data(graph)) {
    auto part = std::make_unique<passes::Part>(std::move(cut));
    const graph::Graph& own = part->graph;
    parts_.emplace_back(std::move(part), max_plans, of(own, make));
  }
}

std::vector<std::shared_ptr<const plan::Plan>> GraphPlans::largest(Span<const TensorView> inputs) {
  std::vector<std::shared_ptr<const plan::Plan>> plans;
  std::vector<TensorView> views(inputs.begin(), inputs.end());
  for (CutPart& part : parts_) {
    plans.push_back(part.plans.plan(Span<const TensorView>(views)));
    if (!part.part) continue;
    views.clear();
    for (std::size_t i = 0; i < part.part->rows.size(); ++i) {
      const ops::TensorType& type = plans.back()->outputs[i];
      views.emplace_back(type.dtype, type.shape, nullptr);
    }
  }
  return plans;
}

std::vector<ops::TensorType> GraphPlans::output_types(Span<const TensorView> inputs) {
  return largest(inputs).back()->outputs;
}

PlanInfo GraphPlans::info(Span<const TensorView> inputs) {
  PlanInfo all;
  for (const auto& plan : largest(inputs)) {
    const PlanInfo info = plan::predicted_info(*plan);
    if (all.steps.empty()) {
      all = info;
      continue;
    }
    all.steps.insert(all.steps.end(), info.steps.begin(), info.steps.end());
    all.arena_bytes += info.arena_bytes;
    all.intermediate_bytes += info.intermediate_bytes;
    all.packed_weight_bytes += info.packed_weight_bytes;
  }
  return all;
}

std::vector<Tensor> GraphPlans::run(Span<const TensorView> inputs, ThreadArena& arena) {
  std::vector<Tensor> outputs = run_one(first(), inputs, arena);
  for (auto part = parts_.begin(); std::next(part) != parts_.end(); ++part) {
    const std::vector<TensorView> views = cut_to_rows(outputs, part->part->rows);
    std::vector<Tensor> next = run_one(std::next(part)->plans, Span<const TensorView>(views), arena);
    outputs = std::move(next);
  }
  return outputs;
}

}  // namespace mxinfer::exec

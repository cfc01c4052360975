#include "runtime/graph_executor.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/fail.h"
#include "ops/op_def.h"
#include "plan/schedule/predict_times.h"

namespace mxinfer::runtime {
namespace {

bool depends_on_data(const graph::Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const graph::Node& node) {
    if (node.op != nullptr && node.op->bounded_form != nullptr) return true;
    return std::any_of(node.subgraphs.begin(), node.subgraphs.end(),
                       [](const auto& subgraph) { return depends_on_data(*subgraph); });
  });
}

// Operand addresses of one call; networks with more inputs or outputs than fit here are rare, and pay an
// allocation.
template <typename T>
class Addresses {
 public:
  template <typename Tensors>
  explicit Addresses(Tensors& tensors) {
    if (tensors.size() > kInPlace) heap_.resize(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) data()[i] = tensors[i].raw();
  }
  T* data() { return heap_.empty() ? local_ : heap_.data(); }

 private:
  static constexpr std::size_t kInPlace = 16;
  T local_[kInPlace] = {};
  std::vector<T> heap_;
};

template <typename Outputs>
void run_plan(PlanCache::Lease& lease, Span<const TensorView> inputs, Outputs& outputs, ThreadArena& arena) {
  lease->run(Addresses<const void*>(inputs).data(), Addresses<void*>(outputs).data(), arena);
}

std::vector<Tensor> new_outputs(const plan::Plan& plan) {
  std::vector<Tensor> outputs;
  in_context([&] { return plan.origin + kTrail + "the memory of its outputs"; },
             [&] {
               for (const auto& type : plan.outputs)
                 outputs.push_back(Tensor::uninitialized(type.dtype, type.shape));
             });
  return outputs;
}

std::vector<Tensor> run_one(PlanCache& plans, Span<const TensorView> inputs, ThreadArena& arena) {
  auto lease = plans.lease(inputs);
  return GraphExecutor::run(lease, inputs, arena);
}

// The inputs of the next part: the heads of a part, with their actual sizes.
std::vector<TensorView> cut_to_sizes(const std::vector<Tensor>& heads,
                                     const std::vector<passes::Part::Sizes>& sizes) {
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Shape shape = heads[i].shape();
    if (sizes[i].head >= 0) {
      const Tensor& all = heads[static_cast<std::size_t>(sizes[i].head)];
      const std::int64_t* own = all.data<std::int64_t>() + sizes[i].row * all.shape()[1];
      for (std::size_t d = 0; d < shape.rank(); ++d) shape[d] = own[d];
    }
    views.emplace_back(heads[i].dtype(), shape, heads[i].raw());
  }
  return views;
}

}  // namespace

GraphExecutor::GraphExecutor(const graph::Graph& graph, const std::shared_ptr<MemoryBudget>& memory,
                             const Planner& planner) {
  if (!depends_on_data(graph)) {
    parts_.emplace_back(nullptr, memory, planner, graph);
    return;
  }
  for (passes::Part& cut : passes::cut_at_data(graph)) {
    auto part = std::make_unique<passes::Part>(std::move(cut));
    const graph::Graph& own = part->graph;
    parts_.emplace_back(std::move(part), memory, planner, own);
  }
}

std::vector<std::shared_ptr<const plan::Plan>> GraphExecutor::largest(Span<const TensorView> inputs) {
  std::vector<std::shared_ptr<const plan::Plan>> plans;
  std::vector<TensorView> views(inputs.begin(), inputs.end());
  for (CutPart& part : parts_) {
    plans.push_back(part.plans.plan(Span<const TensorView>(views)));
    if (!part.part) continue;
    views.clear();
    for (std::size_t i = 0; i < part.part->sizes.size(); ++i) {
      const ops::TensorType& type = plans.back()->outputs[i];
      views.emplace_back(type.dtype, type.shape, nullptr);
    }
  }
  return plans;
}

std::vector<ops::TensorType> GraphExecutor::output_types(Span<const TensorView> inputs) {
  return largest(inputs).back()->outputs;
}

PlanInfo GraphExecutor::info(Span<const TensorView> inputs) {
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

std::vector<Tensor> GraphExecutor::run(Span<const TensorView> inputs, ThreadArena& arena) {
  std::vector<Tensor> outputs = run_one(first(), inputs, arena);
  for (auto part = parts_.begin(); std::next(part) != parts_.end(); ++part) {
    const std::vector<TensorView> views = cut_to_sizes(outputs, part->part->sizes);
    std::vector<Tensor> next = run_one(std::next(part)->plans, Span<const TensorView>(views), arena);
    outputs = std::move(next);
  }
  return outputs;
}

std::vector<Tensor> GraphExecutor::run(PlanCache::Lease& lease, Span<const TensorView> inputs,
                                       ThreadArena& arena) {
  std::vector<Tensor> outputs = new_outputs(lease->plan());
  run_plan(lease, inputs, outputs, arena);
  return outputs;
}

void GraphExecutor::run_into(PlanCache::Lease& lease, Span<const TensorView> inputs,
                             Span<const MutableTensorView> outputs, ThreadArena& arena) {
  run_plan(lease, inputs, outputs, arena);
}

bool GraphExecutor::start(PlanCache::Lease& lease, Span<const TensorView> inputs, ThreadArena& arena,
                          Resume resume) {
  if (!lease->can_start()) return false;
  lease->start(Addresses<const void*>(inputs).data(), arena, resume);
  return true;
}

void GraphExecutor::run_into(Span<const TensorView> inputs, Span<const MutableTensorView> outputs,
                             ThreadArena& arena,
                             FunctionRef<void(const std::vector<ops::TensorType>&)> check) {
  if (is_whole()) {
    auto lease = first().lease(inputs);
    check(lease->plan().outputs);
    run_plan(lease, inputs, outputs, arena);
    return;
  }
  const std::vector<Tensor> made = run(inputs, arena);
  std::vector<ops::TensorType> types;
  for (const Tensor& tensor : made) types.push_back({tensor.dtype(), tensor.shape()});
  check(types);
  copy_all(made, outputs);
}

std::optional<PlanCache::Lease> GraphExecutor::start(
    Span<const TensorView> inputs, ThreadArena& arena, Resume resume,
    FunctionRef<void(const std::vector<ops::TensorType>&)> check) {
  if (!may_start()) return std::nullopt;
  auto lease = first().lease(inputs);
  if (!lease->can_start()) return std::nullopt;
  check(lease->plan().outputs);
  start(lease, inputs, arena, resume);
  return lease;
}

std::vector<Tensor> GraphExecutor::finish(PlanCache::Lease& started) {
  std::vector<Tensor> outputs = new_outputs(started->plan());
  started->finish(Addresses<void*>(outputs).data());
  return outputs;
}

void GraphExecutor::finish_into(PlanCache::Lease& started, Span<const MutableTensorView> outputs) {
  started->finish(Addresses<void*>(outputs).data());
}

void GraphExecutor::enqueue_in(void* native_stream, Span<const TensorView> inputs,
                               Span<const MutableTensorView> outputs, ThreadArena& arena,
                               FunctionRef<void(const std::vector<ops::TensorType>&)> check) {
  auto lease = first().lease(inputs);
  check(lease->plan().outputs);
  lease->enqueue_in(native_stream, Addresses<const void*>(inputs).data(), Addresses<void*>(outputs).data(),
                    arena);
}

void copy_all(const std::vector<Tensor>& from, Span<const MutableTensorView> to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].bytes() > 0) std::memcpy(to[i].raw(), from[i].raw(), from[i].bytes());
  }
}

void GraphExecutor::add_to(PredictorStats& stats) {
  for (CutPart& part : parts_) part.plans.add_to(stats);
}

}  // namespace mxinfer::runtime

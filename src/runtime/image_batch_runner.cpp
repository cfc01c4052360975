#include "runtime/image_batch_runner.h"

#include <algorithm>

#include "base/fail.h"
#include "ops/image/image_batch.h"
#include "ops/is_op.h"

namespace mxinfer::runtime {
namespace {

const graph::Node& chain_of(const passes::ItemStage& stage) {
  return stage.graph.nodes.back();
}

bool is_one_chain(const passes::ItemStage& stage) {
  const auto& nodes = stage.graph.nodes;
  if (nodes.size() != 2 || !nodes[0].is_variable() || nodes[0].constant) return false;
  const graph::Node& chain = nodes[1];
  return ops::is_op(chain, "_mxinfer_image_chain") && stage.graph.heads.size() == 1 &&
         stage.graph.heads[0].node == 1 && chain.post_ops.inputs() == 0 &&
         chain.post_ops.activation == graph::Activation::none && chain.attrs.text("first") != "none";
}

bool has_one_input(const graph::Graph& graph, const std::string& name) {
  const auto is_input = [](const graph::Node& node) { return node.is_variable() && !node.constant; };
  const auto first = std::find_if(graph.nodes.begin(), graph.nodes.end(), is_input);
  return std::count_if(graph.nodes.begin(), graph.nodes.end(), is_input) == 1 && first->name == name;
}

/// The rest behind one node that takes packed images.
graph::Graph joined(const passes::ItemStage& stage, const graph::Graph& rest, const Shape& like) {
  passes::Stages stages;
  passes::ItemStage& item = stages.items.emplace_back();
  item.input = stage.input;
  item.rest_input = stage.rest_input;
  graph::Node packed;
  packed.name = stage.input;
  packed.input_index = 0;
  const std::int32_t input = graph::append(item.graph, std::move(packed));
  const std::int32_t batch =
      graph::append(item.graph, ops::image_batch_node(chain_of(stage), like, {input, 0}));
  item.graph.heads = {{batch, 0}};
  stages.rest = rest;
  return passes::join_stages(stages);
}

/// Rounded up, so that batches of similar sizes have one plan: by less than a quarter.
std::size_t bytes_of_plan(std::size_t bytes) {
  std::size_t step = 4096;
  while (step * 8 <= bytes) step *= 2;
  return (bytes + step - 1) / step * step;
}

}  // namespace

ImageBatch::ImageBatch(GraphExecutor& executor, const Shape& shape)
    : executor_(executor), shape_(shape), may_start_(executor.may_start()) {
  if (executor.is_whole()) {
    const TensorView type(DType::uint8, shape, nullptr);
    lease_.emplace(executor.lease({&type, 1}));
    memory_ = static_cast<std::byte*>((*lease_)->staged_input(0));
    if (memory_ != nullptr) return;
    lease_.reset();
  }
  packed_ = Tensor::uninitialized(DType::uint8, shape);
  memory_ = static_cast<std::byte*>(packed_.raw());
}

std::vector<Tensor> ImageBatch::run(ThreadArena& arena) {
  const TensorView input = view();
  return lease_ ? GraphExecutor::run(*lease_, {&input, 1}, arena) : executor_.run({&input, 1}, arena);
}

void ImageBatch::run_into(Span<const MutableTensorView> outputs, ThreadArena& arena,
                          FunctionRef<void(const std::vector<ops::TensorType>&)> check) {
  const TensorView input = view();
  if (!lease_) return executor_.run_into({&input, 1}, outputs, arena, check);
  check((*lease_)->plan().outputs);
  GraphExecutor::run_into(*lease_, {&input, 1}, outputs, arena);
}

std::optional<PlanCache::Lease> ImageBatch::start(ThreadArena& arena, Resume resume) {
  const TensorView input = view();
  if (!lease_ || !may_start_ || !GraphExecutor::start(*lease_, {&input, 1}, arena, resume))
    return std::nullopt;
  return std::move(lease_);
}

std::unique_ptr<ImageBatchRunner> ImageBatchRunner::make(const passes::ItemStage& stage,
                                                         const graph::Graph& rest,
                                                         const std::shared_ptr<MemoryBudget>& memory,
                                                         const Planner& planner) {
  const auto& device = planner.options().device;
  const bool fits = device != nullptr && device->kind() == device::Kind::cuda && is_one_chain(stage) &&
                    has_one_input(rest, stage.rest_input);
  return fits ? std::make_unique<ImageBatchRunner>(stage, rest, memory, planner) : nullptr;
}

ImageBatchRunner::ImageBatchRunner(const passes::ItemStage& stage, const graph::Graph& rest,
                                   const std::shared_ptr<MemoryBudget>& memory, const Planner& planner)
    : stage_(stage), rest_(rest), memory_(memory), planner_(planner) {}

GraphExecutor* ImageBatchRunner::executor_of(const ops::TensorType& row, const Shape& like) {
  const std::lock_guard lock(mutex_);
  for (Network& network : networks_) {
    if (network.row == row) return &network.executor;
  }
  if (networks_.size() == kMostNetworks) return nullptr;
  networks_.emplace_back(row, joined(stage_, rest_, like), memory_, planner_);
  return &networks_.back().executor;
}

std::optional<ImageBatchRunner::Batch> ImageBatchRunner::pack(std::vector<TensorView> images,
                                                              BatchRunner& runner) try {
  const std::size_t count = images.size();
  const ops::PackedImages packed(chain_of(stage_).attrs, std::move(images));
  GraphExecutor* const executor = executor_of(packed.row(), packed.like());
  if (executor == nullptr) return std::nullopt;
  const std::size_t each = bytes_of_plan((packed.bytes() + count - 1) / count);
  const Shape shape{static_cast<std::int64_t>(count), static_cast<std::int64_t>(each)};
  // Plans it, too, so that a network that does not take the rows has the error of its own input.
  std::optional<Batch> batch(std::in_place, *executor, shape);
  runner.for_each(
      count, [&](std::size_t i) { packed.write(i, batch->memory()); }, nullptr);
  return batch;
} catch (const Error& error) {
  // The device's own errors are no reason to try it another way.
  for (const ErrorCode code : {ErrorCode::device, ErrorCode::cancelled, ErrorCode::out_of_memory}) {
    if (error.code() == code) throw;
  }
  return std::nullopt;
}

}  // namespace mxinfer::runtime

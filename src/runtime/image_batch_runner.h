// ImageBatchRunner: runs a network on images of any sizes whose transforms are one chain of image operators,
// on a GPU. The pixels of a batch are packed as they are, uint8: one copy takes them to the device, and one
// kernel transforms all of them into the network's input (ops/image/image_batch.h).
//
//   auto runner = ImageBatchRunner::make(stage, stages.rest, memory, planner);     // null: there is none
//   if (auto batch = runner->pack(images, batch_runner)) outputs = batch->run(arena);
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "passes/load/stages.h"
#include "runtime/batch_runner.h"
#include "runtime/graph_executor.h"

namespace mxinfer::runtime {

/// Images that are packed as the only input of an executor: in its staging memory, if it has any.
class ImageBatch {
 public:
  /// Room for the images, of this type.
  ImageBatch(GraphExecutor& executor, const Shape& shape);
  std::byte* memory() const { return memory_; }

  /// As GraphExecutor's.
  std::vector<Tensor> run(ThreadArena& arena);
  void run_into(Span<const MutableTensorView> outputs, ThreadArena& arena,
                FunctionRef<void(const std::vector<ops::TensorType>&)> check);
  std::optional<PlanCache::Lease> start(ThreadArena& arena, Resume resume);

 private:
  GraphExecutor& executor_;
  Shape shape_;
  bool may_start_;
  std::optional<PlanCache::Lease> lease_{};  ///< whose staging memory it is
  Tensor packed_{};                          ///< without one
  std::byte* memory_ = nullptr;

  TensorView view() const { return {DType::uint8, shape_, memory_}; }
};

/// Thread-safe.
class ImageBatchRunner {
 public:
  /// Null unless the planner's device is a GPU, the stage is one chain that gives floats, and the rest has
  /// one input. All of them must outlive it.
  static std::unique_ptr<ImageBatchRunner> make(const passes::ItemStage& stage, const graph::Graph& rest,
                                                const std::shared_ptr<MemoryBudget>& memory,
                                                const Planner& planner);
  ImageBatchRunner(const passes::ItemStage& stage, const graph::Graph& rest,
                   const std::shared_ptr<MemoryBudget>& memory, const Planner& planner);

  using Batch = ImageBatch;
  /// Images of (height, width, channels). Nothing if they are not uint8, or do not become rows of one type
  /// that the network takes: the transforms then run one by one, and report the error.
  std::optional<Batch> pack(std::vector<TensorView> images, BatchRunner& runner);

  /// Calls body(executor) for each executor.
  template <typename Body>
  void for_each(const Body& body) {
    const std::lock_guard lock(mutex_);
    for (Network& network : networks_) body(network.executor);
  }

 private:
  /// Behind images that become one type of row.
  struct Network {
    Network(const ops::TensorType& r, graph::Graph g, const std::shared_ptr<MemoryBudget>& memory,
            const Planner& planner)
        : row(r), graph(std::move(g)), executor(graph, memory, planner) {}
    ops::TensorType row;
    graph::Graph graph;
    GraphExecutor executor;
  };
  /// More types of rows, of a network that takes images of many sizes, are transformed one by one.
  static constexpr std::size_t kMostNetworks = 8;

  GraphExecutor* executor_of(const ops::TensorType& row, const Shape& like);

  const passes::ItemStage& stage_;
  const graph::Graph& rest_;
  std::shared_ptr<MemoryBudget> memory_;
  const Planner& planner_;
  std::mutex mutex_;
  std::list<Network> networks_;
};

}  // namespace mxinfer::runtime

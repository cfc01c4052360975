// GraphExecutor: runs a graph. It keeps one cache of plans, or, if sizes depend on values, one for each part
// of the graph; later parts are planned for the sizes that earlier ones gave.
//
//   GraphExecutor executor(graph, memory, planner);
//   std::vector<Tensor> outputs = executor.run(inputs, arena);        // on any thread
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "passes/bind/cut_at_data.h"
#include "runtime/plan_cache.h"

namespace mxinfer::runtime {

/// Thread-safe.
class GraphExecutor {
 public:
  /// Graph and planner must outlive it.
  GraphExecutor(const graph::Graph& graph, const std::shared_ptr<MemoryBudget>& memory,
                const Planner& planner);

  /// Whether one plan holds the whole graph, so that its outputs' types are known before it runs.
  bool is_whole() const { return parts_.size() == 1; }

  /// The types of the outputs, and the plans; if sizes depend on values, for the largest possible ones.
  std::vector<ops::TensorType> output_types(Span<const TensorView> inputs);
  PlanInfo info(Span<const TensorView> inputs);

  /// Runs all of it into new tensors.
  std::vector<Tensor> run(Span<const TensorView> inputs, ThreadArena& arena);
  /// Runs all of it into the caller's memory, after `check` has compared it with the outputs' types.
  void run_into(Span<const TensorView> inputs, Span<const MutableTensorView> outputs, ThreadArena& arena,
                FunctionRef<void(const std::vector<ops::TensorType>&)> check);

  /// An executor for inputs of these types, for callers that write the inputs to its staging memory. Of a
  /// graph that is_whole().
  PlanCache::Lease lease(Span<const TensorView> inputs) { return first().lease(inputs); }
  /// Runs it into new tensors, or into those of the caller.
  static std::vector<Tensor> run(PlanCache::Lease& lease, Span<const TensorView> inputs, ThreadArena& arena);
  static void run_into(PlanCache::Lease& lease, Span<const TensorView> inputs,
                       Span<const MutableTensorView> outputs, ThreadArena& arena);
  /// The first half of run(), as below. False unless the plan runs on its device alone.
  static bool start(PlanCache::Lease& lease, Span<const TensorView> inputs, ThreadArena& arena,
                    Resume resume);

  /// Whether start() may begin another call: at most as many calls continue without a thread as executors are
  /// kept. Others wait for a thread, and thereby for memory.
  bool may_start() { return is_whole() && first().has_room(); }
  /// The first half of run() or run_into(), which goes on without a thread (Executor::start); nothing unless
  /// may_start(), and one plan holds the whole graph, and runs on its device alone.
  std::optional<PlanCache::Lease> start(Span<const TensorView> inputs, ThreadArena& arena, Resume resume,
                                        FunctionRef<void(const std::vector<ops::TensorType>&)> check);
  /// The second half, once `resume` was called.
  static std::vector<Tensor> finish(PlanCache::Lease& started);
  static void finish_into(PlanCache::Lease& started, Span<const MutableTensorView> outputs);

  /// Of a graph that is_whole(), whose plans have their operands on the device: enqueues it in a stream of
  /// the caller's.
  void enqueue_in(void* native_stream, Span<const TensorView> inputs, Span<const MutableTensorView> outputs,
                  ThreadArena& arena, FunctionRef<void(const std::vector<ops::TensorType>&)> check);

  /// As PlanCache's, of all parts.
  void add_to(PredictorStats& stats);

 private:
  /// Of the whole graph, or of its first part.
  PlanCache& first() { return parts_.front().plans; }

  struct CutPart {
    CutPart(std::unique_ptr<passes::Part> p, const std::shared_ptr<MemoryBudget>& memory,
            const Planner& planner, const graph::Graph& graph)
        : part(std::move(p)), plans(memory, planner, graph) {}
    std::unique_ptr<passes::Part> part;  ///< nullptr if the graph was not cut
    PlanCache plans;
  };
  std::list<CutPart> parts_;

  /// The plan of each part, for the largest sizes.
  std::vector<std::shared_ptr<const plan::Plan>> largest(Span<const TensorView> inputs);
};

/// Copies the elements of each; the types are the same.
void copy_all(const std::vector<Tensor>& from, Span<const MutableTensorView> to);

}  // namespace mxinfer::runtime

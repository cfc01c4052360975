// ItemRunner: takes one item of an input, such as an image of any size or the bytes of a JPEG, through the
// input's transforms, up to the place where items become a batch.
//
//   ItemRunner runner(stage, memory, planner);
//   Tensor row = runner.run(image, arena);        // (1, 3, 224, 224), on any thread
#pragma once

#include <mxinfer/tensor.h>

#include "passes/load/stages.h"
#include "runtime/plan_cache.h"

namespace mxinfer::runtime {

/// Thread-safe. Keeps a plan for each size of item it has seen lately.
class ItemRunner {
 public:
  /// Stage and planner must outlive the runner.
  ItemRunner(const passes::ItemStage& stage, const std::shared_ptr<MemoryBudget>& memory,
             const Planner& planner)
      : stage_(stage), plans_(memory, planner, stage.graph) {}

  /// `item` without a batch: (height, width, channels), or the bytes that the stage's reader takes; an item
  /// of three dimensions is past the reader. Returns one row of the batch, (1, ...).
  Tensor run(const TensorView& item, ThreadArena& arena);

  /// The same of pixels, into memory of the caller. Precondition: transforms make rows of that type.
  void run_into(const TensorView& item, const MutableTensorView& row, ThreadArena& arena);

  PlanCache& plans() { return plans_; }

 private:
  Tensor run_graph(const TensorView& item, ThreadArena& arena);

  const passes::ItemStage& stage_;
  PlanCache plans_;
};

}  // namespace mxinfer::runtime

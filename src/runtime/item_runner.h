// ItemRunner: runs an input's transforms on one item, such as an image of any size or the bytes of a JPEG, up
// to the point where items become a batch.
//
//   ItemRunner runner(stage, memory, planner);
//   Tensor row = runner.run(image, arena);        // (1, 3, 224, 224), on any thread
#pragma once

#include <mxinfer/tensor.h>
#include <mxinfer/vision/image.h>

#include <optional>

#include "passes/load/stages.h"
#include "runtime/plan_cache.h"

namespace mxinfer::runtime {

/// Thread-safe. Keeps a plan for each recent size of items.
class ItemRunner {
 public:
  /// Stage and planner must outlive the runner.
  ItemRunner(const passes::ItemStage& stage, const std::shared_ptr<MemoryBudget>& memory,
             const Planner& planner)
      : stage_(stage), plans_(memory, planner, stage.graph) {}

  /// `item` without a batch: (height, width, channels), or the bytes that the stage's reader takes; an item
  /// of three dimensions is past the reader. Returns one row of the batch, (1, ...).
  Tensor run(const TensorView& item, ThreadArena& arena);

  /// The same for pixels, into the caller's memory. Precondition: the transforms give rows of that type.
  void run_into(const TensorView& item, const MutableTensorView& row, ThreadArena& arena);

  /// The pixels of an item that the stage's reader takes; nothing if it is pixels already.
  std::optional<Image> read(const TensorView& item) const;

  PlanCache& plans() { return plans_; }

 private:
  Tensor run_graph(const TensorView& item, ThreadArena& arena);

  const passes::ItemStage& stage_;
  PlanCache plans_;
};

}  // namespace mxinfer::runtime

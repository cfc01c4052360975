// Preprocessor: turns images of any sizes into a network's input by transforms.
//
//   Preprocessor preprocessor(options.preprocess, input, plan_options, memory);
//   Tensor batch = preprocessor.batch_of(images, runner, nullptr);        // (images, 3, 224, 224)
#pragma once

#include <mxinfer/item_error.h>
#include <mxinfer/tensor.h>
#include <mxinfer/vision/preprocess.h>

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "passes/load/stages.h"
#include "plan/plan.h"
#include "runtime/batch_runner.h"
#include "runtime/item_runner.h"

namespace mxinfer::api {

/// Thread-safe. Keeps a plan for each recent size of images.
class Preprocessor {
 public:
  /// `plan_options` are of the plans, `memory` is where they are counted. Throws as check_preprocess().
  Preprocessor(const Preprocess& options, const ImageInput& input, const plan::PlanOptions& plan_options,
               const std::shared_ptr<runtime::MemoryBudget>& memory);
  Preprocessor(const Preprocessor&) = delete;
  Preprocessor& operator=(const Preprocessor&) = delete;

  /// The transforms of an image.
  const passes::ItemStage& stage() const { return stage_; }

  /// A batch with a sample for each image; samples of invalid images are 0.
  Tensor batch_of(Span<const Image> images, runtime::BatchRunner& runner, std::vector<ItemError>* errors);
  /// The same of image_of(i) for each i below count. A thread asks for an image when it has preprocessed the
  /// one before, so that few of them are in memory.
  using ImageOf = FunctionRef<Image(std::size_t item)>;
  Tensor batch_of(std::size_t count, ImageOf image_of, runtime::BatchRunner& runner,
                  std::vector<ItemError>* errors);

 private:
  ImageInput input_;
  plan::WeightStore weights_;
  runtime::Planner planner_;
  passes::ItemStage stage_;
  runtime::ItemRunner items_;
};

}  // namespace mxinfer::api

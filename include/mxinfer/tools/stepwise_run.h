// StepwiseRun: runs one prediction in parts, for programs that do other work in between or show progress.
//
//   mxinfer::StepwiseRun run(predictor, views);
//   for (std::size_t i = 0; i < run.steps(); ++i) {
//     run.run_until(i + 1);
//     draw_next_frame();
//   }
//   std::vector<mxinfer::Tensor> outputs = run.take_outputs();
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tensor.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// A prediction that runs step by step. Use an object from one thread at a time. It has its own workspace.
class MXINFER_API StepwiseRun {
 public:
  /// Makes the plan. `inputs` has one view for each input of the model, in order. They are borrowed until the
  /// last step has run. Throws as Predictor::predict.
  StepwiseRun(const Predictor& predictor, const TensorViews& inputs);
  ~StepwiseRun();
  StepwiseRun(StepwiseRun&&) noexcept;
  StepwiseRun& operator=(StepwiseRun&&) noexcept;

  /// Returns how many steps there are, at least one. A model whose images go through transforms one by one,
  /// or whose sizes depend on values, is one step.
  [[nodiscard]] std::size_t steps() const noexcept;
  /// Returns how many steps have run.
  [[nodiscard]] std::size_t done() const noexcept;
  /// Runs steps until `step` of them have run in total. Throws as Predictor::predict; the run has then ended
  /// without outputs.
  void run_until(std::size_t step);
  /// Runs the remaining steps and returns the outputs, which have the same bits as those of
  /// Predictor::predict. Throws Error(invalid_argument) if the outputs were taken already or the run has
  /// failed.
  [[nodiscard]] std::vector<Tensor> take_outputs();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

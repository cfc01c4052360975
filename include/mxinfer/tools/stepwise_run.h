// StepwiseRun: one prediction, a part at a time: for programs that do other work in between, or show how far
// it is.
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

/// One object is for one thread at a time. It holds a workspace of its own.
class MXINFER_API StepwiseRun {
 public:
  /// Borrows the inputs, one for each of the model's, in order, until the last step has run. Makes the plan.
  /// Errors as Predictor::predict.
  StepwiseRun(const Predictor& predictor, const TensorViews& inputs);
  ~StepwiseRun();
  StepwiseRun(StepwiseRun&&) noexcept;
  StepwiseRun& operator=(StepwiseRun&&) noexcept;

  /// How many steps there are, at least one. A model whose images go through transforms one by one, or whose
  /// sizes depend on values, is one step.
  [[nodiscard]] std::size_t steps() const noexcept;
  /// How many have run.
  [[nodiscard]] std::size_t done() const noexcept;
  /// Runs those that have not, up to so many in all. Errors as Predictor::predict; the run is at its end
  /// then, and has no outputs.
  void run_until(std::size_t step);
  /// Runs what is left, and gives the outputs: the same bits as those of Predictor::predict. Once.
  [[nodiscard]] std::vector<Tensor> take_outputs();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

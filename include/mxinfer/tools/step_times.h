// StepTimes: how long each step of a network takes.
//
//   mxinfer::StepTimes times = mxinfer::time_steps(model, {}, views, 1.0);
//   for (std::size_t i = 0; i < times.steps.size(); ++i)
//     std::cout << times.steps[i].node << ' ' << times.median_ms[i] << '\n';
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/plan_info.h>
#include <mxinfer/predictor.h>
#include <mxinfer/span.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The time of each step.
struct StepTimes {
  std::vector<StepInfo> steps;    ///< the steps that run; nodes that are an alias of another value do not
  std::vector<double> median_ms;  ///< the median time of each step
  std::size_t calls = 0;          ///< how many calls the medians are of
  std::string target;
  int threads = 0;
};

/// Runs the model on `inputs` (one for each input of its signature, in order) step by step, with the target
/// and threads of `options`. It repeats this for `seconds`, at least once, after one call that is not
/// counted. What runs inside a step (the body of a loop, operators that run sample by sample) counts as that
/// step. Steps of branches that run side by side share the time that they take together. Throws
/// Error(unsupported) if the model has no single plan: its items go through transforms one by one, or sizes
/// depend on values. Thread-safe; it has its own memory.
MXINFER_API StepTimes time_steps(const Model& model, const Options& options, Span<const TensorView> inputs,
                                 double seconds);

}  // namespace MXINFER_ABI
}  // namespace mxinfer

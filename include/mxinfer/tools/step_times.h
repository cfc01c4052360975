// StepTimes: where in a network the time goes, step by step.
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

struct StepTimes {
  std::vector<StepInfo> steps;  ///< those that run; nodes that are an alias of another value do not
  std::vector<double> median_ms;
  std::size_t calls = 0;  ///< that the medians are of
  std::string target;
  int threads = 0;
};

/// Runs the model on `inputs` (one for each input of its signature, in that order) step by step, with the
/// target and threads of `options`, for `seconds` and at least once, after one call that is not counted.
/// What runs inside of a step (a loop's body, the operators that run sample by sample) counts as that step;
/// steps of branches that run side by side share the time that these take together.
/// Thread-safe; it has memory of its own. Throws Error(unsupported) if the model has no single plan to
/// follow: items go through transforms one by one, or sizes depend on values.
MXINFER_API StepTimes time_steps(const Model& model, const Options& options, Span<const TensorView> inputs,
                                 double seconds);

}  // namespace MXINFER_ABI
}  // namespace mxinfer

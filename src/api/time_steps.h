// Where in a network the time goes.
#pragma once

#include <mxinfer/predictor.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer::api {

struct StepTimes {
  std::vector<StepInfo> steps;  ///< those that run
  std::vector<double> median_ms;
  std::size_t calls = 0;
  std::string target;
  int threads = 0;
};

/// Runs the model on `inputs` step by step, for `seconds` and at least once. Error(unsupported) where it has
/// no plan of its own to follow: items go through transforms one by one, sizes depend on values, or there are
/// loops and branches.
StepTimes time_steps(const Model& model, const Options& options, Span<const TensorView> inputs,
                     double seconds);

}  // namespace mxinfer::api

// mxinfer bench --by-node: measures the time of each node.
#pragma once

#include <mxinfer/predictor.h>

#include <vector>

#include "cli/options/options.h"

namespace mxinfer::cli {

/// Runs the model on `inputs` step by step for `seconds` and prints the median time of each step. Returns the
/// exit code.
int run_by_node(const ModelOptions& options, const Model& model, const std::vector<TensorView>& inputs,
                double seconds);

}  // namespace mxinfer::cli

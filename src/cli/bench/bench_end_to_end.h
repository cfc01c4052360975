// mxinfer bench --preset end-to-end: measures what preprocessing costs in front of a network.
#pragma once

#include <vector>

#include "cli/options/options.h"

namespace mxinfer::cli {

struct EndToEndOptions {
  int runs = 500;
  std::vector<int> batches{1, 25};
};

/// Measures ResNet-18 with random weights, or the network at options.model, behind resize, to_tensor and
/// normalize: as one model, step by step, the steps alone and the network alone, alternating in one loop.
/// Prints medians per sample, and returns the exit code.
int run_end_to_end(const ModelOptions& options, const EndToEndOptions& preset);

}  // namespace mxinfer::cli

// The two commands of mxinfer_cuda_bench.
#pragma once

#include "cuda/options.h"

namespace mxinfer::bench {

/// Prints a line of JSON for each folder of inputs and precision. Returns how many of them failed.
int run_network(const CudaBenchOptions& options);

/// Prints a table for each layer.
void run_layers(const CudaBenchOptions& options);

}  // namespace mxinfer::bench

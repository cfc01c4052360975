// Runs any number of samples on a network that accepts only one batch size, which training wrote into the
// graph. The last batch is padded with its last sample, and the extra rows are cut off.
//
//   if (needs_filling(batch, inputs)) return run_in_batches(inputs, *batch, outputs, run);
#pragma once

#include <mxinfer/signature.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/function_ref.h"

namespace mxinfer::api {

/// Whether the inputs' first dimension differs from the network's batch. An empty `batch` means that it
/// accepts any.
bool needs_filling(std::optional<std::int64_t> batch, Span<const TensorView> inputs);

using RunBatch = FunctionRef<std::vector<Tensor>(Span<const TensorView> whole)>;

/// The outputs of run() for all samples, one row each. Precondition: all inputs have the same first
/// dimension, at least 1. Throws Error(unsupported) with the name of an output that does not have one row per
/// sample.
std::vector<Tensor> run_in_batches(Span<const TensorView> inputs, std::int64_t batch,
                                   const std::vector<DataDesc>& outputs, RunBatch run);

}  // namespace mxinfer::api

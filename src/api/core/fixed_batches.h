// Samples in any number on a network that takes batches of one size alone, as a training has written it into
// the graph: in batches of that size, the last one filled up with its last sample, whose rows are cut off.
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

/// Whether inputs with their samples in front are not one batch of the size that the network takes. Nothing
/// in `batch`: it takes any.
bool needs_filling(std::optional<std::int64_t> batch, Span<const TensorView> inputs);

using RunBatch = FunctionRef<std::vector<Tensor>(Span<const TensorView> whole)>;

/// The outputs of run() on all samples, a row for each. Preconditions: every input has as many, at least one,
/// in front. Error(unsupported) names an output that has no row for each sample of a batch.
std::vector<Tensor> run_in_batches(Span<const TensorView> inputs, std::int64_t batch,
                                   const std::vector<DataDesc>& outputs, RunBatch run);

}  // namespace mxinfer::api

// Predictions of several calls as one batch.
//
//   run_jointly(impl, calls, [&](std::size_t call, Span<const TensorView> outputs) { ... });
#pragma once

#include <mxinfer/span.h>
#include <mxinfer/tensor.h>

#include <cstddef>

#include "api/core/predictor_impl.h"
#include "base/function_ref.h"

namespace mxinfer::api {

/// Called by run_jointly for each call, with its rows of the outputs, which are valid only during the call.
using TakeOutputs = FunctionRef<void(std::size_t call, Span<const TensorView> outputs)>;

/// Runs calls with inputs of the same types as one batch, joined at the first dimension. Delivers nothing if
/// that is impossible: inputs are items, some are left out or have no rows or different numbers of rows, or
/// the rows of a batch depend on each other. The latter is found with the first batch of such inputs, by
/// comparing it with each call alone. Throws what predict throws for the batch.
void run_jointly(PredictorAccess::Impl& impl, Span<const Span<const TensorView>> calls, TakeOutputs take);

/// To the log.
void say_that_rows_run_alone(const PredictorAccess::Impl& impl);

}  // namespace mxinfer::api

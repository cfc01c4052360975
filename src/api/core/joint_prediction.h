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

/// What run_jointly calls for each call, with its rows of the outputs, which are gone when it returns.
using TakeOutputs = FunctionRef<void(std::size_t call, Span<const TensorView> outputs)>;

/// Runs calls whose inputs are of the same types as one batch, joined at the first dimension. Calls nothing
/// where that cannot be: inputs are items, some are left out, have no rows or different numbers of them, or
/// the rows of a batch depend on each other. That is found with the first batch of such inputs, which is
/// compared with each call alone. Throws what predict throws of all of them.
void run_jointly(PredictorAccess::Impl& impl, Span<const Span<const TensorView>> calls, TakeOutputs take);

/// To the log.
void say_that_rows_run_alone(const PredictorAccess::Impl& impl);

}  // namespace mxinfer::api

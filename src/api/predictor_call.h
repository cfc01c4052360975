// PredictorCall: one call of a predictor while it lives: it has its place among the threads, and is counted.
// Calls that it makes of the same predictor, one inside of the other, are part of it.
//
//   const PredictorCall call(impl);      // waits for a place
//   return impl.executor.run(inputs, impl.arena);
#pragma once

#include <mxinfer/predictor.h>

#include <chrono>
#include <optional>

#include "api/predictor_impl.h"
#include "base/call_context.h"
#include "runtime/thread_budget.h"

namespace mxinfer::api {

class PredictorCall {
 public:
  /// Throws Error(cancelled) if it is cancelled while it waits.
  explicit PredictorCall(PredictorAccess::Impl& impl);
  explicit PredictorCall(const Predictor& predictor) : PredictorCall(PredictorAccess::impl(predictor)) {}
  /// Counts it as failed if an exception goes through.
  ~PredictorCall();
  PredictorCall(const PredictorCall&) = delete;
  PredictorCall& operator=(const PredictorCall&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  PredictorAccess::Impl& impl_;
  int exceptions_;
  bool is_outermost_, is_counted_;
  Clock::time_point started_{};
  std::optional<runtime::ThreadBudget::Place> place_{};
  std::optional<CallScope> scope_{};
};

}  // namespace mxinfer::api

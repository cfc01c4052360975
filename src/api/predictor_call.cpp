#include "api/predictor_call.h"

#include <exception>

namespace mxinfer::api {

PredictorCall::PredictorCall(PredictorAccess::Impl& impl)
    : impl_(impl),
      exceptions_(std::uncaught_exceptions()),
      is_outermost_(!call_context().admitted),
      is_counted_(call_context().counters != impl.counters.get()) {
  const Clock::time_point submitted = Clock::now();
  if (is_counted_) impl.counters->submitted();
  try {
    if (is_outermost_) place_.emplace(impl.budget(), impl.options.scheduling, impl.usual_time.is_brief());
  } catch (...) {
    if (is_counted_) impl.counters->ended_unstarted(RequestOutcome::cancelled);
    throw;
  }
  started_ = Clock::now();
  if (!is_counted_) return;
  impl.counters->started(started_ - submitted);
  CallContext context = call_context();
  context.counters = impl.counters.get();
  scope_.emplace(context);
}

PredictorCall::~PredictorCall() {
  const Clock::duration time = Clock::now() - started_;
  const bool failed = std::uncaught_exceptions() > exceptions_;
  if (is_outermost_ && !failed) impl_.usual_time.add(time);
  if (!is_counted_) return;
  const RequestOutcome outcome = !failed          ? RequestOutcome::done
                                 : is_cancelled() ? RequestOutcome::cancelled
                                                  : RequestOutcome::failed;
  impl_.counters->ended(outcome, time);
}

}  // namespace mxinfer::api

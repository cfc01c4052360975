#include "api/core/predictor_call.h"

#include <chrono>

#include "base/threads/call_context.h"

namespace mxinfer::api {
namespace {

using Clock = std::chrono::steady_clock;

/// The outcome of a call that threw.
RequestOutcome outcome_of_failure() {
  return is_cancelled() ? RequestOutcome::cancelled : RequestOutcome::failed;
}

}  // namespace

void run_as_call(PredictorAccess::Impl& impl, FunctionRef<void()> body) {
  runtime::CallCounters& counters = *impl.counters;
  const bool is_outermost = !call_context().admitted;
  const bool is_counted = call_context().counters != &counters;
  const Clock::time_point submitted = Clock::now();
  std::optional<Clock::time_point> started;
  Clock::duration time{};
  const auto counted_body = [&] {
    started = Clock::now();
    if (is_counted) counters.started(*started - submitted);
    CallContext context = call_context();
    context.counters = &counters;
    const CallScope scope(context);
    body();
    throw_if_cancelled();  // lists keep the errors of their items, cancelled ones too
    time = Clock::now() - *started;
  };
  if (is_counted) counters.submitted();
  try {
    impl.budget().run(counted_body, impl.options.scheduling, impl.usual_time.is_brief());
  } catch (...) {
    if (is_counted && started) counters.ended(outcome_of_failure(), Clock::now() - *started);
    if (is_counted && !started) counters.ended_unstarted(outcome_of_failure());
    throw;
  }
  if (is_outermost) impl.usual_time.add(time);
  if (is_counted) counters.ended(RequestOutcome::done, time);
}

void on_each_device(PredictorAccess::Impl& impl, FunctionRef<void()> body) {
  const auto devices = impl.planner.devices();
  int called = 0;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i]->is_lost()) continue;
    CallContext context = call_context();
    context.device = static_cast<int>(i);
    const CallScope scope(context);
    body();
    ++called;
  }
  if (called == 0) body();
}

void run_in_place(PredictorAccess::Impl& impl, FunctionRef<void()> body) {
  impl.budget().run(body, impl.options.scheduling, impl.usual_time.is_brief());
}

}  // namespace mxinfer::api

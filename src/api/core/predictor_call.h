// A call of a predictor, which takes a place in the thread budget and is counted. Nested calls of the same
// predictor are part of it.
//
//   return as_call(impl, [&] { return impl.executor.run(inputs, impl.arena); });
#pragma once

#include <mxinfer/predictor.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "api/core/predictor_impl.h"
#include "base/function_ref.h"

namespace mxinfer::api {

/// Calls body() once it has a place, possibly on another thread, and throws what it throws. Throws
/// Error(cancelled) if the call is cancelled while it waits.
void run_as_call(PredictorAccess::Impl& impl, FunctionRef<void()> body);

/// Calls body() once it has a place, as a part of a call that is counted elsewhere.
void run_in_place(PredictorAccess::Impl& impl, FunctionRef<void()> body);

/// Calls body() once for each of the predictor's devices that is not lost, whose calls run there; once if
/// there are none left, or on the CPU.
void on_each_device(PredictorAccess::Impl& impl, FunctionRef<void()> body);

/// As run_as_call(), and returns the result of body().
template <typename Body>
auto as_call(PredictorAccess::Impl& impl, const Body& body) {
  using Result = std::invoke_result_t<const Body&>;
  if constexpr (std::is_void_v<Result>) {
    run_as_call(impl, body);
  } else {
    std::optional<Result> result;
    const auto keep = [&] { result.emplace(body()); };
    run_as_call(impl, keep);
    return std::move(*result);
  }
}
template <typename Body>
auto as_call(const Predictor& predictor, const Body& body) {
  return as_call(PredictorAccess::impl(predictor), body);
}

}  // namespace mxinfer::api

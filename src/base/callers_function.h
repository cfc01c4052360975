// Runs a function of the caller, such as a decoder of detections. Its exceptions are not defects of this
// library; they become an Error that says where it comes from.
//
//   run_callers_function([] { return "GenerateOptions::stop"; }, [&] { return stop(ids); });
#pragma once

#include <exception>
#include <new>

#include "base/fail.h"

namespace mxinfer {

/// Runs body. An Error or a failed allocation is prefixed with "where › ", as by in_context(); another
/// exception becomes Error(invalid_argument) with its text.
template <typename Where, typename Body>
auto run_callers_function(Where&& where, Body&& body) -> decltype(body()) {
  return in_context(where, [&] {
    try {
      return body();
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& e) {
      fail(ErrorCode::invalid_argument, "it threw: ", printable(e.what()));
    } catch (...) {
      fail(ErrorCode::invalid_argument, "it threw an exception of unknown type");
    }
  });
}

}  // namespace mxinfer

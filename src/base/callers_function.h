// A function of the caller, such as a decoder of detections: what it throws is the caller's, no defect of
// this library, and becomes an Error that says where it comes from.
//
//   run_callers_function([] { return "GenerateOptions::stop"; }, [&] { return stop(ids); });
#pragma once

#include <exception>
#include <new>

#include "base/fail.h"

namespace mxinfer {

/// Runs body. An Error, and memory that was refused, gains "where › " in front, as of in_context(); another
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
      fail(ErrorCode::invalid_argument, "it threw an exception of no known type");
    }
  });
}

}  // namespace mxinfer

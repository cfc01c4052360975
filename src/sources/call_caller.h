// Calls code of the program around the library, which may throw anything.
//
//   size_ = call_caller(name_, "ByteSource", ErrorCode::malformed, [&] { return bytes_->size(); });
#pragma once

#include <exception>
#include <new>
#include <string>

#include "base/fail.h"

namespace mxinfer::sources {

/// Returns what `call` returns. Passes on Error and std::bad_alloc; any other exception becomes Error(code),
/// which says that the object of class `type` failed. `place`, a path or an address, is in front of each
/// message.
template <typename Call>
auto call_caller(const std::string& place, const char* type, ErrorCode code, const Call& call)
    -> decltype(call()) {
  return in_context([&] { return printable(place); },
                    [&] {
                      try {
                        return call();
                      } catch (const Error&) {
                        throw;
                      } catch (const std::bad_alloc&) {
                        throw;
                      } catch (const std::exception& e) {
                        fail(code, "its ", type, " failed: ", printable(e.what()));
                      } catch (...) {
                        fail(code, "its ", type, " failed with an exception of unknown type");
                      }
                    });
}

}  // namespace mxinfer::sources

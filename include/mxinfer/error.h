// Error: the one exception type of mxinfer. Programs branch on its code(). Its message is for people: it says
// what was wrong, where, what was given, what was expected and what to do.
//
//   try {
//     auto model = mxinfer::Model::load("models/digits");
//   } catch (const mxinfer::Error& e) {
//     if (e.code() == mxinfer::ErrorCode::not_found) std::cerr << e.what() << '\n';
//   }
#pragma once

#include <mxinfer/export.h>

#include <stdexcept>
#include <string>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The kind of an error.
enum class ErrorCode {
  invalid_argument,   ///< an argument is invalid: a name, count, shape, dtype or option
  not_found,          ///< a file, an input or an output does not exist
  malformed,          ///< bytes are not the model, image or array that they should be
  unsupported,        ///< well-formed, but this library cannot run it
  out_of_memory,      ///< memory could not be allocated
  network,            ///< a remote source failed
  device,             ///< a device failed or is absent
  cancelled,          ///< the call was cancelled
  deadline_exceeded,  ///< a request's deadline passed before it started
  too_many_requests,  ///< a bounded queue was full
  internal,           ///< a defect of mxinfer itself; please report it
};

/// Returns the name of the enumerator, such as "invalid_argument".
MXINFER_API const char* to_string(ErrorCode code) noexcept;

/// Thrown by every function of mxinfer that can fail. You may copy it and catch it on any thread.
class MXINFER_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message);
  ~Error() override;
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

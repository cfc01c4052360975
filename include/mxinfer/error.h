// Error: the one exception of mxinfer. Its code says what kind of thing went wrong, for programs; its message
// says what was wrong, where, what was given, what was expected and what to do, for people.
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

enum class ErrorCode {
  invalid_argument,   ///< the caller's values do not fit: name, count, shape, dtype, option
  not_found,          ///< a file, an input or an output of that name does not exist
  malformed,          ///< bytes that should be a model, an image or an array are not
  unsupported,        ///< well-formed, but not something this library runs
  out_of_memory,      ///< the memory that is needed could not be allocated
  network,            ///< a remote source failed
  device,             ///< a device failed or is absent
  cancelled,          ///< the call was cancelled
  deadline_exceeded,  ///< a submission's deadline passed before it started
  too_many_requests,  ///< a bounded queue was full
  internal,           ///< a defect of mxinfer itself; please report it
};

/// The code's name as written above, such as "invalid_argument".
MXINFER_API const char* to_string(ErrorCode code) noexcept;

/// Thrown by every function of mxinfer that can fail. Copyable; safe to catch on any thread.
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

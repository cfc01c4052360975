// The status that functions return, and the message of an error.
//
//   if (mxinfer_model_load("models/digits", NULL, &model) == MXINFER_NOT_FOUND) puts(mxinfer_last_error());
#ifndef MXINFER_C_STATUS_H
#define MXINFER_C_STATUS_H

#include <stdint.h>

#if defined(__cplusplus)
#define MXINFER_C_API extern "C" __attribute__((visibility("default")))
#else
#define MXINFER_C_API __attribute__((visibility("default")))
#endif

/// One of the numbers below. A later version may have more.
typedef int32_t mxinfer_status;

enum {
  MXINFER_OK = 0,
  MXINFER_INVALID_ARGUMENT = 1,    ///< an argument is invalid: a name, count, shape, dtype, option or NULL
  MXINFER_NOT_FOUND = 2,           ///< a file, an input or an output of that name does not exist
  MXINFER_MALFORMED = 3,           ///< bytes are not the model, image or array that they should be
  MXINFER_UNSUPPORTED = 4,         ///< well-formed, but this library cannot run it
  MXINFER_OUT_OF_MEMORY = 5,       ///< memory could not be allocated
  MXINFER_NETWORK = 6,             ///< a remote source failed
  MXINFER_DEVICE = 7,              ///< a device failed or is absent
  MXINFER_CANCELLED = 8,           ///< the call was cancelled
  MXINFER_DEADLINE_EXCEEDED = 9,   ///< a submission's deadline passed before it started
  MXINFER_TOO_MANY_REQUESTS = 10,  ///< a bounded queue was full
  MXINFER_INTERNAL = 11            ///< a defect of mxinfer itself; please report it
};

/// Returns "ok", "invalid_argument", ...; "unknown" for another number. Lives as long as the process.
MXINFER_C_API const char* mxinfer_status_name(mxinfer_status status);

/// Returns the message of the last function that failed on this thread: what was wrong, what was given and
/// what was expected. Returns "" if none has failed. Lives until the next failure on this thread.
MXINFER_C_API const char* mxinfer_last_error(void);

/// Returns the status of that function; MXINFER_OK if none has failed on this thread.
MXINFER_C_API mxinfer_status mxinfer_last_status(void);

/// Frees a text that a function wrote through `char** out`.
MXINFER_C_API void mxinfer_text_free(char* text);

#endif

// Logging: messages about what the library does. It logs nothing until you set a callback. Errors are not
// logged: the caller gets them.
//
//   static void say(int32_t level, const char* message, void* user) { fprintf(user, "%s\n", message); }
//   mxinfer_set_log_callback(say, stderr, MXINFER_LOG_INFO);
#ifndef MXINFER_C_LOG_H
#define MXINFER_C_LOG_H

#include <mxinfer_c/status.h>

enum {
  MXINFER_LOG_DEBUG = 0,   ///< a plan was dropped, a workspace was released
  MXINFER_LOG_INFO = 1,    ///< a model was loaded or a plan was made, with the time that it took
  MXINFER_LOG_WARNING = 2  ///< the warnings of models and predictors
};

/// Receives one message, a single line, on the thread that it is about, possibly on several threads at once.
/// The message lives until the function returns.
typedef void (*mxinfer_log_fn)(int32_t level, const char* message, void* user);

/// Sends messages of level `least` and above to `callback`. Once this returns, the previous callback receives
/// no more messages. NULL turns logging off. Do not call this from a callback. Any thread may call it. Error:
/// MXINFER_INVALID_ARGUMENT if the level is unknown.
MXINFER_C_API mxinfer_status mxinfer_set_log_callback(mxinfer_log_fn callback, void* user, int32_t least);

#endif

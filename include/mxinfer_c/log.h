// What the library has to say while it works. It is silent until a program asks. Errors are not logged: the
// caller gets them.
//
//   static void say(int32_t level, const char* message, void* user) { fprintf(user, "%s\n", message); }
//   mxinfer_set_log_callback(say, stderr, MXINFER_LOG_INFO);
#ifndef MXINFER_C_LOG_H
#define MXINFER_C_LOG_H

#include <mxinfer_c/status.h>

enum {
  MXINFER_LOG_DEBUG = 0,   ///< a plan that was dropped, a workspace that was released
  MXINFER_LOG_INFO = 1,    ///< a model that was loaded, a plan that was made, each with its time
  MXINFER_LOG_WARNING = 2  ///< what the warnings of models and predictors say
};

/// Gets one message of one line, on the thread that it is about, possibly on several at once. The message
/// lives until it returns.
typedef void (*mxinfer_log_fn)(int32_t level, const char* message, void* user);

/// Messages of `least` and above go to `callback` from now on, and none to the one before once this returns;
/// NULL makes the library silent again. Not to be called from inside a callback. Thread-safe.
MXINFER_C_API mxinfer_status mxinfer_set_log_callback(mxinfer_log_fn callback, void* user, int32_t least);

#endif

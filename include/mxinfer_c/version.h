// The version of the library that the program runs with.
//
//   printf("mxinfer %s\n", mxinfer_version());
#ifndef MXINFER_C_VERSION_H
#define MXINFER_C_VERSION_H

#include <mxinfer_c/status.h>

/// Counts the additions to this interface. A library with this number runs programs made for it and for all
/// smaller numbers (docs/reference/abi.md).
#define MXINFER_C_ABI_VERSION 1

/// Returns MXINFER_C_ABI_VERSION of the loaded library.
MXINFER_C_API int32_t mxinfer_c_abi_version(void);

/// Returns the version of the loaded library, such as "0.1.0". Lives as long as the process.
MXINFER_C_API const char* mxinfer_version(void);

/// Describes how the loaded library was built, as JSON: {"version", "commit", "compiler", "targets",
/// "best_target"}. Free the text with mxinfer_text_free.
MXINFER_C_API mxinfer_status mxinfer_build_info(char** out);

#endif

// The version of the headers, and of the library that the program runs with.
#pragma once

#include <mxinfer/export.h>

#define MXINFER_VERSION_MAJOR 0
#define MXINFER_VERSION_MINOR 1
#define MXINFER_VERSION_PATCH 0
#define MXINFER_VERSION "0.1.0"

namespace mxinfer {

/// The version of the loaded library, such as "0.1.0". Thread-safe; the text lives as long as the process.
MXINFER_API const char* version() noexcept;

}  // namespace mxinfer

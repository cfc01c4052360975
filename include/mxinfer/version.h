// The version of these headers, and of the library that the program runs with.
//
//   const mxinfer::BuildInfo build = mxinfer::build_info();
//   std::cout << build.version << ' ' << build.commit << ", " << build.compiler << '\n';
#pragma once

#include <mxinfer/export.h>

#include <string>
#include <vector>

#define MXINFER_VERSION_MAJOR 0
#define MXINFER_VERSION_MINOR 1
#define MXINFER_VERSION_PATCH 0
#define MXINFER_VERSION "0.1.0"

namespace mxinfer {

/// Returns the version of the loaded library, such as "0.1.0". The text lives as long as the process.
/// Thread-safe.
MXINFER_API const char* version() noexcept;

/// How the loaded library was built. Include it in bug reports.
struct BuildInfo {
  std::string version;  ///< as version()
  /// The git commit of the sources. It ends in "-dirty" if they had local changes, and is empty if they were
  /// not in a repository.
  std::string commit;
  std::string compiler;              ///< such as "GNU 12.2.0"
  std::vector<std::string> targets;  ///< the values of Options::target that were compiled in, slowest first
  std::string best_target;           ///< the fastest target that this CPU runs, which is the default
};

/// Returns how the loaded library was built. Thread-safe.
MXINFER_API BuildInfo build_info();

}  // namespace mxinfer

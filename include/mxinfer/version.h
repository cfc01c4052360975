// The version of the headers, and of the library that the program runs with.
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

/// The version of the loaded library, such as "0.1.0". Thread-safe; the text lives as long as the process.
MXINFER_API const char* version() noexcept;

/// How the loaded library was built, for reports of errors.
struct BuildInfo {
  std::string version;  ///< as version()
  /// The git commit of its sources, with "-dirty" behind it if they were changed since; empty if they
  /// came without a repository.
  std::string commit;
  std::string compiler;              ///< such as "GNU 12.2.0"
  std::vector<std::string> targets;  ///< values of Options::target that were compiled in, slowest first
  std::string best_target;           ///< the fastest of them that this CPU runs: what an empty target means
};

/// Thread-safe.
MXINFER_API BuildInfo build_info();

}  // namespace mxinfer

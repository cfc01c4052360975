// The command line of mxinfer_soak.
#pragma once

#include <cstdint>
#include <string>

#include "command_line.h"

namespace mxinfer::soak {

struct SoakOptions {
  double seconds = 60;     ///< of work after the warm-up
  int threads = 16;        ///< that call
  std::uint64_t seed = 1;  ///< of what they call
  bool default_malloc = false;
  bool json = false;
  bool help = false;

  /// Before the first sample that counts.
  [[nodiscard]] double warm_up_seconds() const;
  /// Between two samples.
  [[nodiscard]] double interval_seconds() const;
};

using bench::UsageError;

/// Throws UsageError.
[[nodiscard]] SoakOptions parse_options(int argc, const char* const* argv);

[[nodiscard]] const char* help_text();

}  // namespace mxinfer::soak

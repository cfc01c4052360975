// Options that are set by name on the command line, as NAME=VALUE: --remote and --set.
#pragma once

#include <mxinfer/settings.h>

#include <string>
#include <vector>

namespace mxinfer::cli {

/// Sets what `text`, NAME=VALUE, states. Throws UsageError, which names `option`, if the name is not in
/// `known` or the value is invalid.
void set_by_name(Settings& settings, const std::string& option, const std::string& text,
                 const std::vector<std::string>& known);

}  // namespace mxinfer::cli

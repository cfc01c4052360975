#include "cli/options/named_settings.h"

#include <mxinfer/error.h>

#include <algorithm>

#include "base/text/suggest.h"
#include "cli/options/value_checks.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {

void set_by_name(Settings& settings, const std::string& option, const std::string& text,
                 const std::vector<std::string>& known) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw UsageError(option + ": unknown setting '" + name + "': expected " + listed(known) +
                     did_you_mean(name, known));
  }
  if (equals == std::string::npos) throw UsageError(invalid_value(option, text, "NAME=VALUE"));
  const std::string value = text.substr(equals + 1);
  try {
    settings.set(name, value);
  } catch (const Error& e) {
    throw UsageError(setting_message(option + " " + name, value, e.what()));
  }
}

}  // namespace mxinfer::cli

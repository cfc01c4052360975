#include <mxinfer_c/options.h>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/structs.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

const Settings& c_api::settings_of(const mxinfer_options* options) {
  static const auto& defaults = *new Settings;
  return options == nullptr ? defaults : options->settings;
}

mxinfer_status mxinfer_options_create(mxinfer_options** out) {
  return call([&] {
    mxinfer_options*& options = need(out, "out");
    options = new mxinfer_options;
  });
}

mxinfer_status mxinfer_options_set(mxinfer_options* options, const char* name, const char* value) {
  return call(
      [&] { need(options, "options").settings.set(need_text(name, "name"), need_text(value, "value")); });
}

void mxinfer_options_free(mxinfer_options* options) {
  delete options;
}

size_t mxinfer_options_known(void) {
  return settings_known().size();
}

mxinfer_status mxinfer_options_describe(size_t index, mxinfer_option_info* info) {
  return call([&] {
    const Span<const SettingInfo> known = settings_known();
    if (index >= known.size()) {
      reject("there is no option " + std::to_string(index) + "; there are " + std::to_string(known.size()) +
             ", counted from 0");
    }
    const SettingInfo& found = known[index];
    write_struct(need(info, "info"),
                 {0, found.name, to_string(found.group), found.value, found.default_text, found.help});
  });
}

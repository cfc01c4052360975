// The list of settings: what each is called, takes and does. Settings, and through it every language and file
// of settings, knows no other.
#pragma once

#include <mxinfer/settings.h>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace mxinfer::api {

/// What settings set.
struct SettingValues {
  LoadOptions load{};
  Options run{};
  Preprocess preprocess{};
  bool apply_exif = true;
  bool scaled_decoding = false;
  int batch_size = 0;
  std::optional<int> height{};
  std::optional<int> width{};
  Activation activation = Activation::none;
  std::optional<float> min_score{};
  BoxUnits units = BoxUnits::automatic;
};

struct Setting {
  SettingInfo info;
  /// Throws Error(invalid_argument) for a value that it does not take.
  std::function<void(SettingValues& values, std::string_view text)> set;
  /// No message may repeat its value.
  bool is_secret = false;
};

const std::vector<Setting>& setting_list();

}  // namespace mxinfer::api

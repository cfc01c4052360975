#include <mxinfer/settings.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "api/options/setting_list.h"
#include "base/fail.h"
#include "base/text/suggest.h"

namespace mxinfer {
namespace {

constexpr std::string_view kPreset = "preset";

const api::Setting& setting_named(std::string_view name) {
  std::vector<std::string> known;
  for (const api::Setting& setting : api::setting_list()) {
    if (name == setting.info.name) return setting;
    known.emplace_back(setting.info.name);
  }
  const std::string hint = did_you_mean(std::string(name), known);
  fail(ErrorCode::invalid_argument, "there is no setting '", printable(name), "'", hint,
       hint.empty() ? "; the settings are " + listed(known) : "");
}

void apply(const api::Setting& setting, std::string_view value, api::SettingValues& to) {
  try {
    setting.set(to, value);
  } catch (const Error& e) {
    if (setting.is_secret) {
      fail(ErrorCode::invalid_argument, "setting '", setting.info.name, "' expects ", setting.info.value,
           "; the value given is not shown, because it may be secret");
    }
    const std::string what = e.what();
    const char* const link = what.rfind("expects ", 0) == 0 ? " " : kTrail;
    fail(ErrorCode::invalid_argument, "setting '", setting.info.name, "'", link, what);
  }
}

/// Never destroyed.
const std::vector<SettingInfo>* new_infos() {
  auto* const list = new std::vector<SettingInfo>;
  for (const api::Setting& setting : api::setting_list()) list->push_back(setting.info);
  return list;
}

}  // namespace

struct MXINFER_ABI::Settings::State {
  std::vector<std::pair<const api::Setting*, std::string>> given;  ///< each once, the preset first
  api::SettingValues values;

  void require_groups(const char* what, std::initializer_list<SettingGroup> groups) const {
    for (const auto& [setting, value] : given) {
      if (std::find(groups.begin(), groups.end(), setting->info.group) != groups.end()) continue;
      fail(ErrorCode::invalid_argument, "the setting '", setting->info.name, "' does not apply to ", what,
           ", which takes the settings of ", names_of(groups),
           "; leave it out, or use the class that it is for (", to_string(setting->info.group), ")");
    }
  }
  static std::string names_of(std::initializer_list<SettingGroup> groups) {
    std::vector<std::string> names;
    for (const SettingGroup group : groups) names.emplace_back(to_string(group));
    return listed(names);
  }
};

const char* MXINFER_ABI::to_string(SettingGroup group) noexcept {
  switch (group) {
    case SettingGroup::load:
      return "load";
    case SettingGroup::run:
      return "run";
    case SettingGroup::queue:
      return "queue";
    case SettingGroup::image:
      return "image";
    case SettingGroup::scores:
      return "scores";
    case SettingGroup::detector:
      return "detector";
  }
  return "unknown";
}

Span<const SettingInfo> MXINFER_ABI::settings_known() noexcept {
  static const auto& infos = *new_infos();
  return infos;
}

Settings::Settings() try : state_(std::make_unique<State>()) {
} catch (...) {
  throw_as_error();
}
Settings::Settings(const Settings& other) try : state_(std::make_unique<State>(*other.state_)) {
} catch (...) {
  throw_as_error();
}
Settings& Settings::operator=(const Settings& other) {
  Settings copy(other);
  std::swap(state_, copy.state_);
  return *this;
}
Settings::~Settings() = default;

Settings& Settings::set(std::string_view name, std::string_view value) try {
  const api::Setting& setting = setting_named(name);
  State next = *state_;
  auto& given = next.given;
  given.erase(std::remove_if(given.begin(), given.end(), [&](const auto& g) { return g.first == &setting; }),
              given.end());
  given.emplace(name == kPreset ? given.begin() : given.end(), &setting, std::string(value));
  next.values = {};
  for (const auto& [each, text] : given) apply(*each, text, next.values);
  *state_ = std::move(next);
  return *this;
} catch (...) {
  throw_as_error();
}

Options Settings::options() const try {
  state_->require_groups("a Predictor", {SettingGroup::load, SettingGroup::run, SettingGroup::queue});
  return state_->values.run;
} catch (...) {
  throw_as_error();
}

ClassifierOptions Settings::classifier_options() const try {
  state_->require_groups("a Classifier",
                         {SettingGroup::load, SettingGroup::run, SettingGroup::queue, SettingGroup::scores});
  const api::SettingValues& values = state_->values;
  return {values.activation, values.min_score, values.run};
} catch (...) {
  throw_as_error();
}

ImageOptions Settings::image_options() const try {
  state_->require_groups("an ImageClassifier", {SettingGroup::load, SettingGroup::run, SettingGroup::queue,
                                                SettingGroup::image, SettingGroup::scores});
  const api::SettingValues& values = state_->values;
  ImageOptions options;
  options.preprocess = values.preprocess;
  options.apply_exif = values.apply_exif;
  options.scaled_decoding = values.scaled_decoding;
  options.batch_size = values.batch_size;
  options.height = values.height;
  options.width = values.width;
  options.activation = values.activation;
  options.min_score = values.min_score;
  options.options = values.run;
  return options;
} catch (...) {
  throw_as_error();
}

DetectorOptions Settings::detector_options() const try {
  state_->require_groups("an ObjectDetector", {SettingGroup::load, SettingGroup::run, SettingGroup::queue,
                                               SettingGroup::image, SettingGroup::detector});
  const api::SettingValues& values = state_->values;
  DetectorOptions options;
  options.preprocess = values.preprocess;
  options.apply_exif = values.apply_exif;
  options.height = values.height;
  options.width = values.width;
  options.units = values.units;
  options.options = values.run;
  return options;
} catch (...) {
  throw_as_error();
}

LoadOptions Settings::load_options() const try { return state_->values.load; } catch (...) {
  throw_as_error();
}

}  // namespace mxinfer

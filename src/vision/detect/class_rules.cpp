#include "vision/detect/class_rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/fail.h"
#include "base/text/suggest.h"

namespace mxinfer::api {
namespace {

constexpr std::size_t kMostListed = 20;

std::string labels_text(const std::vector<std::string>& labels) {
  std::vector<std::string> names;
  for (const std::string& label : labels) {
    if (names.size() == kMostListed) break;
    names.push_back(concat("'", printable(label), "'"));
  }
  if (labels.size() > kMostListed) names.push_back(concat(labels.size() - kMostListed, " more"));
  return listed(names);
}

/// Parses digits as a position; nullopt for other text.
std::optional<int> position_of(const std::string& text) {
  int position = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, position);
  if (error != std::errc() || last != end || position < 0) return std::nullopt;
  return position;
}

[[noreturn]] void reject_class(const Model& model, const char* member, const std::string& name) {
  const auto& labels = model.labels();
  if (labels.empty()) {
    fail(ErrorCode::invalid_argument, member, " names '", printable(name), "'; model '",
         printable(model.name()), "' has no labels; give the index of the class, such as \"0\"");
  }
  fail(ErrorCode::invalid_argument, member, " names '", printable(name), "', which is not a class of model '",
       printable(model.name()), "'", did_you_mean(name, labels), "; its labels are ", labels_text(labels));
}

/// The positions of a label, or the position that the text states.
std::vector<int> positions_of(const Model& model, const char* member, const std::string& name) {
  const auto& labels = model.labels();
  std::vector<int> found;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == name) found.push_back(static_cast<int>(i));
  }
  if (!found.empty()) return found;
  const std::optional<int> position = position_of(name);
  if (!position || (!labels.empty() && static_cast<std::size_t>(*position) >= labels.size()))
    reject_class(model, member, name);
  return {*position};
}

}  // namespace

ClassRules::ClassRules(const Model& model, const DetectOptions& options)
    : threshold_(options.score_threshold) {
  for (const std::string& name : options.classes) {
    for (const int position : positions_of(model, "DetectOptions::classes", name))
      wanted_.push_back(position);
  }
  std::sort(wanted_.begin(), wanted_.end());
  for (const auto& [name, threshold] : options.class_thresholds) {
    if (std::isnan(threshold)) {
      fail(ErrorCode::invalid_argument, "DetectOptions::class_thresholds: that of '", printable(name),
           "' is not a number");
    }
    for (const int position : positions_of(model, "DetectOptions::class_thresholds", name)) {
      const bool is_twice = std::any_of(thresholds_.begin(), thresholds_.end(),
                                        [&](const auto& other) { return other.first == position; });
      if (is_twice) {
        fail(ErrorCode::invalid_argument, "DetectOptions::class_thresholds names class ", position,
             " twice, by its label and by its position; give one of them");
      }
      thresholds_.emplace_back(position, threshold);
    }
  }
}

bool ClassRules::wants(int index) const {
  return wanted_.empty() || std::binary_search(wanted_.begin(), wanted_.end(), index);
}

float ClassRules::threshold(int index) const {
  for (const auto& [position, threshold] : thresholds_) {
    if (position == index) return threshold;
  }
  return threshold_;
}

}  // namespace mxinfer::api

#include "cli/help/former_names.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace mxinfer::cli {
namespace {

struct Renamed {
  std::string_view command, former, current;
  /// If set, the rule applies only to lines with this option, which was renamed at the same time.
  std::string_view beside = {};
};

constexpr std::array<Renamed, 15> kRenamed = {{
    {"inspect", "--output", "--layer"},
    {"classify", "--output", "--layer"},
    {"explain", "--output", "--layer"},
    {"bench", "--output", "--layer"},
    {"verify", "--output", "--layer"},
    {"diff", "--output", "--layer"},
    {"predict", "--output", "--layer", "--output-dir"},
    {"predict", "--output-dir", "--output"},
    {"tune", "--output", "--layer", "--save"},
    {"tune", "--save", "--output"},
    {"sign", "--output", "--describe-output", "--output-prefix"},
    {"sign", "--output-prefix", "--output"},
    {"sign", "--input", "--describe"},
    {"pack", "--graph", "--add-graph"},
    {"fuse", "--graph", "--add-graph"},
}};

/// "--output" of "--output" and of "--output=fc1".
std::string_view option_name(std::string_view word) {
  return word.substr(0, word.find('='));
}

bool has_option(const std::vector<std::string>& words, std::string_view name) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return option_name(word) == name; });
}

bool applies(const Renamed& rule, const std::vector<std::string>& words) {
  return words[0] == rule.command && (rule.beside.empty() || has_option(words, rule.beside));
}

}  // namespace

std::vector<std::string> with_current_names(std::vector<std::string> words,
                                            std::vector<std::string>& warnings) {
  if (words.empty()) return words;
  // Rules match the original line, so that a name written by one rule is not a former name to the next.
  std::vector<std::string> current = words;
  for (const Renamed& rule : kRenamed) {
    if (!applies(rule, words)) continue;
    bool found = false;
    for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
      if (option_name(words[i]) != rule.former) continue;
      current[i] = std::string(rule.current) + words[i].substr(rule.former.size());
      found = true;
    }
    if (found) {
      warnings.push_back(std::string(rule.former) + " of '" + std::string(rule.command) +
                         "' was renamed: use " + std::string(rule.current));
    }
  }
  return current;
}

}  // namespace mxinfer::cli

#include "base/text/suggest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>

namespace mxinfer {
namespace {

constexpr std::size_t kMostNames = 3;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The edit distance with changed, deleted, inserted and transposed letters.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

/// Whether the word is the name with letters left out, such as "bf16" of "bfloat16".
bool abbreviates(const std::string& word, const std::string& name) {
  std::size_t at = 0;
  for (const char c : name) at += at < word.size() && word[at] == c ? 1 : 0;
  return word.size() >= 3 && at == word.size() && name[0] == word[0];
}

/// The distance of the name from the word; nullopt if it is too far to be meant.
std::optional<std::size_t> distance(const std::string& word, const std::string& name) {
  const std::size_t edits = edit_distance(word, name);
  if (edits <= std::max<std::size_t>(1, std::min(word.size(), name.size()) / 3)) {
    if (edits < name.size()) return edits;
  }
  if (word.size() >= 2 && name.compare(0, word.size(), word) == 0) return 1;
  if (abbreviates(word, name)) return 2;
  return std::nullopt;
}

}  // namespace

std::vector<std::string> near_names(const std::string& word, const std::vector<std::string>& names) {
  std::vector<std::string> nearest;
  std::optional<std::size_t> least;
  for (const std::string& name : names) {
    const std::optional<std::size_t> far = distance(lower(word), lower(name));
    if (!far || (least && *far > *least)) continue;
    if (!least || *far < *least) nearest.clear();
    least = far;
    nearest.push_back(name);
  }
  nearest.resize(std::min(nearest.size(), kMostNames));
  return nearest;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : near_names(word, names)) quoted.push_back("'" + name + "'");
  return quoted.empty() ? "" : "; did you mean " + listed(quoted) + "?";
}

}  // namespace mxinfer

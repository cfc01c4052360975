#include "cli/bracket_words.h"

namespace mxinfer::cli {
namespace {

/// No word of a text begins with it.
constexpr char kGuard = '\x01';

}  // namespace

std::vector<std::string> with_guarded_brackets(std::vector<std::string> line) {
  if (line.empty() || line.front() != "words") return line;
  for (std::string& word : line) {
    if (!word.empty() && word.front() == '[' && word.back() == ']') word.insert(word.begin(), kGuard);
  }
  return line;
}

std::string without_guard(const std::string& word) {
  return word.size() > 1 && word[0] == kGuard && word[1] == '[' ? word.substr(1) : word;
}

}  // namespace mxinfer::cli

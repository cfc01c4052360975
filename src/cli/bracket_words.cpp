#include "cli/bracket_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace mxinfer::cli {
namespace {

/// No word of a text begins with it.
constexpr char kGuard = '\x01';

bool takes_texts(const std::string& command) {
  constexpr std::string_view kCommands[] = {"words", "classify-text", "generate"};
  return std::find(std::begin(kCommands), std::end(kCommands), command) != std::end(kCommands);
}

std::string without_guard(const std::string& word) {
  return word.size() > 1 && word[0] == kGuard && word[1] == '[' ? word.substr(1) : word;
}

}  // namespace

std::vector<std::string> with_guarded_brackets(std::vector<std::string> line) {
  if (line.empty() || !takes_texts(line.front())) return line;
  for (std::string& word : line) {
    if (!word.empty() && word.front() == '[' && word.back() == ']') word.insert(word.begin(), kGuard);
  }
  return line;
}

void take_guards_away(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() > 0) option->transform(without_guard);
  }
}

}  // namespace mxinfer::cli

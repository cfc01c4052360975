#include "cli/options/bracket_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace mxinfer::cli {
namespace {

/// A byte with which no word of a text begins.
constexpr char kGuard = '\x01';

/// The commands that take texts or words.
constexpr std::string_view kCommands[] = {"words", "classify-text", "generate"};

std::string without_guard(const std::string& word) {
  return word.size() > 1 && word[0] == kGuard && word[1] == '[' ? word.substr(1) : word;
}

}  // namespace

std::vector<std::string> with_guarded_brackets(std::vector<std::string> line) {
  const bool takes_texts = !line.empty() && std::find(std::begin(kCommands), std::end(kCommands),
                                                      line.front()) != std::end(kCommands);
  if (!takes_texts) return line;
  for (std::string& word : line) {
    if (!word.empty() && word.front() == '[' && word.back() == ']') word.insert(word.begin(), kGuard);
  }
  return line;
}

void take_guards_away(CLI::App& app) {
  for (const std::string_view name : kCommands) {
    for (CLI::Option* option : app.get_subcommand(std::string(name))->get_options()) {
      if (option->get_items_expected_max() > 0) option->transform(without_guard);
    }
  }
}

}  // namespace mxinfer::cli

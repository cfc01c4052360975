#include "cli/options/bracket_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace mxinfer::cli {
namespace {

/// No word of a text begins with it.
constexpr char kGuard = '\x01';

/// Those that take texts or words of texts.
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

#include "cli/help/parse_errors.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "base/text/suggest.h"
#include "cli/options/option_table.h"

namespace mxinfer::cli {
namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

/// "--top-k" of "--top-k=3".
std::string option_name(const std::string& word) {
  return word.substr(0, word.find('='));
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const OptionRow& option : command_row(command).options) {
    if (!option.argument) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::optional<std::string> first_option(const std::vector<std::string>& words) {
  const auto found = std::find_if(words.begin(), words.end(), is_option);
  return found == words.end() ? std::nullopt : std::optional<std::string>(option_name(*found));
}

/// An option before the command, or one that no command has.
std::string misplaced_option(const CLI::App& program, const std::string& option, const CLI::App* command) {
  for (const CLI::App* candidate : program.get_subcommands({})) {
    if (command != nullptr && candidate != command) continue;
    const std::vector<std::string> names = option_names(*candidate);
    if (std::find(names.begin(), names.end(), option) == names.end()) continue;
    std::string text = option + " must come after the command, as in 'mxinfer ";
    text += command != nullptr ? command->get_name() : "COMMAND";
    return text.append(" ... ").append(option).append("'");
  }
  return "unknown option '" + option + "'" + did_you_mean(option, option_names(program));
}

/// A line that names no command.
std::string without_command(const CLI::App& program) {
  const std::vector<std::string> unknown = program.remaining();
  if (const auto option = first_option(unknown); option && is_option(unknown.front()))
    return misplaced_option(program, *option, nullptr);
  if (!unknown.empty()) return no_such_command(program, unknown.front());
  return "missing command: expected " + listed(command_names(program));
}

/// "--top-k" of "--top-k: 1 required N missing", "MODEL" of "MODEL is required".
std::string subject(const std::string& message) {
  return message.substr(0, message.find_first_of(": "));
}

std::string with_value(const CLI::App& command, const std::string& name) {
  for (const OptionRow& option : command_row(command).options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end())
      return option.value.empty() ? name : name + " " + option.value;
  }
  return name;
}

/// --top-k three times, or as the last word.
std::string wrong_count(const CLI::App& command, const std::string& message) {
  const std::string name = subject(message);
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option != nullptr && option->get_expected_min() > 1) {
    return "wrong number of values for " + name + ": got " + std::to_string(option->count()) + ", expected " +
           std::to_string(option->get_expected_min()) + ", as in " + with_value(command, name);
  }
  if (option != nullptr && option->count() > 1)
    return name + " is given " + std::to_string(option->count()) + " times: pass it only once";
  return "missing value for " + name + ": expected " + with_value(command, name);
}

/// "--top-k excludes --all".
std::string exclusive(const std::string& message) {
  return subject(message) + " and " + message.substr(message.rfind(' ') + 1) +
         " cannot be used together: pass only one of them";
}

std::string in_command(const CLI::App& program, const CLI::App& command, const CLI::ParseError& error) {
  const std::string& name = command.get_name();
  if (const auto option = first_option(program.remaining()))
    return misplaced_option(program, *option, &command);
  const std::vector<std::string> unknown = command.remaining();
  if (const auto option = first_option(unknown))
    return "unknown option '" + *option + "' for " + name + did_you_mean(*option, option_names(command));
  // Errors are told apart by type: the name of an ExtrasError is that of the command.
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return name + " requires " + with_value(command, subject(error.what()));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return wrong_count(command, error.what());
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) return exclusive(error.what());
  if (!unknown.empty()) {
    const std::string arguments = arguments_text(command_row(command));
    return "unexpected argument '" + unknown.front() + "': " + name + " takes " +
           (arguments.empty() ? "options only" : arguments);
  }
  return error.what();
}

}  // namespace

std::string command_of(const CLI::App& program) {
  const std::vector<CLI::App*> chosen = program.get_subcommands();
  return chosen.empty() ? "" : chosen.front()->get_name();
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string no_such_command(const CLI::App& program, const std::string& word) {
  const std::vector<std::string> names = command_names(program);
  const std::string meant = did_you_mean(word, names);
  return "unknown command '" + word + "'" + (meant.empty() ? ": expected " + listed(names) : meant);
}

std::string explain_parse_error(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = program.get_subcommands();
  return chosen.empty() ? without_command(program) : in_command(program, *chosen.front(), error);
}

}  // namespace mxinfer::cli

#include "cli/options/option_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options/value_checks.h"

namespace mxinfer::cli {
namespace {

OptionRow option_row(const CLI::Option& option) {
  OptionRow row;
  row.argument = option.get_positional();
  if (row.argument) {
    row.names = {option.get_name(true, false)};
  } else {
    for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
    row.value = value_name(option);
  }
  row.text = option.get_description();
  row.group = option.get_group();
  row.choices = choices_of(option);
  row.required = option.get_required();
  row.repeatable = option.get_items_expected_max() >= CLI::detail::expected_max_vector_size;
  return row;
}

}  // namespace

CommandRow command_row(const CLI::App& command) {
  CommandRow row;
  row.name = command.get_name();
  row.text = command.get_description();
  row.group = command.get_group();
  row.footer = command.get_footer();
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) row.options.push_back(option_row(*option));
  }
  std::stable_partition(row.options.begin(), row.options.end(),
                        [](const OptionRow& option) { return option.argument; });
  return row;
}

CommandTable command_table(const CLI::App& program) {
  CommandTable table{command_row(program), {}};
  for (const CLI::App* command : program.get_subcommands({})) table.commands.push_back(command_row(*command));
  return table;
}

std::vector<CommandGroup> command_groups(const CommandTable& table) {
  std::vector<CommandGroup> groups;
  for (const CommandRow& command : table.commands) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const CommandGroup& known) { return known.title == command.group; });
    if (group == groups.end()) group = groups.insert(group, CommandGroup{command.group, {}});
    group->commands.push_back(command);
  }
  return groups;
}

std::string arguments_text(const CommandRow& command) {
  std::string text;
  for (const OptionRow& option : command.options) {
    if (!option.argument) continue;
    const std::string name = option.names[0] + (option.repeatable ? "..." : "");
    text += (text.empty() ? "" : " ") + (option.required ? name : "[" + name + "]");
  }
  return text;
}

std::string usage_text(const CommandRow& command) {
  std::string text = "[OPTIONS]";
  const std::string arguments = arguments_text(command);
  if (!arguments.empty()) text += " " + arguments;
  for (const OptionRow& option : command.options) {
    if (option.required && !option.argument) text += " " + option.names.back() + " " + option.value;
  }
  return text;
}

std::vector<std::string> groups_of(const CommandRow& command) {
  std::vector<std::string> groups = {kOwnGroup};
  for (const OptionRow& option : command.options) {
    if (option.argument) continue;
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

ValueKind value_kind(const OptionRow& option) {
  const std::string& value = option.argument ? option.names[0] : option.value;
  if (!option.choices.empty()) return ValueKind::choice;
  if (value.empty()) return ValueKind::none;
  if (value == "DIR") return ValueKind::folder;
  for (const char* path : {"FILE", "PATH", "PREFIX", "MODEL", "ARCHIVE", "IMAGE", "INPUTS"}) {
    if (value.find(path) != std::string::npos) return ValueKind::file;
  }
  return ValueKind::other;
}

std::string names_text(const OptionRow& option) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + name;
  return text + (option.value.empty() ? "" : " " + option.value);
}

}  // namespace mxinfer::cli

// The commands and options as plain rows: the source of --help, the manual and the shell completions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mxinfer::cli {

/// The group of a command's own options; the parser's default name.
inline constexpr const char* kOwnGroup = "Options";

/// What a shell can complete a value with.
enum class ValueKind : std::uint8_t {
  none,    ///< a flag
  choice,  ///< one of OptionRow::choices
  folder,
  file,
  other,  ///< a number or a name, which a shell cannot know
};

struct OptionRow {
  std::vector<std::string> names;  ///< "-k" and "--top-k", or "MODEL" for an argument
  std::string value;               ///< "N"; empty for flags and arguments
  std::string text;
  std::string group;
  std::vector<std::string> choices;  ///< the only accepted values; empty: any value
  bool argument = false;             ///< positional
  bool required = false;
  bool repeatable = false;
};

struct CommandRow {
  std::string name;  ///< "classify"; "mxinfer" for the program itself
  std::string text;
  std::string group;               ///< "Run"
  std::vector<OptionRow> options;  ///< arguments first, without those that --help hides
  /// Printed after the options: paragraphs of one line each, and examples, indented by two spaces.
  std::string footer;
};

struct CommandTable {
  CommandRow program;
  std::vector<CommandRow> commands;
};

CommandRow command_row(const CLI::App& command);
CommandTable command_table(const CLI::App& program);

struct CommandGroup {
  std::string title;
  std::vector<CommandRow> commands;
};
/// The commands by group, in the order in which the groups first occur.
std::vector<CommandGroup> command_groups(const CommandTable& table);

/// "MODEL [IMAGE...]": optional arguments are in brackets.
std::string arguments_text(const CommandRow& command);
/// The usage after the command's name: the arguments, and the required options.
std::string usage_text(const CommandRow& command);
/// The option groups in the order in which they are shown: the command's own first.
std::vector<std::string> groups_of(const CommandRow& command);
ValueKind value_kind(const OptionRow& option);
/// "-k, --top-k N".
std::string names_text(const OptionRow& option);

}  // namespace mxinfer::cli

// The commands and options of mxinfer as plain rows: what --help, the manual and the completions of shells
// are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mxinfer::cli {

/// The group that holds a command's own options: the parser's own name for it.
inline constexpr const char* kOwnGroup = "Options";

/// What a shell can offer for a value.
enum class ValueKind : std::uint8_t {
  none,    ///< a flag
  choice,  ///< one of OptionRow::choices
  folder,
  file,
  other,  ///< a number, a name: nothing that a shell knows
};

struct OptionRow {
  std::vector<std::string> names;  ///< "-k" and "--top-k", or "MODEL" for an argument
  std::string value;               ///< "N"; empty for flags and arguments
  std::string text;
  std::string group;
  std::vector<std::string> choices;  ///< if only these values are taken
  bool argument = false;             ///< by its place in the line
  bool required = false;
  bool repeatable = false;
};

struct CommandRow {
  std::string name;  ///< "classify"; "mxinfer" for the program itself
  std::string text;
  std::vector<OptionRow> options;  ///< arguments first; what --help hides is left out
  /// What --help prints behind the options: paragraphs of one line each, and examples, indented by two
  /// spaces.
  std::string footer;
};

struct CommandTable {
  CommandRow program;
  std::vector<CommandRow> commands;
};

CommandRow command_row(const CLI::App& command);
CommandTable command_table(const CLI::App& program);

/// "MODEL IMAGE..." with brackets around what can be left out.
std::string arguments_text(const CommandRow& command);
/// The words behind the command's name: arguments, and options that must be given.
std::string usage_text(const CommandRow& command);
/// The groups of options in the order in which they are shown: the command's own first.
std::vector<std::string> groups_of(const CommandRow& command);
ValueKind value_kind(const OptionRow& option);
/// "-k, --top-k N".
std::string names_text(const OptionRow& option);

}  // namespace mxinfer::cli

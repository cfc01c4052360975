#include <sstream>
#include <string_view>

#include "cli/help/generated_files.h"

namespace mxinfer::cli {
namespace {

/// For single quotes, with the characters escaped that _arguments treats as separators.
std::string quoted(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (special.find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

/// The text up to its first ";", ":" or "(": a line of a list has no room for more.
std::string first_clause(const std::string& text) {
  const std::string clause = text.substr(0, text.find_first_of(";:("));
  return clause.substr(0, clause.find_last_not_of(' ') + 1);
}

/// ":N:" and the completions of the value.
std::string value_spec(const OptionRow& option) {
  const std::string name = option.argument ? option.names[0] : option.value;
  std::string offered = " ";
  switch (value_kind(option)) {
    case ValueKind::none:
      return "";
    case ValueKind::choice:
      offered = "(";
      for (const std::string& choice : option.choices) offered += (offered == "(" ? "" : " ") + choice;
      offered += ")";
      break;
    case ValueKind::folder:
      offered = "_files -/";
      break;
    case ValueKind::file:
      offered = "_files";
      break;
    case ValueKind::other:
      break;
  }
  return ":" + quoted(name, ":\\") + ":" + offered;
}

void complete_option(std::ostream& out, const OptionRow& option) {
  const std::string value = value_spec(option);
  const std::string text = "[" + quoted(first_clause(option.text), "[]\\") + "]" + value;
  std::string all;
  for (const std::string& name : option.names) all += (all.empty() ? "" : " ") + name;
  for (const std::string& name : option.names) {
    // "-k+" and "--top-k=": the value may follow in the same word.
    const char* joint = value.empty() ? "" : name.rfind("--", 0) == 0 ? "=" : "+";
    out << " \\\n        '" << (option.repeatable ? "*" : "(" + all + ")") << name << joint << text << "'";
  }
}

void complete_command(std::ostream& out, const CommandRow& command) {
  out << "    " << command.name << ")\n      _arguments -s";
  int place = 0;
  for (const OptionRow& option : command.options) {
    if (option.argument) {
      out << " \\\n        '" << (option.repeatable ? "*" : std::to_string(++place)) << value_spec(option)
          << "'";
    } else {
      complete_option(out, option);
    }
  }
  out << "\n      ;;\n";
}

}  // namespace

std::string zsh_completion(const CommandTable& table) {
  std::ostringstream out;
  out << "#compdef mxinfer\n"
         "# Completes the words of mxinfer in zsh. Made by `mxinfer --generate zsh`.\n"
         "_mxinfer() {\n"
         "  if (( CURRENT == 2 )); then\n"
         "    local -a commands\n";
  for (const CommandGroup& group : command_groups(table)) {
    out << "    commands=(\n";
    for (const CommandRow& command : group.commands)
      out << "      '" << command.name << ":" << quoted(first_clause(command.text), ":\\") << "'\n";
    out << "    )\n"
           "    _describe -t commands-"
        << group.title << " '" << group.title << "' commands\n";
  }
  out << "    _arguments -s";
  for (const OptionRow& option : table.program.options) complete_option(out, option);
  out << "\n    return\n"
         "  fi\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $words[1] in\n";
  for (const CommandRow& command : table.commands) complete_command(out, command);
  out << "  esac\n"
         "}\n"
         "_mxinfer \"$@\"\n";
  return out.str();
}

}  // namespace mxinfer::cli

#include <sstream>

#include "cli/help/generated_files.h"

namespace mxinfer::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<std::string> option_names(const CommandRow& command) {
  std::vector<std::string> names;
  for (const OptionRow& option : command.options) {
    if (!option.argument) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

/// What is offered behind an option; for files nothing, which is bash's own way with them.
std::string offered(const OptionRow& option) {
  switch (value_kind(option)) {
    case ValueKind::choice:
      return "mapfile -t COMPREPLY < <(compgen -W '" + joined(option.choices, " ") + "' -- \"$word\")";
    case ValueKind::folder:
      return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); compopt -o filenames 2> /dev/null";
    case ValueKind::other:
      return "compopt +o default 2> /dev/null";
    case ValueKind::none:
    case ValueKind::file:
      break;
  }
  return ":";
}

void print_command(std::ostream& out, const CommandRow& command) {
  out << "    " << command.name << ")\n      case $option in\n";
  for (const OptionRow& option : command.options) {
    if (option.argument || value_kind(option) == ValueKind::none) continue;
    out << "        " << joined(option.names, " | ") << ") " << offered(option) << "; return ;;\n";
  }
  out << "      esac\n      options='" << joined(option_names(command), " ") << "'\n";
  for (const OptionRow& option : command.options) {
    if (option.argument && !option.choices.empty())
      out << "      words='" << joined(option.choices, " ") << "'\n";
  }
  out << "      ;;\n";
}

}  // namespace

std::string bash_completion(const CommandTable& table) {
  std::vector<std::string> names;
  for (const CommandRow& command : table.commands) names.push_back(command.name);
  std::ostringstream out;
  out << "# Completes the words of mxinfer in bash. Made by `mxinfer --generate bash`.\n"
         "_mxinfer() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} options='' words=''\n"
         "  # Bash takes --preset=raw for three words.\n"
         "  if [[ $word == '=' ]]; then word=''\n"
         "  elif [[ $option == '=' ]]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    mapfile -t COMPREPLY < <(compgen -W '"
      << joined(names, " ") << ' ' << joined(option_names(table.program), " ")
      << "' -- \"$word\")\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]} in\n";
  for (const CommandRow& command : table.commands) print_command(out, command);
  out << "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
         "  elif [[ -n $words ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "  fi\n"
         "}\n"
         "complete -o default -F _mxinfer mxinfer\n";
  return out.str();
}

}  // namespace mxinfer::cli

#include <mxinfer/version.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "cli/help/generated_files.h"

namespace mxinfer::cli {
namespace {

constexpr std::size_t kColumns = 78;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

/// A line of text, not of macros.
std::string as_text(std::string line) {
  return !line.empty() && (line[0] == '.' || line[0] == '\'') ? "\\&" + line : line;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

/// `text` in short lines, which troff joins again.
void print_text(std::ostream& out, const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) {
    word = escaped(word);
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      out << as_text(line) << '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) out << as_text(line) << '\n';
}

void describe_option(std::ostream& out, const OptionRow& option) {
  out << ".TP\n";
  if (option.argument) {
    out << italic(option.names[0]) << (option.repeatable ? "...\n" : "\n");
  } else {
    for (std::size_t i = 0; i < option.names.size(); ++i)
      out << (i == 0 ? "" : ", ") << bold(option.names[i]);
    if (!option.value.empty()) out << ' ' << italic(option.value);
    out << '\n';
  }
  print_text(out, option.text + (option.required && !option.argument ? " (required)" : ""));
}

/// Paragraphs and examples, in the middle or at the beginning of a section.
void print_section(std::ostream& out, const std::string& footer, bool begins_section = false) {
  bool example = false;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.rfind("  ", 0) == 0;
    if (indented != example) out << (indented ? ".RS\n.nf\n" : ".fi\n.RE\n");
    example = indented;
    if (indented) {
      out << as_text(escaped(line.substr(2))) << '\n';
    } else if (!line.empty()) {
      if (!begins_section) out << ".PP\n";
      begins_section = false;
      print_text(out, line);
    }
  }
  if (example) out << ".fi\n.RE\n";
}

/// "Model loading: --epoch, --params": their descriptions are in a section of their own.
void print_shared(std::ostream& out, const CommandRow& command, const std::string& group) {
  out << ".PP\n";
  std::string names;
  for (const OptionRow& option : command.options) {
    if (!option.argument && option.group == group) names += (names.empty() ? "" : ", ") + option.names.back();
  }
  print_text(out, group + ": " + names + ".");
}

void describe_command(std::ostream& out, const CommandRow& command) {
  out << ".SS \"mxinfer " << command.name << ' ' << escaped(usage_text(command)) << "\"\n";
  print_text(out, command.text + ".");
  for (const OptionRow& option : command.options) {
    if (option.argument || option.group == kOwnGroup) describe_option(out, option);
  }
  for (const std::string& group : groups_of(command)) {
    if (group != kOwnGroup) print_shared(out, command, group);
  }
  print_section(out, command.footer);
}

/// The names of all commands and what they do, by group.
void list_commands(std::ostream& out, const CommandTable& table) {
  out << ".SH COMMANDS\n";
  for (const CommandGroup& group : command_groups(table)) {
    out << ".SS " << group.title << '\n';
    for (const CommandRow& command : group.commands) {
      out << ".TP\n" << bold(command.name) << '\n';
      print_text(out, command.text + ".");
    }
  }
}

/// "Run" as "RUN".
std::string section_title(std::string title) {
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return title;
}

void print_groups(std::ostream& out, const CommandTable& table) {
  std::vector<OptionRow> shared;
  std::vector<std::string> groups;
  for (const CommandRow& command : table.commands) {
    for (const OptionRow& option : command.options) {
      if (option.argument || option.group == kOwnGroup) continue;
      if (std::find(groups.begin(), groups.end(), option.group) == groups.end())
        groups.push_back(option.group);
      const bool known = std::any_of(shared.begin(), shared.end(),
                                     [&](const OptionRow& other) { return other.names == option.names; });
      if (!known) shared.push_back(option);
    }
  }
  for (const std::string& group : groups) {
    out << ".SS " << group << '\n';
    for (const OptionRow& option : shared) {
      if (option.group == group) describe_option(out, option);
    }
  }
}

}  // namespace

std::string manual_page(const CommandTable& table) {
  std::ostringstream out;
  out << ".\\\" Made by `mxinfer --generate man`.\n"
      << ".TH MXINFER 1 \"\" \"mxinfer " << version() << "\" \"User Commands\"\n"
      << ".SH NAME\nmxinfer \\- run Apache MXNet models without MXNet\n"
      << ".SH SYNOPSIS\n.B mxinfer\n.I COMMAND\n[\\fIOPTIONS\\fR] ...\n"
      << ".SH DESCRIPTION\n";
  print_section(out, table.program.footer, true);
  out << ".SH OPTIONS\n";
  for (const OptionRow& option : table.program.options) describe_option(out, option);
  list_commands(out, table);
  for (const CommandGroup& group : command_groups(table)) {
    out << ".SH \"" << section_title(group.title) << "\"\n";
    for (const CommandRow& command : group.commands) describe_command(out, command);
  }
  out << ".SH SHARED OPTIONS\n";
  print_groups(out, table);
  out << ".SH ENVIRONMENT\n.TP\n.B MXINFER_TARGET\n";
  print_text(out, "Instruction set to use if --target is not given.");
  out << ".TP\n.B MXINFER_MAX_ISA\n";
  print_text(out,
             "Limits the instructions to those of a lesser CPU: baseline, avx2, avx512, avx512_bf16 or amx.");
  return out.str();
}

}  // namespace mxinfer::cli

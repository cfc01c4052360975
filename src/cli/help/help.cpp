#include "cli/help/help.h"

#include <CLI/CLI.hpp>
#include <sstream>

#include "cli/options/option_table.h"

namespace mxinfer::cli {
namespace {

/// Where the descriptions of options begin.
constexpr std::size_t kTextColumn = 30;

/// "  --top-k N" and the description beside it, or below it if the names are long.
void print_entry(std::ostream& out, const std::string& names, const std::string& text,
                 std::size_t column = kTextColumn) {
  out << "  " << names;
  if (names.size() + 4 > column) {
    out << '\n' << std::string(column, ' ');
  } else {
    out << std::string(column - names.size() - 2, ' ');
  }
  out << wrapped(text, column) << '\n';
}

void print_options(std::ostream& out, const CommandRow& command) {
  bool titled = false;
  for (const OptionRow& option : command.options) {
    if (!option.argument) continue;
    if (!titled) out << "\nArguments:\n";
    titled = true;
    print_entry(out, option.names[0] + (option.repeatable ? "..." : ""), option.text);
  }
  for (const std::string& group : groups_of(command)) {
    out << '\n' << group << ":\n";
    for (const OptionRow& option : command.options) {
      if (option.argument || option.group != group) continue;
      print_entry(out, names_text(option), option.text + (option.required ? " (required)" : ""));
    }
  }
}

void print_footer(std::ostream& out, const std::string& footer) {
  if (footer.empty()) return;
  out << '\n';
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);)
    out << (line.rfind("  ", 0) == 0 ? line : wrapped(line, 0)) << '\n';
}

void print_commands(std::ostream& out, const CLI::App& app) {
  constexpr std::size_t kNameColumn = 17;
  for (const CommandGroup& group : command_groups(command_table(app))) {
    out << '\n' << group.title << ":\n";
    for (const CommandRow& command : group.commands)
      print_entry(out, command.name, command.text, kNameColumn);
  }
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    const CommandRow command = command_row(*app);
    const std::string usage =
        app->get_subcommands({}).empty() ? usage_text(command) : "[OPTIONS] COMMAND ...";
    std::ostringstream out;
    out << wrapped(command.text, 0) << "\n\nUsage: " << name << ' ' << usage << '\n';
    print_commands(out, *app);
    print_options(out, command);
    print_footer(out, command.footer);
    return out.str();
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<HelpFormatter>();
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::istringstream words{std::string(text)};
  std::string result;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    const bool first = result.empty();
    if (!first && column + 1 + word.size() > kHelpColumns) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace mxinfer::cli

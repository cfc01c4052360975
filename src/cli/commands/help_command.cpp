// mxinfer help: prints what --help prints, of the named command or of mxinfer itself.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/commands/python_command.h"
#include "cli/help/parse_errors.h"
#include "cli/options/value_checks.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {
namespace {

int run_help(const CLI::App& app, const std::string& name) {
  const CLI::App* shown = &app;
  if (!name.empty()) {
    shown = nullptr;
    for (const CLI::App* command : app.get_subcommands({})) {
      if (command->get_name() == name) shown = command;
    }
    if (shown == nullptr && is_python_command({name})) run_python_command({name, "--help"});
    if (shown == nullptr) throw UsageError(no_such_command(app, name));
  }
  // App::help() would show the help of `help`, the command that the line names.
  std::cout << app.get_formatter()->make_help(shown, name.empty() ? "mxinfer" : "mxinfer " + name,
                                              CLI::AppFormatMode::Normal);
  return 0;
}

}  // namespace

void add_help(CLI::App& app, Run& run) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "Show the help of a command");
  offering(command->add_option("COMMAND", *name, "Command to describe (default: list all commands)"),
           command_names(app));
  command->set_help_flag("-h,--help", "Print this help");
  command->footer(
      "Examples:\n"
      "  mxinfer help\n"
      "  mxinfer help classify");
  command->callback([&run, &app, name] { run = [&app, name] { return run_help(app, *name); }; });
}

}  // namespace mxinfer::cli

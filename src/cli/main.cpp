// The mxinfer command: results go to standard output, everything else to standard error. It ends with 0, with
// 1 for an error that the user can mend, with 2 for a command line that makes no sense.
#include <mxinfer/error.h>
#include <mxinfer/version.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/command_words.h"
#include "cli/commands.h"
#include "cli/options.h"

namespace mxinfer::cli {
namespace {

constexpr int kUserError = 1;
constexpr int kUsageError = 2;

/// "classify"; nothing where the line names no command.
std::string command_of(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? "" : chosen.front()->get_name();
}

int usage_error(const CLI::App& app, const std::string& message) {
  const std::string command = command_of(app);
  std::cerr << "mxinfer: " << message << "\nSee 'mxinfer " << command << (command.empty() ? "" : " ")
            << "--help'.\n";
  return kUsageError;
}

/// What is wrong with the line, where the parser would only say that a command is missing.
std::string parse_message(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining();
  if (!app.get_subcommands().empty() || unknown.empty()) return error.what();
  std::string commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += (commands.empty() ? "" : ", ") + command->get_name();
  }
  return "'" + unknown.front() + "' is no command; the commands are " + commands;
}

int user_error(const std::string& message) {
  std::cerr << "mxinfer: " << message << '\n';
  return kUserError;
}

/// A full disk or a closed pipe must not look like success.
int finish(int code) {
  std::cout.flush();
  if (!std::cout) return user_error("writing to standard output failed");
  return code;
}

void describe(CLI::App& app) {
  app.set_version_flag("--version", std::string("mxinfer ") + version(), "Print the version");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  app.footer(
      "\nMODEL is a prefix (resnet18_v1 for resnet18_v1-symbol.json and resnet18_v1-0000.params), a symbol "
      "file,\n"
      "a folder that holds one model, or one file with the model in it (.mxz, model.tar.gz, .mar, zip, "
      "tar).\n\n"
      "Examples:\n"
      "  mxinfer inspect models/digits\n"
      "  mxinfer pack models/digits --output digits.mxz\n"
      "  mxinfer classify models/digits examples/images/seven.jpg --top-k 3\n"
      "  mxinfer predict resnet18_v1 --input data=batch.npy --output-dir out\n"
      "  mxinfer explain resnet18_v1 --shape data=1,3,224,224\n"
      "  mxinfer bench resnet18_v1 --shape data=1,3,224,224 --threads 1 --seconds 5\n"
      "  mxinfer tune resnet18_v1 --shape data=1,3,224,224 --save resnet18.tuning\n"
      "  mxinfer sign resnet18_v1 --output-prefix signed/resnet18_v1\n"
      "  mxinfer fuse --network resnet18_v1 --transforms imagenet.json --output end_to_end\n"
      "  mxinfer diff resnet18_v1 --reference dumped\n\n"
      "Each command has a --help of its own.");
}

int run_command(int argc, char** argv) {
  CLI::App app("Runs Apache MXNet models without MXNet.", "mxinfer");
  Run run;
  describe(app);
  add_inspect(app, run);
  add_pack(app, run);
  add_unpack(app, run);
  add_predict(app, run);
  add_classify(app, run);
  add_explain(app, run);
  add_bench(app, run);
  add_sign(app, run);
  add_fuse(app, run);
  add_verify(app, run);
  add_diff(app, run);
  add_tune(app, run);
  try {
    app.parse(argc, argv);
    return finish(run());
  } catch (const CLI::Success& help_or_version) {
    return finish(app.exit(help_or_version));
  } catch (const CLI::ParseError& e) {
    return usage_error(app, parse_message(app, e));
  } catch (const UsageError& e) {
    return usage_error(app, e.what());
  } catch (const Error& e) {
    return user_error(in_command_words(e.what(), command_of(app)));
  }
}

}  // namespace
}  // namespace mxinfer::cli

int main(int argc, char** argv) {
  using mxinfer::cli::user_error;
  try {
    return mxinfer::cli::run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    return user_error("the memory it needs was refused");
  } catch (const std::exception& e) {
    return user_error(std::string("internal error, please report it: ") + e.what());
  }
}

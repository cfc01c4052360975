// The mxinfer command: results go to standard output, everything else to standard error. It ends with 0, with
// 1 for an error that the user can mend, with 2 for a command line that makes no sense.
#include <mxinfer/error.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/commands/python_command.h"
#include "cli/help/former_names.h"
#include "cli/help/generated_files.h"
#include "cli/help/help.h"
#include "cli/help/parse_errors.h"
#include "cli/help/version_text.h"
#include "cli/options/bracket_words.h"
#include "cli/output/command_words.h"
#include "cli/output/output.h"
#include "cli/output/transfer_bar.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {
namespace {

constexpr int kUserError = 1;
constexpr int kUsageError = 2;

int usage_error(const CLI::App& app, const std::string& message) {
  const std::string command = command_of(app);
  std::cerr << "mxinfer: " << message << "\nSee 'mxinfer " << command << (command.empty() ? "" : " ")
            << "--help'.\n";
  return kUsageError;
}

int user_error(const std::string& message) {
  hide_transfers();
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
  app.formatter(help_formatter());
  app.set_version_flag("-V,--version", version_text(), "Print the version, and how the command was built");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  app.footer(
      "MODEL is a prefix (resnet18_v1 for resnet18_v1-symbol.json and resnet18_v1-0000.params), a symbol "
      "file, "
      "a folder that holds one model, or one file with the model in it (.mxz, model.tar.gz, .mar, zip, "
      "tar).\n"
      "\n"
      "`mxinfer predict-table`, which runs a model on the rows of Parquet and Arrow files, is of the Python "
      "package; `mxinfer predict-table --help` says more.\n\n"
      "Results go to standard output, all else to standard error. The exit code is 0, 1 for an error that "
      "the "
      "message says how to mend, 2 for a command line that makes no sense.\n\n"
      "Examples:\n"
      "  mxinfer inspect models/digits\n"
      "  mxinfer fetch https://models.example/digits\n"
      "  mxinfer pack models/digits --output digits.mxz\n"
      "  mxinfer classify models/digits examples/images/seven.jpg --top-k 3\n"
      "  mxinfer classify-text language_id 'Wo ist der Bahnhof?'\n"
      "  mxinfer detect ssd_512 street.jpg --height 512 --width 512 --output-dir drawn\n"
      "  mxinfer embed models/digits examples/images/seven.jpg examples/images/nine.jpg --compare\n"
      "  mxinfer words examples/words/vectors.txt --nearest king -k 3\n"
      "  mxinfer generate models/sentences --vocabulary models/sentences/vocab.json --prompt \"the cat\"\n"
      "  mxinfer predict resnet18_v1 --input data=batch.npy --output out\n"
      "  mxinfer explain resnet18_v1 --shape data=1,3,224,224\n"
      "  mxinfer bench resnet18_v1 --shape data=1,3,224,224 --threads 1 --seconds 5\n"
      "  mxinfer tune resnet18_v1 --shape data=1,3,224,224 --output resnet18.tuning\n"
      "  mxinfer sign resnet18_v1 --output signed/resnet18_v1\n"
      "  mxinfer fuse --network resnet18_v1 --transforms imagenet.json --output end_to_end\n"
      "  mxinfer diff resnet18_v1 --reference dumped\n"
      "  mxinfer help classify");
}

void add_commands(CLI::App& app, Run& run) {
  add_inspect(app, run);
  add_pack(app, run);
  add_unpack(app, run);
  add_fetch(app, run);
  add_cache(app, run);
  add_predict(app, run);
  add_classify(app, run);
  add_classify_text(app, run);
  add_detect(app, run);
  add_segment(app, run);
  add_embed(app, run);
  add_words(app, run);
  add_generate(app, run);
  add_explain(app, run);
  add_bench(app, run);
  add_sign(app, run);
  add_fuse(app, run);
  add_verify(app, run);
  add_diff(app, run);
  add_tune(app, run);
  add_help(app, run);
  take_guards_away(app);
}

/// The words without that of the program. The parser wants them from the last to the first.
void parse(CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());
  app.parse(std::move(words));
}

int run_command(const std::vector<std::string>& words) {
  CLI::App app("Runs Apache MXNet models without MXNet.", "mxinfer");
  Run run;
  describe(app);
  add_commands(app, run);
  try {
    if (is_python_command(words)) run_python_command(words);
    if (!words.empty() && words[0] == kGenerateFlag) return finish(print_generated_file(app, words));
    std::vector<std::string> warnings;
    parse(app, with_guarded_brackets(with_current_names(words, warnings)));
    print_warnings(warnings);
    return finish(run());
  } catch (const CLI::Success& help_or_version) {
    return finish(app.exit(help_or_version));
  } catch (const CLI::ParseError& e) {
    return usage_error(app, explain_parse_error(app, e));
  } catch (const UsageError& e) {
    return usage_error(app, in_command_words(e.what()));
  } catch (const Error& e) {
    return user_error(in_command_words(e.what()));
  }
}

}  // namespace
}  // namespace mxinfer::cli

int main(int argc, char** argv) {
  using mxinfer::cli::user_error;
  try {
    return mxinfer::cli::run_command({argv + std::min(argc, 1), argv + argc});
  } catch (const std::bad_alloc&) {
    return user_error("the memory it needs was refused");
  } catch (const std::exception& e) {
    return user_error(std::string("internal error, please report it: ") + e.what());
  }
}

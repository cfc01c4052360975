// The mxinfer command. Results go to standard output, everything else to standard error. The exit code is 0
// on success, 1 on failure and 2 if the command line is invalid.
#include <mxinfer/error.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <initializer_list>
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
  if (!std::cout)
    return user_error("cannot write to standard output: the disk may be full, or the pipe closed");
  return code;
}

void describe(CLI::App& app) {
  app.formatter(help_formatter());
  app.set_version_flag("-V,--version", version_text(), "Print the version and build information");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  app.footer(
      "MODEL is a prefix (resnet18_v1 for resnet18_v1-symbol.json and resnet18_v1-0000.params), a symbol "
      "file, a folder that holds one model, an archive (.mxz, model.tar.gz, .mar, zip, tar), or the address "
      "of one of these.\n\n"
      "To see the options of a command, run `mxinfer help COMMAND` or `mxinfer COMMAND --help`.\n\n"
      "The Python package provides `mxinfer predict-table`, which runs a model on the rows of Parquet and "
      "Arrow files. `mxinfer predict-table --help` shows its options.\n\n"
      "Results go to standard output, everything else to standard error. The exit code is 0 on success, 1 on "
      "failure (the message says how to fix it) and 2 if the command line is invalid.\n\n"
      "Examples:\n"
      "  mxinfer classify models/digits examples/images/seven.jpg --top-k 3\n"
      "  mxinfer detect models/digit_detector models/digit_detector/scenes --output-dir drawn\n"
      "  mxinfer embed models/digits examples/images/seven.jpg examples/images/nine.jpg --compare\n"
      "  mxinfer classify-text models/language_id 'Wo ist der Bahnhof?'\n"
      "  mxinfer generate models/sentences --vocabulary models/sentences/vocab.json --prompt \"the cat\"\n"
      "  mxinfer words examples/words/vectors.txt --nearest king -k 3\n"
      "  mxinfer predict resnet18_v1 --input data=batch.npy --output out\n"
      "  mxinfer inspect models/digits\n"
      "  mxinfer explain resnet18_v1 --shape data=1,3,224,224\n"
      "  mxinfer diff resnet18_v1 --reference dumped\n"
      "  mxinfer sign resnet18_v1 --output signed/resnet18_v1\n"
      "  mxinfer fuse --network resnet18_v1 --transforms imagenet.json --output end_to_end\n"
      "  mxinfer quantize models/digits --images examples/images --output digits_int8.mxz\n"
      "  mxinfer pack models/digits --output digits.mxz\n"
      "  mxinfer fetch https://models.example/digits\n"
      "  mxinfer bench resnet18_v1 --shape data=1,3,224,224 --threads 1 --seconds 5\n"
      "  mxinfer tune resnet18_v1 --shape data=1,3,224,224 --output resnet18.tuning\n"
      "  mxinfer help classify");
}

void add_commands(CLI::App& app, Run& run) {
  using Add = void (*)(CLI::App&, Run&);
  const auto add_group = [&](const char* title, std::initializer_list<Add> commands) {
    for (const Add add : commands) {
      add(app, run);
      app.get_subcommands({}).back()->group(title);
    }
  };
  add_group("Run", {add_classify, add_detect, add_segment, add_embed, add_classify_text, add_generate,
                    add_words, add_predict});
  add_group("Inspect", {add_inspect, add_explain, add_verify, add_diff});
  add_group("Prepare", {add_sign, add_fuse, add_quantize, add_pack, add_unpack, add_fetch, add_cache});
  add_group("Measure", {add_bench, add_tune});
  add_group("Inspect", {add_help});  // last: it knows the commands that are there
  take_guards_away(app);
}

/// `words` are those behind the program's name. The parser expects them from the last to the first.
void parse(CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());
  app.parse(std::move(words));
}

int run_command(const std::vector<std::string>& words) {
  CLI::App app("Run Apache MXNet models without MXNet", "mxinfer");
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
    return user_error("out of memory: the system refused an allocation");
  } catch (const std::exception& e) {
    return user_error(std::string("internal error, please report it: ") + e.what());
  }
}

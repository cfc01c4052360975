// The manual and the shell completions hold every command and option, and man, bash and zsh accept them.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "all_commands.h"
#include "cli/run_command.h"
#include "support/files/temp_dir.h"

namespace mxinfer::test {
namespace {

namespace fs = std::filesystem;

/// "--top-k" and "-k" of a command, from its --help.
std::vector<std::string> options_of(const std::string& command) {
  static const std::regex line(R"(\n  (-[^ ,\n]+(?:, -[^ ,\n]+)*))"), name(R"(-[-\w]+)");
  const std::string help = command.empty() ? output_of({"--help"}) : output_of({command, "--help"});
  std::vector<std::string> options;
  for (std::sregex_iterator found(help.begin(), help.end(), line), end; found != end; ++found) {
    const std::string names = (*found)[1];
    for (std::sregex_iterator one(names.begin(), names.end(), name); one != end; ++one)
      options.push_back(one->str());
  }
  EXPECT_GE(options.size(), command == "help" ? 2u : 4u) << command;
  return options;
}

bool has_program(const std::string& name) {
  return run_program({"/bin/sh", "-c", "command -v \"$0\"", name}).exit_code == 0;
}

/// The formatted manual.
std::string shown(const std::string& page) {
  const TempDir dir;
  const Outcome outcome =
      run_program({"/bin/sh", "-c", "man --warnings -l \"$0\" 2>&1 | col -bx", dir.write("mxinfer.1", page)},
                  {{"MANWIDTH", "200"}, {"LC_ALL", "C"}});
  return outcome.out;
}

TEST(CliManual, HoldsEveryCommandAndOption) {
  std::string page = output_of({"--generate", "man"});
  for (std::size_t at; (at = page.find("\\-")) != std::string::npos;) page.erase(at, 1);
  for (const std::string& command : kAllCommands) {
    const std::size_t begin = page.find(".SS \"mxinfer " + command + " [OPTIONS]");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string section = page.substr(begin, page.find("\n.S", begin + 1) - begin);
    for (const std::string& option : options_of(command)) {
      // Shared options are described once; the command lists their long names.
      EXPECT_TRUE(section.find("\\fB" + option + "\\fR") != std::string::npos ||
                  page.find("\\fB" + option + "\\fR", page.find(".SH SHARED OPTIONS")) != std::string::npos)
          << command << " lacks " << option;
      if (option.rfind("--", 0) == 0) {
        EXPECT_TRUE(std::regex_search(section, std::regex(option + "\\b"))) << option;
      }
    }
  }
  for (const std::string& option : options_of("")) EXPECT_NE(page.find("\\fB" + option), std::string::npos);
}

TEST(CliManual, ListsTheCommandsByGroup) {
  const std::string page = output_of({"--generate", "man"});
  expect_facts(page, {".SH COMMANDS\n.SS Run\n.TP\n\\fBclassify\\fR\n", "\n.SS Measure\n.TP\n\\fBbench\\fR\n",
                      "\n.SH \"RUN\"\n.SS \"mxinfer classify ", "\n.SH \"INSPECT\"\n.SS \"mxinfer inspect "});
}

TEST(CliManual, ManTakesIt) {
  if (!has_program("man") || !has_program("col")) GTEST_SKIP() << "there is no man";
  const std::string text = shown(output_of({"--generate", "man"}));
  EXPECT_EQ(text.find(": warning"), std::string::npos) << text;
  EXPECT_EQ(text.find("can't find"), std::string::npos) << text;
  expect_facts(text, {"mxinfer - run Apache MXNet models without MXNet", "-k, --top-k N",
                      "mxinfer classify models/digits examples/images/seven.jpg --top-k 3",
                      R"([{"op": "resize", "size": [224, 224]})", "--describe-output resnetv10_dense0_fwd"});
  EXPECT_TRUE(std::regex_search(text, std::regex(R"(\\\n +--describe-output)")))
      << "a line that goes on has its \\";
}

TEST(CliManual, MandocTakesIt) {
  if (!has_program("mandoc")) GTEST_SKIP() << "there is no mandoc";
  const TempDir dir;
  const Outcome outcome = run_program({"/usr/bin/env", "mandoc", "-Tlint", "-Werror",
                                       dir.write("mxinfer.1", output_of({"--generate", "man"}))});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

class CliBashCompletion : public testing::Test {
 protected:
  /// The completions of the last word in bash, with `set -u` as a user may have it.
  std::vector<std::string> offered(const std::vector<std::string>& words) const {
    const std::string script =
        "set -u; source \"$0\"; COMP_WORDS=(mxinfer \"$@\"); COMP_CWORD=$#; _mxinfer; "
        "((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"; exit 0";
    std::vector<std::string> arguments = {"/bin/bash", "-c", script, file};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    std::vector<std::string> lines;
    std::istringstream stream(outcome.out);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  const TempDir dir;
  const std::string file = dir.write("mxinfer", output_of({"--generate", "bash"}));
};

TEST_F(CliBashCompletion, BashTakesIt) {
  const Outcome outcome = run_program({"/bin/bash", "-n", file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CliBashCompletion, OffersEveryCommandAndOption) {
  using Arguments = std::vector<std::string>;
  EXPECT_EQ(offered({"cl"}), (Arguments{"classify", "classify-text"}));
  EXPECT_EQ(offered({"--ver"}), Arguments{"--version"});
  EXPECT_EQ(offered({"help", "un"}), Arguments{"unpack"});
  for (const std::string& command : kAllCommands) {
    const Arguments begun = offered({command});  // "classify" begins two
    EXPECT_NE(std::find(begun.begin(), begun.end(), command), begun.end());
    for (const std::string& option : options_of(command)) {
      const Arguments words = offered({command, option});
      EXPECT_NE(std::find(words.begin(), words.end(), option), words.end()) << command << ' ' << option;
    }
  }
}

TEST_F(CliBashCompletion, OffersValues) {
  using Arguments = std::vector<std::string>;
  EXPECT_EQ(offered({"classify", "m", "--preset", "ins"}), Arguments{"insightface"});
  EXPECT_EQ(offered({"classify", "m", "--preset", "=", "ins"}), Arguments{"insightface"});
  EXPECT_EQ(offered({"explain", "--precision", "="}), (Arguments{"float32", "bfloat16", "tf32", "float16"}));
  EXPECT_EQ(offered({"diff", "m", "--reference", dir.path() + "/no"}), Arguments{});
  fs::create_directory(dir / "dumped");
  dir.write("dumb.npy", "");
  EXPECT_EQ(offered({"diff", "m", "--reference", dir / "dum"}), Arguments{dir / "dumped"});
  EXPECT_EQ(offered({"classify", "m", "--labels", dir / "dum"}), Arguments{})
      << "bash completes files by itself";
}

TEST(CliZshCompletion, HoldsEveryCommandAndOption) {
  const std::string text = output_of({"--generate", "zsh"});
  EXPECT_EQ(text.rfind("#compdef mxinfer\n", 0), 0u);
  for (const std::string& command : kAllCommands) {
    EXPECT_NE(text.find("'" + command + ":"), std::string::npos) << command;
    const std::size_t begin = text.find("\n    " + command + ")\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string section = text.substr(begin, text.find(";;", begin) - begin);
    for (const std::string& option : options_of(command))
      EXPECT_TRUE(std::regex_search(section, std::regex("[*)]" + option + "[=+]?\\[")))
          << command << ' ' << option;
  }
  expect_facts(text, {"(raw imagenet ", "_files -/", "_describe -t commands-Run 'Run' commands"});
}

TEST(CliZshCompletion, ZshTakesIt) {
  if (!has_program("zsh")) GTEST_SKIP() << "there is no zsh";
  const TempDir dir;
  const Outcome outcome = run_program(
      {"/usr/bin/env", "zsh", "-f", "-n", dir.write("_mxinfer", output_of({"--generate", "zsh"}))});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

TEST(CliGenerate, TheBuildHasWrittenWhatIsInstalled) {
  const fs::path share = fs::path(MXINFER_BINARY_DIR) / "share";
  EXPECT_EQ(read_file((share / "man/man1/mxinfer.1").string()), output_of({"--generate", "man"}));
  EXPECT_EQ(read_file((share / "bash-completion/completions/mxinfer").string()),
            output_of({"--generate", "bash"}));
  EXPECT_EQ(read_file((share / "zsh/site-functions/_mxinfer").string()), output_of({"--generate", "zsh"}));
}

TEST(CliGenerate, SaysWhatItMakes) {
  expect_usage_error({"--generate"}, {"invalid value '' for --generate: expected man, bash or zsh"});
  expect_usage_error({"--generate", "bsh"}, {"invalid value 'bsh' for --generate", "; did you mean 'bash'"});
}

}  // namespace
}  // namespace mxinfer::test

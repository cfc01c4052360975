// --help: groups, width, short forms, and mxinfer help.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "all_commands.h"
#include "cli/run_command.h"

namespace mxinfer::test {
namespace {

TEST(CliHelp, NoLineIsWiderThanAHundredColumns) {
  std::vector<std::vector<std::string>> calls = {{"--help"}};
  for (const std::string& command : kAllCommands) calls.push_back({command, "--help"});
  for (const auto& call : calls) {
    std::istringstream lines(output_of(call));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100u) << call[0] << ": " << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << call[0] << ": '" << line << "'";
    }
  }
}

TEST(CliHelp, CommandsAreInFourGroups) {
  const std::string help = output_of({"--help"});
  std::size_t last = 0;
  for (const char* text :
       {"\n\nRun:\n  classify       Classify images\n", "\n  predict  ",
        "\n\nInspect:\n  inspect        Show a model's inputs, outputs and operators\n", "\n  help  ",
        "\n\nPrepare:\n  sign  ", "\n\nMeasure:\n  bench          Measure latency, throughput and memory\n",
        "\n\nOptions:\n"}) {
    const std::size_t at = help.find(text);
    ASSERT_NE(at, std::string::npos) << text << " is not in\n" << help;
    EXPECT_GE(at + 1, last) << text;
    last = at;
  }
}

TEST(CliHelp, TheCommandsOwnOptionsComeFirst) {
  const std::string help = output_of({"classify", "--help"});
  std::size_t last = 0;
  for (const char* title :
       {"Usage: mxinfer classify [OPTIONS] MODEL [IMAGE...]\n", "\nArguments:\n  MODEL ", "\nOptions:\n",
        "\n  -k, --top-k N ", "\n  --json ", "\nModel loading:\n", "\n  --epoch N ", "\nExecution:\n",
        "\n  -t, --threads N ", "\nImage preprocessing:\n", "\n  --preset NAME ", "\nExamples:\n"}) {
    const std::size_t at = help.find(title);
    ASSERT_NE(at, std::string::npos) << title << " is not in\n" << help;
    EXPECT_GT(at + 1, last) << title;
    last = at;
  }
}

TEST(CliHelp, IsACommandToo) {
  EXPECT_EQ(output_of({"help"}), output_of({"--help"}));
  for (const std::string& command : kAllCommands)
    EXPECT_EQ(output_of({"help", command}), output_of({command, "--help"}));
  expect_usage_error({"help", "classify", "bench"}, {"unexpected argument 'bench': help takes [COMMAND]"});
}

TEST(CliHelp, ShortFormsAreTheLongOnes) {
  const std::string image = image_path("one.jpg");
  EXPECT_EQ(json_of({"classify", digits(), image, "-k", "2", "-t", "1", "-b", "3"}),
            json_of({"classify", digits(), image, "--top-k", "2", "--threads", "1", "--batch-size", "3"}));
  EXPECT_EQ(json_of({"classify", digits(), image, "-k2", "-t1"}),
            json_of({"classify", digits(), image, "--top-k=2", "--threads=1"}));
  EXPECT_EQ(output_of({"-h"}), output_of({"--help"}));
}

TEST(CliHelp, QuietLeavesWarningsOut) {
  const std::vector<std::string> arguments = {"explain", digits(), "--threads", "1000"};
  EXPECT_NE(mxinfer(arguments).err, "");
  for (const char* quiet : {"-q", "--quiet"}) {
    std::vector<std::string> silent = arguments;
    silent.emplace_back(quiet);
    expect_facts(output_of(silent), {"1000 threads"});
  }
  std::vector<std::string> many = {MXINFER_COMMAND, "classify", digits(), "-q"};
  for (int i = 0; i < 24; ++i) many.push_back(image_path("one.jpg"));
  EXPECT_EQ(run_program(many, {}, 240, StandardError::terminal).err, "");
  // Errors are not warnings.
  expect_user_error({"inspect", "nowhere", "-q"}, {"nowhere"});
}

}  // namespace
}  // namespace mxinfer::test

// mxinfer tune, and the commands that take its file.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

class CliTune : public testing::Test {
 protected:
  TempDir dir;
  std::string file = dir / "digits.tuning";
};

TEST_F(CliTune, SavesWhatExplainThenShows) {
  const Json report = json_of({"tune", digits(), "--threads", "1", "--output", file});
  EXPECT_EQ(report.at("threads"), 1);
  ASSERT_FALSE(report.at("choices").empty());
  const Json saved = Json::parse(read_file(file));
  EXPECT_EQ(saved.at("format"), "mxinfer tuning");
  EXPECT_EQ(saved.at("version"), 1);
  EXPECT_EQ(saved.at("choices"), report.at("choices"));
  expect_facts(output_of({"explain", digits(), "--threads", "1", "--tuning", file}),
               {"tuned: ", "predicted: "});
  expect_facts(output_of({"tune", digits(), "--threads", "1", "--output", file}),
               {"conv_nhwc_direct_f32", " ms", "saved in", file});
}

TEST_F(CliTune, WarnsOfAFileOfAnotherMachine) {
  json_of({"tune", digits(), "--threads", "1", "--output", file});
  Json saved = Json::parse(read_file(file));
  saved["machine"]["cores"] = 4096;
  dir.write("digits.tuning", saved.dump());
  const std::vector<std::string> options = {"--threads", "1", "--tuning", file};
  for (std::vector<std::string> arguments : {std::vector<std::string>{"explain", digits()},
                                             {"bench", digits(), "--seconds", "0.01"},
                                             {"classify", digits(), image_path("three.jpg")}}) {
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = mxinfer(arguments);
    EXPECT_EQ(outcome.exit_code, 0);
    expect_facts(outcome.err, {"mxinfer: warning: ", "digits.tuning", "ignored", "4096 cores"});
    EXPECT_EQ(outcome.out.find("tuned: "), std::string::npos);
  }
}

TEST_F(CliTune, WrongFilesAndPlacesAreErrors) {
  expect_user_error({"explain", digits(), "--tuning", dir / "none.tuning"}, {"none.tuning"});
  expect_user_error({"explain", digits(), "--tuning", dir.write("odd.tuning", "{\"format\": 3}")},
                    {"odd.tuning", "format"});
  const std::string taken = dir.write("taken", "a file");
  expect_user_error({"tune", digits(), "--output", taken + "/below/file"}, {"--output", taken + "/below"});
  expect_usage_error({"tune", digits()}, {"--output"});
}

TEST_F(CliTune, ExplainSaysWhatIsShared) {
  const Outcome outcome = mxinfer({"explain", digits(), "--threads", "1000"});
  EXPECT_EQ(outcome.exit_code, 0);
  expect_facts(outcome.err, {"mxinfer: warning: 1000 threads share"});
}

TEST_F(CliTune, MoreThreadsThanCoresAreWarnedOfOnce) {
  const Outcome outcome = mxinfer({"bench", digits(), "--threads", "300", "--seconds", "0.01"});
  EXPECT_EQ(outcome.exit_code, 0);
  expect_facts(outcome.err, {"mxinfer: warning: 300 threads share"});
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST_F(CliTune, WinogradsWeightsAreBounded) {
  const std::string text = output_of({"explain", digits(), "--threads", "1", "--max-winograd-mb", "0"});
  EXPECT_EQ(text.find("conv_nhwc_winograd4_f32 ["), std::string::npos) << text;
}

}  // namespace
}  // namespace mxinfer::test

// mxinfer classify --activation and --min-score.
#include <gtest/gtest.h>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/networks/tiny_models.h"

namespace mxinfer::test {
namespace {

/// The scores of a network whose outputs are not probabilities.
std::vector<double> scores(const std::vector<std::string>& options) {
  const TempDir dir;
  dir.write("net-symbol.json", channel_means_json());
  std::vector<std::string> arguments = {"classify", dir / "net", image_path("seven.jpg"), "--all"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  std::vector<double> found;
  const nlohmann::json report = json_of(arguments);
  for (const auto& entry : report.at("images").at(0).at("classes")) found.push_back(entry.at("score"));
  return found;
}

TEST(CliActivation, SoftmaxMakesScoresOfOneClass) {
  const std::vector<double> raw = scores({}), soft = scores({"--activation", "softmax"});
  ASSERT_EQ(raw.size(), 3u);
  ASSERT_EQ(soft.size(), 3u);
  EXPECT_GT(raw[0] + raw[1] + raw[2], 10);
  EXPECT_NEAR(soft[0] + soft[1] + soft[2], 1, 1e-5);
  EXPECT_LT(scores({"--activation", "softmax", "--min-score", "0.5"}).size(), 3u);
}

TEST(CliActivation, MessagesNameTheOption) {
  const auto classify = [](const std::string& option, const std::string& value) {
    return std::vector<std::string>{"classify", digits(), image_path("seven.jpg"), option, value};
  };
  expect_failure(1, classify("--activation", "softmax"),
                 {"already ends in a softmax, and --activation (softmax)"});
  expect_failure(2, classify("--activation", "sofmax"), {"--activation", "softmax"});
  expect_failure(2, classify("--min-score", "much"), {"--min-score", "'much'"});
}

}  // namespace
}  // namespace mxinfer::test

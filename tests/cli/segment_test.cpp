// mxinfer segment: areas, label images, coloured images, and errors.
#include <gtest/gtest.h>
#include <mxinfer/vision/encode.h>
#include <mxinfer/vision/label_image.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_command.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"

namespace mxinfer::test {
namespace {

namespace fs = std::filesystem;

/// A network whose classes are red, green and blue, and images of which a quarter is red, the rest green.
class CliSegment : public testing::Test {
 protected:
  CliSegment() {
    folder.write("net-symbol.json", R"json({"nodes": [
      {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 16, 32)"}, "inputs": []},
      {"op": "_copy", "name": "out", "inputs": [[0, 0, 0]]}], "arg_nodes": [0], "heads": [[1, 0, 0]],
      "attrs": {"mxnet_version": ["int", 10901]}})json");
    const auto params = ParamsWriter().finish();
    folder.write("net-0000.params", {reinterpret_cast<const char*>(params.data()), params.size()});
    folder.write("synset.txt", "red\ngreen\nblue\n");
    fs::create_directories(folder / "more");
    write_image(halves(64, 48), folder / "a.png");
    write_image(halves(40, 20), folder / "more/a.png");
  }

  static Image halves(int width, int height) {
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < width * height; ++i) {
      const bool red = i % width < width / 4;
      pixels.insert(pixels.end(), {static_cast<std::uint8_t>(red ? 200 : 20),
                                   static_cast<std::uint8_t>(red ? 20 : 200), 20});
    }
    return Image(width, height, 3, pixels);
  }

  TempDir folder;
};

TEST_F(CliSegment, PrintsHowMuchEachClassCovers) {
  EXPECT_EQ(output_of({"segment", folder / "net", folder / "a.png"}),
            (folder / "a.png") + "\n  0.750000  green\n  0.250000  red\n");
  const auto report = json_of({"segment", folder / "net", folder / "a.png"});
  const auto& image = report.at("images")[0];
  EXPECT_EQ(image.at("width"), 64);
  EXPECT_EQ(image.at("height"), 48);
  EXPECT_EQ(image.at("areas")[0],
            (nlohmann::json{{"label", "green"}, {"index", 1}, {"pixels", 48 * 48}, {"part", 0.75}}));
  EXPECT_FALSE(image.contains("picture"));
}

TEST_F(CliSegment, WritesLabelImagesAndColoursOverImages) {
  const std::string out = folder / "out";
  const auto report =
      json_of({"segment", folder / "net", folder / "a.png", folder / "more/a.png", "--output-dir", out});
  ASSERT_EQ(report.at("images").size(), 2u);
  EXPECT_EQ(report.at("images")[0].at("picture"), out + "/a.png");
  EXPECT_EQ(report.at("images")[0].at("label_image"), out + "/a_labels.png");
  EXPECT_EQ(report.at("images")[1].at("picture"), out + "/a-2.png");
  EXPECT_EQ(report.at("images")[1].at("label_image"), out + "/a-2_labels.png");
  const Image labels = read_image(out + "/a_labels.png"), picture = read_image(out + "/a.png");
  EXPECT_EQ(labels.size(), (Size{64, 48}));
  EXPECT_EQ(read_image(out + "/a-2_labels.png").size(), (Size{40, 20}));
  for (int x : {0, 15, 16, 63}) {
    const auto color = label_color(x < 16 ? 0 : 1);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto at = static_cast<std::size_t>(3 * x) + c;
      EXPECT_EQ(labels.pixels()[at], color[c]);
      const int before = c == (x < 16 ? 0u : 1u) ? 200 : 20;
      EXPECT_NEAR(picture.pixels()[at], (before + color[c]) / 2.0, 1);
    }
  }
}

TEST_F(CliSegment, WritesTheLabelImagesAlone) {
  const std::string out = folder / "out";
  output_of({"segment", folder / "net", folder / "a.png", "--output-dir", out, "--labels-only"});
  EXPECT_EQ(read_image(out + "/a.png").size(), (Size{64, 48}));
  EXPECT_FALSE(fs::exists(out + "/a_labels.png"));
  expect_usage_error({"segment", folder / "net", folder / "a.png", "--labels-only"},
                     {"--labels-only", "--output-dir"});
}

// The working folder is treated like any other folder.
TEST_F(CliSegment, NamesDoNotDependOnTheWorkingFolder) {
  const auto run_in = [&](const std::string& arguments) {
    const Outcome outcome = run_program(
        {"/bin/sh", "-c", "cd '" + folder.path() + "' && '" MXINFER_COMMAND "' segment net " + arguments});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  run_in("more/a.png --output-dir .");
  EXPECT_TRUE(fs::exists(folder / "a_labels.png"));
  EXPECT_FALSE(fs::exists(folder / "a-2.png"));
  write_image(halves(20, 20), folder / "more/street.v2.png");
  run_in("more/street.v2.png --output-dir . --labels-only");
  EXPECT_TRUE(fs::exists(folder / "street.v2.png"));
}

TEST_F(CliSegment, DetectionsAreNoMap) {
  expect_user_error({"segment", MXINFER_SOURCE_DIR "/models/digit_detector", folder / "a.png"},
                    {"nothing for pixels", "(batch, height, width)"});
}

TEST_F(CliSegment, LeavesOutWhatIsUnsure) {
  EXPECT_EQ(output_of({"segment", folder / "net", folder / "a.png", "--min-score", "300"}),
            (folder / "a.png") + "\n");
  EXPECT_EQ(output_of({"segment", folder / "net", folder / "a.png", "--activation", "softmax", "--min-score",
                       "0.9", "--nearest"}),
            (folder / "a.png") + "\n  0.750000  green\n  0.250000  red\n");
}

TEST_F(CliSegment, ReportsWhatIsWrongAndRunsTheRest) {
  folder.write("b.png", "no image");
  const Outcome outcome = mxinfer({"segment", folder / "net", folder / "b.png", folder / "a.png"});
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {"b.png"});
  expect_facts(outcome.out, {"green"});
  expect_user_error({"segment", digits(), folder / "a.png"}, {"nothing for pixels", "(-1, 10)"});
  expect_usage_error({"segment", folder / "net"}, {"segment requires an IMAGE"});
}

}  // namespace
}  // namespace mxinfer::test

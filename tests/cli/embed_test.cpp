// mxinfer embed: embeddings of images as text, JSON and .npy, and the cosines of pairs.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

const std::string kSeven = image_path("seven.jpg"), kNine = image_path("nine.jpg");

std::vector<float> vector_of(const Json& image) {
  return image.at("vector").get<std::vector<float>>();
}

double length_of(const std::vector<float>& vector) {
  double sum = 0;
  for (const float value : vector) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

TEST(CliEmbed, PrintsARowForEachImageAndTheCosineOfEachPair) {
  const std::string plain = output_of({"embed", digits(), kSeven, kNine});
  expect_facts(plain, {kSeven, kNine, "10 numbers", "..."});
  EXPECT_EQ(plain.find("cosine"), std::string::npos);
  const std::string text = output_of({"embed", digits(), kSeven, kNine, kSeven, "--compare"});
  const std::string pairs = text.substr(text.find("cosine\n") + 7);
  EXPECT_EQ(std::count(pairs.begin(), pairs.end(), '\n'), 3);
  expect_facts(pairs, {"1.0000  " + kSeven + "  " + kSeven});
}

TEST(CliEmbed, JsonHasWholeVectorsOfLengthOne) {
  const Json report = json_of({"embed", digits(), kSeven, kNine, "--compare"});
  ASSERT_EQ(report.at("images").size(), 2u);
  double cosine = 0;
  const std::vector<float> seven = vector_of(report["images"][0]), nine = vector_of(report["images"][1]);
  ASSERT_EQ(seven.size(), 10u);
  EXPECT_NEAR(length_of(seven), 1.0, 1e-6);
  for (std::size_t i = 0; i < seven.size(); ++i)
    cosine += static_cast<double>(seven[i]) * static_cast<double>(nine[i]);
  ASSERT_EQ(report.at("pairs").size(), 1u);
  EXPECT_EQ(report["pairs"][0].at("second"), kNine);
  EXPECT_NEAR(report["pairs"][0].at("cosine").get<double>(), cosine, 1e-5);
  EXPECT_EQ(json_of({"embed", digits(), kSeven}).count("pairs"), 0u);
}

TEST(CliEmbed, RawVectorsAreTheNetworksOutput) {
  const std::vector<float> raw = vector_of(json_of({"embed", digits(), kSeven, "--raw"})["images"][0]);
  const Json classes = json_of({"classify", digits(), kSeven, "--all"})["images"][0].at("classes");
  ASSERT_EQ(raw.size(), classes.size());
  for (std::size_t i = 0; i < raw.size(); ++i) EXPECT_FLOAT_EQ(raw[i], classes[i].at("score").get<float>());
}

TEST(CliEmbed, WritesAnArrayWithARowForEachImage) {
  const TempDir dir;
  const std::string file = dir / "deep/vectors.npy", broken = dir.write("broken.jpg", "no image");
  const Outcome outcome = mxinfer({"embed", digits(), kSeven, broken, kNine, "--output", file, "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {broken});
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report["images"][1].at("error").at("code"), "malformed");
  const Tensor rows = load_npy(file);
  ASSERT_EQ(rows.shape(), (Shape{3, 10}));
  const std::vector<float> nine = vector_of(report["images"][2]);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_TRUE(std::isnan(rows.data<float>()[10 + i]));
    EXPECT_FLOAT_EQ(rows.data<float>()[20 + i], nine[i]);
  }
}

TEST(CliEmbed, WritesNoFileIfNoImageCanBeRead) {
  const TempDir dir;
  const Outcome outcome = mxinfer({"embed", digits(), "nowhere.jpg", "--output", dir / "vectors.npy"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(dir / "vectors.npy"));
}

TEST(CliEmbed, BatchesGiveTheSameVectors) {
  const Json alone = json_of({"embed", digits(), kSeven, kNine, "--batch-size", "1"})["images"];
  const Json together = json_of({"embed", digits(), kSeven, kNine})["images"];
  ASSERT_EQ(alone.size(), together.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i]["image"], together[i]["image"]);
    const std::vector<float> a = vector_of(alone[i]), b = vector_of(together[i]);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-5);
  }
}

TEST(CliEmbed, SaysWhatIsWrong) {
  expect_usage_error({"embed", digits()}, {"embed requires an IMAGE"});
  const std::string detector = std::string(MXINFER_SOURCE_DIR) + "/tests/golden/ssd/ssd";
  expect_user_error({"embed", detector, kSeven, "--height", "48", "--width", "48"},
                    {"(batch, n)", "--layer"});
  const TempDir dir;
  const std::string taken = dir.write("taken", "a file");
  EXPECT_EQ(mxinfer({"embed", digits(), kSeven, "--output", taken + "/below/file.npy"}).exit_code, 1);
}

}  // namespace
}  // namespace mxinfer::test

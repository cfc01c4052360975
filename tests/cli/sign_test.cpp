// mxinfer sign, and mxinfer inspect of signed models.
#include <gtest/gtest.h>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/networks/tiny_models.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

TEST(CliSign, WritesASignedModel) {
  const TempDir dir;
  const TempDir labels;
  const std::string file = labels.write("names.txt", "red\ngreen\nblue\n");
  dir.write("means-symbol.json", channel_means_json(""));
  expect_facts(output_of({"inspect", dir / "means"}), {"guessed, the file has none"});
  const Json made =
      json_of({"sign", dir / "means", "--output", dir / "signed", "--labels", file, "--describe",
               "data=-1,3,4,6:float32:NCHW:image", "--describe-output", "flat=scores"});
  EXPECT_EQ(made.at("symbol"), dir / "signed-symbol.json");
  EXPECT_EQ(made.at("inputs")[0].at("meaning"), "image");
  EXPECT_EQ(made.at("outputs")[0].at("meaning"), "scores");
  EXPECT_EQ(made.at("labels"), Json({"red", "green", "blue"}));

  const std::string text = output_of({"inspect", dir / "signed"});
  expect_facts(text, {"from the file", "data float32 (-1, 3, 4, 6) NCHW image",
                      "flat_output float32 (-1, 3) scores", "red, green, blue"});
  const Json report = json_of({"inspect", dir / "signed"});
  EXPECT_EQ(report.at("signature_from_file"), true);
  EXPECT_EQ(report.at("inputs")[0].at("layout"), "NCHW");
  EXPECT_EQ(report.at("transforms"), nullptr);
}

TEST(CliSign, InPlaceAndProvenance) {
  const TempDir dir;
  Json graph = Json::parse(channel_means_json());
  const Json signature = {{"version", 1},
                          {"inputs", {{{"name", "data"}, {"shape", {-1, 3, 4, 6}}}}},
                          {"outputs", {{{"name", "flat_output"}, {"shape", {-1, 3}}}}},
                          {"transforms", {{"data", {{{"op", "resize"}, {"size", {6, 4}}}}}}},
                          {"post", {{{"op", "softmax"}}}}};
  graph["attrs"]["mxinfer_signature"] = {"str", signature.dump()};
  dir.write("m-symbol.json", graph.dump());
  expect_facts(output_of({"sign", dir / "m", "--in-place"}), {"data float32 (-1, 3, 4, 6)", "m-symbol.json"});
  const Json report = json_of({"inspect", dir / "m"});
  EXPECT_EQ(report.at("transforms"), signature["transforms"]);
  EXPECT_EQ(report.at("post"), signature["post"]);
  expect_facts(output_of({"inspect", dir / "m"}), {R"([{"op":"resize","size":[6,4]}])", "softmax"});
}

TEST(CliSign, SaysWhatIsWrong) {
  const TempDir dir;
  dir.write("m-symbol.json", channel_means_json());
  expect_usage_error({"sign", dir / "m"}, {"--output", "--in-place"});
  expect_usage_error({"sign", dir / "m", "--in-place", "--output", dir / "x"}, {"either"});
  expect_usage_error({"sign", dir / "m", "--in-place", "--describe", "data=1,2:float32:NC:picture"},
                     {"'picture'", "encoded_image"});
  expect_usage_error({"sign", dir / "m", "--in-place", "--describe-output", "flat=classes"},
                     {"'classes'", "scores"});
  expect_user_error({"sign", dir / "m", "--in-place", "--describe", "date=1,2"}, {"'date'", "'data'"});
  expect_user_error({"sign", dir / "m", "--in-place", "--labels", dir / "none.txt"}, {"none.txt"});
}

}  // namespace
}  // namespace mxinfer::test

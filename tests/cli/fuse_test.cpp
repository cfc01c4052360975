// mxinfer fuse and mxinfer verify.
#include <gtest/gtest.h>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kForDigits = R"([{"op": "resize", "size": [32, 32]}, {"op": "cast", "dtype": "float32"},
                                       {"op": "transpose", "axes": [0, 3, 1, 2]}])";

/// The files of one call.
struct FilesToFuse {
  TempDir dir;
  std::string transforms = dir.write("transforms.json", kForDigits);
  std::string post = dir.write("post.json", R"([{"op": "top_k", "k": 2}])");
  std::string whole = dir / "whole";

  std::vector<std::string> fuse(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"fuse",     "--network", digits(), "--transforms",
                                          transforms, "--output",  whole};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST(CliFuse, WritesOneModel) {
  const FilesToFuse files;
  const Json report = json_of(files.fuse({"--post", files.post, "--sample", image_path("seven.jpg")}));
  EXPECT_EQ(report.at("files"), Json({files.whole + "-symbol.json", files.whole + "-0000.params"}));
  EXPECT_EQ(report.at("inputs").at(0).at("meaning"), "image");
  EXPECT_EQ(report.at("inputs").at(0).at("shape"), Json({-1, -1, -1, 1}));
  EXPECT_EQ(report.at("outputs").size(), 2u);
  EXPECT_EQ(report.at("outputs").at(1).at("meaning"), "ids");
  EXPECT_EQ(report.at("steps").size(), 5u);
  EXPECT_EQ(report.at("warnings"), Json::array());

  expect_facts(output_of({"inspect", files.whole}), {"_image_resize x 1", "topk x 1"});
  expect_facts(output_of({"verify", files.whole}),
               {"the outputs match", "probabilities_top_k0", "largest difference 0"});
  const Json checks = json_of({"verify", files.whole});
  ASSERT_EQ(checks.at("outputs").size(), 2u);
  EXPECT_EQ(checks.at("outputs").at(0).at("elements"), 2);
  EXPECT_EQ(checks.at("outputs").at(0).at("largest_difference"), 0);
}

TEST(CliFuse, PrintsWhatBecomesOfTheSteps) {
  const FilesToFuse files;
  expect_facts(
      output_of(files.fuse()),
      {files.whole + "-symbol.json", "data uint8 (-1, -1, -1, 1) NHWC image",
       "data_resize0 = _image_resize: uint8 (-1, 32, 32, 1)", "probabilities_output float32 (-1, 10)"});
}

TEST(CliFuse, TakesASignatureAndLabels) {
  const FilesToFuse files;
  const std::string signature = files.dir.write(
      "signature.json",
      R"({"inputs": [{"name": "image", "shape": [-1, 28, 28, 1], "dtype": "uint8", "layout": "NHWC", "meaning": "image"}]})");
  const std::string labels = files.dir.write("names.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
  const Json report = json_of(files.fuse({"--signature", signature, "--labels", labels}));
  EXPECT_EQ(report.at("inputs").at(0).at("name"), "image");
  const std::string symbol = read_file(files.whole + "-symbol.json");
  EXPECT_NE(symbol.find("mxinfer_signature"), std::string::npos);
  EXPECT_NE(symbol.find(R"(\"labels\":[\"a\",\"b\")"), std::string::npos);
}

TEST(CliFuse, WarnsOnStandardError) {
  const FilesToFuse files;
  const std::string odd =
      files.dir.write("odd.json", R"([{"op": "resize", "size": 32}, {"op": "sub", "value": 3},
      {"op": "cast", "dtype": "float32"}, {"op": "transpose", "axes": [0, 3, 1, 2]}])");
  const Outcome outcome =
      mxinfer({"fuse", "--network", digits(), "--transforms", odd, "--output", files.whole});
  EXPECT_EQ(outcome.exit_code, 0);
  expect_facts(outcome.err, {"warning", "step sub", "uint8"});
}

TEST(CliFuse, SaysWhatIsWrong) {
  const FilesToFuse files;
  const std::string bad =
      files.dir.write("bad.json", R"([{"op": "to_tensor"}, {"op": "resize", "size": 32}])");
  expect_user_error({"fuse", "--network", digits(), "--transforms", bad, "--output", files.whole},
                    {"input 'data'", "step 2 of 2 (resize)", "in front of to_tensor"});
  expect_user_error(
      {"fuse", "--network", digits(), "--transforms", files.dir / "none.json", "--output", files.whole},
      {"none.json"});
  expect_user_error(files.fuse({"--sample", files.dir / "none.png"}), {"sample", "none.png"});
  expect_user_error(files.fuse({"--sample", "dta=" + image_path("seven.jpg")}), {"'dta'", "no such input"});
  expect_usage_error({"fuse", "--network", digits()}, {"--output"});
  expect_usage_error({"fuse", "--output", files.whole}, {"--network"});
}

TEST(CliVerify, WantsASample) {
  expect_user_error({"verify", digits()}, {"no sample", "mxinfer fuse --sample"});
}

TEST(CliVerify, FindsDamage) {
  const FilesToFuse files;
  output_of(files.fuse({"--sample", image_path("seven.jpg")}));
  std::string bytes = read_file(files.whole + "-0000.params");
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 4; ++i) bytes[i] = 0x47;
  files.dir.write("whole-0000.params", bytes);
  expect_user_error({"verify", files.whole}, {"probabilities_output", "the stored value is", "damaged"});
}

}  // namespace
}  // namespace mxinfer::test

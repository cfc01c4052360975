// mxinfer quantize, and the commands that take what it writes.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_command.h"
#include "formats/arrays/npz.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

std::string example_folder() {
  return MXINFER_SOURCE_DIR "/examples/images";
}

class CliQuantize : public testing::Test {
 protected:
  TempDir dir;
  std::string bundle = dir / "made/int8.mxz";
};

TEST_F(CliQuantize, ReportsAsJson) {
  const Outcome outcome =
      mxinfer({"quantize", digits(), "--images", example_folder(), "--output", bundle, "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_facts(outcome.err, {"mxinfer: warning: only 10 samples"});
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report.at("file"), bundle);
  EXPECT_EQ(report.at("method"), "minmax");
  EXPECT_EQ(report.at("samples"), 10);
  EXPECT_EQ(report.at("top1_agreement"), 1.0);
  EXPECT_TRUE(report.at("output_snr_db").is_null());
  ASSERT_EQ(report.at("layers").size(), 7u);
  EXPECT_EQ(report.at("layers").at(0).at("op"), "Convolution");
  EXPECT_EQ(report.at("layers").at(0).at("int8"), true);
  EXPECT_GT(report.at("layers").at(0).at("snr_db").get<double>(), 20);
  EXPECT_GT(report.at("parameter_bytes_before"), report.at("parameter_bytes_after"));
  const Json inspected = json_of({"inspect", bundle});
  EXPECT_EQ(inspected.at("quantization").at("samples"), 10);
  EXPECT_EQ(json_of({"inspect", digits()}).at("quantization"), Json());
  expect_facts(output_of({"inspect", bundle}),
               {"quantized", "7 layers to int8 by mxinfer", "minmax of 10 samples"});
  expect_facts(output_of({"classify", bundle, image_path("seven.jpg"), "--top-k", "1"}), {"seven"});
  expect_facts(output_of({"explain", bundle}), {"_mxinfer_convolution_int8"});
}

TEST_F(CliQuantize, ReportsAsText) {
  const Outcome outcome = mxinfer({"quantize", digits() + ".mxz", "--images", example_folder(), "--method",
                                   "percentile", "--percentile", "99.9", "--keep-float", "digits_dense0_fwd",
                                   "--limit", "5", "--output", bundle, "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // no bar, as it is no terminal
  expect_facts(outcome.out,
               {"6 of 7 layers compute with 8 bits", bundle, "digits_dense0_fwd", "float32",
                "the caller keeps it float32", "5, percentile", "same best class", "parameters", "a call"});
  expect_facts(output_of({"verify", bundle}), {"the outputs match"});
}

TEST_F(CliQuantize, TakesArrays) {
  const Tensor data = random_digits(24, 1);
  formats::save_npz(dir / "samples.npz", {{"data", data.view()}});
  const Json report = json_of(
      {"quantize", digits(), "--inputs", dir / "samples.npz", "--method", "entropy", "--output", bundle});
  EXPECT_EQ(report.at("samples"), 24);
  EXPECT_EQ(report.at("method"), "entropy");
}

TEST_F(CliQuantize, WrongCommandLines) {
  expect_usage_error({"quantize", digits(), "--output", bundle}, {"--images", "--inputs"});
  expect_usage_error({"quantize", digits(), "--images", example_folder()}, {"--output"});
  expect_usage_error(
      {"quantize", digits(), "--images", example_folder(), "--inputs", "x.npz", "--output", bundle},
      {"either --images", "--inputs"});
  expect_usage_error(
      {"quantize", digits(), "--images", example_folder(), "--method", "max", "--output", bundle},
      {"--method", "entropy"});
  expect_usage_error(
      {"quantize", digits(), "--images", example_folder(), "--max-drop", "2", "--output", bundle},
      {"--max-drop"});
}

TEST_F(CliQuantize, WrongSamples) {
  expect_user_error({"quantize", digits(), "--images", dir.path(), "--output", bundle}, {dir.path()});
  expect_user_error({"quantize", digits(), "--images", dir.write("a.jpg", "no image"), "--output", bundle},
                    {"a.jpg"});
  formats::save_npz(dir / "other.npz", {{"other", random_digits(2, 1).view()}});
  expect_user_error({"quantize", digits(), "--inputs", dir / "other.npz", "--output", bundle},
                    {"no array for input 'data'"});
  EXPECT_FALSE(std::filesystem::exists(bundle));
}

TEST_F(CliQuantize, QuantizedModelsAreNotQuantizedAgain) {
  (void)mxinfer({"quantize", digits(), "--images", example_folder(), "--output", bundle});
  expect_user_error({"quantize", bundle, "--images", example_folder(), "--output", dir / "again.mxz"},
                    {"quantized already"});
}

}  // namespace
}  // namespace mxinfer::test

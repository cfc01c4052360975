// mxinfer pack and unpack, and mxinfer inspect of their files.
#include <gtest/gtest.h>
#include <mxinfer/version.h>

#include <filesystem>

#include "cli/run_command.h"
#include "support/files/archive_writer.h"
#include "support/files/temp_dir.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

TEST(CliPack, AModelGoesIntoABundleAndOutAgain) {
  const TempDir dir;
  const std::string bundle = dir / "digits.mxz";
  EXPECT_EQ(output_of({"pack", digits(), "--output", bundle}), bundle + "\n");
  EXPECT_EQ(json_of({"pack", digits(), "--output", bundle}).at("files"), Json::array({bundle}));
  EXPECT_EQ(output_of({"classify", bundle, image_path("seven.jpg")}),
            output_of({"classify", digits(), image_path("seven.jpg")}));
  const Json files = json_of({"unpack", bundle, "--output", dir / "copy"}).at("files");
  EXPECT_EQ(files, Json::array({dir / "copy-0000.params", dir / "synset.txt", dir / "copy-symbol.json"}));
  EXPECT_EQ(read_file(dir / "copy-symbol.json"), read_file(digits() + "/digits-symbol.json"));
}

TEST(CliPack, InspectNamesTheKindAndTheGraphs) {
  const TempDir dir;
  const std::string bundle = dir / "digits.mxz";
  output_of({"pack", digits(), "--output", bundle, "--name", "main", "--add-graph",
             "validation=" + digits() + "/digits-symbol.json"});
  const Json report = json_of({"inspect", bundle});
  EXPECT_EQ(report.at("kind"), "bundle");
  EXPECT_EQ(report.at("graphs"), Json::array({"main", "validation"}));
  EXPECT_EQ(report.at("graph"), "main");
  EXPECT_EQ(json_of({"inspect", bundle, "--graph", "validation"}).at("graph"), "validation");
  expect_facts(output_of({"inspect", bundle}), {"bundle", "main (shown here)", "validation"});
  EXPECT_EQ(json_of({"inspect", digits()}).at("kind"), "symbol and parameters");

  const std::string tar =
      dir.write("model.tar.gz", ArchiveWriter(ArchiveFormat::tar_gz)
                                    .file("m-symbol.json", read_file(digits() + "/digits-symbol.json"))
                                    .file("m-0012.params", read_file(digits() + "/digits-0000.params"))
                                    .file("model-shapes.json", "[]")
                                    .finish());
  expect_facts(output_of({"inspect", tar}), {"SageMaker archive"});
  EXPECT_EQ(json_of({"unpack", tar, "--output", dir / "loose"}).at("files").size(), 2u);
}

TEST(CliPack, WeightsArePackedForTargets) {
  const TempDir dir;
  const std::string bundle = dir / "digits.mxz";
  output_of({"pack", digits(), "--output", bundle, "--packed-for", "native", "--packed-for", "baseline"});
  const Json packed = json_of({"inspect", bundle}).at("packed");
  ASSERT_EQ(packed.size(), build_info().best_target == "baseline" ? 1U : 2U);
  EXPECT_EQ(packed.at(0).at("target"), build_info().best_target);
  EXPECT_EQ(packed.at(0).at("precision"), "float32");
  EXPECT_GT(packed.at(0).at("bytes"), 1000);
  expect_facts(output_of({"inspect", bundle}), {"packed for", build_info().best_target + ", float32: "});
  for (const std::string& target : {build_info().best_target, std::string("ref")}) {
    EXPECT_EQ(output_of({"classify", bundle, image_path("seven.jpg"), "--target", target}),
              output_of({"classify", digits(), image_path("seven.jpg"), "--target", target}));
  }
  expect_usage_error({"pack", digits(), "--output", bundle, "--shape", "data=1,1,32,32"}, {"--packed-for"});
  expect_usage_error({"pack", digits(), "--output", bundle, "--packed-for", "mips"}, {"mips", "native"});
}

TEST(CliPack, SaysWhatIsWrong) {
  const TempDir dir;
  const std::string bundle = dir / "digits.mxz";
  output_of({"pack", digits(), "--output", bundle});
  expect_user_error({"inspect", bundle, "--graph", "train"}, {"no graph 'train'", "prediction"});
  expect_user_error({"inspect", digits(), "--graph", "train"}, {"not a bundle"});
  expect_user_error({"pack", bundle, "--output", dir / "b.mxz"}, {"already a bundle"});
  expect_user_error({"pack", dir / "nowhere", "--output", dir / "b.mxz"}, {"nowhere"});
  expect_user_error({"unpack", digits() + "/synset.txt", "--output", dir / "c"},
                    {"not a zip, tar or tar.gz"});
  expect_usage_error({"pack", digits()}, {"--output"});
  expect_usage_error({"pack", digits(), "--output", dir / "b.mxz", "--add-graph", "x"}, {"NAME=FILE"});
  expect_usage_error(
      {"pack", digits(), "--output", dir / "b.mxz", "--add-graph", "x=a", "--add-graph", "x=b"}, {"twice"});
  const std::string bomb = dir.write(
      "evil.tar.gz", ArchiveWriter(ArchiveFormat::tar_gz).file("../../net-symbol.json", "{}").finish());
  for (const char* command : {"inspect", "explain"})
    expect_user_error({command, bomb}, {"evil.tar.gz", "../../net-symbol.json", "leads out"});
  expect_user_error({"unpack", bomb, "--output", dir / "c"}, {"leads out"});
  EXPECT_FALSE(std::filesystem::exists(dir / "c-symbol.json"));
}

}  // namespace
}  // namespace mxinfer::test

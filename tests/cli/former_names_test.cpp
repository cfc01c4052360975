// Former names of options work, with a warning.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/run_op.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

/// The output of a call with former names, which succeeds with these warnings.
std::string old_call(std::vector<std::string> arguments, const std::vector<std::string>& warnings) {
  const Outcome outcome = mxinfer(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const std::string& warning : warnings) {
    EXPECT_NE(outcome.err.find("mxinfer: warning: " + warning + '\n'), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), static_cast<long>(warnings.size()));
  arguments.emplace_back("--quiet");
  EXPECT_EQ(mxinfer(arguments).err, "");
  return outcome.out;
}

TEST(CliFormerNames, Predict) {
  const TempDir dir;
  save_npy(dir / "data.npy", random_tensor({1, 1, 32, 32}, 7, 0, 255));
  const std::string input = "data=" + (dir / "data.npy");
  EXPECT_EQ(old_call({"predict", digits(), "--input", input, "--output", "digits_conv0_fwd",
                      "--output-dir=" + (dir / "old")},
                     {"--output of 'predict' was renamed: use --layer",
                      "--output-dir of 'predict' was renamed: use --output"})
                    .find("digits_conv0_fwd_output") == std::string::npos,
            false);
  output_of({"predict", digits(), "--input", input, "--layer", "digits_conv0_fwd", "--output", dir / "new"});
  EXPECT_EQ(read_file(dir / "old/0.npy"), read_file(dir / "new/0.npy"));
}

TEST(CliFormerNames, ALayerToExplain) {
  EXPECT_EQ(old_call({"explain", digits(), "--target", "ref", "--output", "digits_conv0_fwd"},
                     {"--output of 'explain' was renamed: use --layer"}),
            output_of({"explain", digits(), "--target", "ref", "--layer", "digits_conv0_fwd"}));
}

TEST(CliFormerNames, WhatIsWritten) {
  const TempDir dir;
  old_call({"tune", digits(), "--threads", "1", "--save", dir / "a.tuning"},
           {"--save of 'tune' was renamed: use --output"});
  EXPECT_TRUE(std::filesystem::exists(dir / "a.tuning"));
  old_call(
      {"sign", digits(), "--output-prefix", dir / "signed", "--input", "data=-1,1,32,32:float32:NCHW:image",
       "--output", "probabilities=scores"},
      {"--output-prefix of 'sign' was renamed: use --output", "--input of 'sign' was renamed: use --describe",
       "--output of 'sign' was renamed: use --describe-output"});
  expect_facts(output_of({"inspect", dir / "signed"}), {"(-1, 1, 32, 32) NCHW image", " scores"});
  old_call(
      {"pack", digits(), "--output", dir / "x.mxz", "--graph", "again=" + digits() + "/digits-symbol.json"},
      {"--graph of 'pack' was renamed: use --add-graph"});
  expect_facts(output_of({"inspect", dir / "x.mxz"}), {"again"});
}

// A former name that is now the name of another option means that option, unless the line has other former
// names.
TEST(CliFormerNames, AreNotTakenForTodays) {
  const TempDir dir;
  output_of({"sign", digits(), "--output", dir / "signed"});
  EXPECT_TRUE(std::filesystem::exists(dir / "signed-symbol.json"));
  output_of({"tune", digits(), "--threads", "1", "--output", dir / "b.tuning"});
  EXPECT_TRUE(std::filesystem::exists(dir / "b.tuning"));
}

}  // namespace
}  // namespace mxinfer::test

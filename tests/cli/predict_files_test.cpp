// mxinfer predict: archives as input and output, and the files of an earlier run.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_command.h"
#include "formats/arrays/npz.h"
#include "support/equal_names.h"
#include "support/files/golden_npz.h"
#include "support/files/temp_dir.h"
#include "support/networks/golden_graphs.h"
#include "support/run_op.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

namespace fs = std::filesystem;

/// left - right, with a name that contains a slash and a space.
constexpr const char* kDifference = R"json({"nodes": [
    {"op": "null", "name": "left", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "null", "name": "right", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "elemwise_sub", "name": "in/the difference", "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "_mul_scalar", "name": "double", "attrs": {"scalar": "2"}, "inputs": [[2, 0, 0]]}],
  "arg_nodes": [0, 1], "heads": [[2, 0, 0], [3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";

class CliPredictFiles : public testing::Test {
 protected:
  CliPredictFiles() {
    dir.write("net-symbol.json", kDifference);
    formats::save_npz(dir / "both.npz", {{"right", right.view()}, {"left", left.view()}});
    save_npy(dir / "left.npy", left);
    save_npy(dir / "right.npy", right);
    formats::save_npz(dir / "right.npz", {{"right", right.view()}});
  }
  std::vector<std::string> predict(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"predict", dir / "net"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  const TempDir dir;
  const Tensor left = random_tensor({2, 3}, 1, 0, 1), right = random_tensor({2, 3}, 2, 0, 1);
};

TEST_F(CliPredictFiles, AnArchiveHoldsAnInputUnderItsName) {
  output_of(predict(
      {"-i", "left=" + (dir / "left.npy"), "-i", "right=" + (dir / "right.npy"), "-o", dir / "files"}));
  const std::string expected = read_file(dir / "files/0.npy");
  const std::vector<std::vector<std::string>> ways = {
      {"--input", dir / "both.npz"}, {dir / "both.npz"}, {"left=" + (dir / "left.npy"), dir / "right.npz"}};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const std::string out = dir / ("way" + std::to_string(i));
    std::vector<std::string> arguments = predict(ways[i]);
    arguments.insert(arguments.end(), {"--output", out});
    output_of(arguments);
    EXPECT_EQ(read_file(out + "/0.npy"), expected);
  }
}

TEST_F(CliPredictFiles, AnArchiveTakesTheOutputsUnderTheirNames) {
  const std::string file = dir / "deep/out.npz";
  for (int run = 0; run < 2; ++run) {  // it is replaced, as any file that is written
    const nlohmann::json report = json_of(predict({dir / "both.npz", "-o", file}));
    ASSERT_EQ(report.at("outputs").size(), 2u);
    EXPECT_EQ(report.at("outputs")[1].at("file"), file);
  }
  const auto arrays = formats::load_npz(file);
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].name, "in/the difference_output");
  EXPECT_EQ(arrays[1].name, "double_output");
  for (std::int64_t i = 0; i < left.elements(); ++i) {
    const float difference = left.data<float>()[i] - right.data<float>()[i];
    EXPECT_EQ(arrays[0].tensor.data<float>()[i], difference);
    EXPECT_EQ(arrays[1].tensor.data<float>()[i], 2 * difference);
  }
}

// Keras-MXNet gives layers names like folders, and an input a name like an absolute path.
TEST(CliPredictSlashes, AreNoFoldersInArchives) {
  const std::string model = (golden_graphs_folder() / "keras_names").string();
  const Golden golden = read_golden(model + ".npz");
  const TempDir dir;
  const std::string in = dir / "in.npz", array = dir / "in.npy", out = dir / "out.npz";
  const Tensor& data = golden.inputs.at("/conv2d_1_input1");
  formats::save_npz(in, {{"/conv2d_1_input1", data.view()}});
  save_npy(array, data);
  for (const std::string& input : {in, "/conv2d_1_input1=" + array}) {
    SCOPED_TRACE(input);
    output_of({"predict", model, input, "-o", out, "--force"});
    auto arrays = formats::load_npz(out);
    ASSERT_EQ(arrays.size(), 1u);
    EXPECT_EQ(arrays[0].name, "dense_1/Softmax1_output");
    EXPECT_LE(relative_difference(arrays[0].tensor, golden.outputs[0]), 1e-5);
    output_of({"predict", model, input, "--layer", "dense_1/Dense1", "--layer", "flatten_1/Reshape1_output",
               "-o", out, "--force"});
    arrays = formats::load_npz(out);
    ASSERT_EQ(arrays.size(), 2u);
    EXPECT_EQ(arrays[0].name, "dense_1/Dense1_output");
    EXPECT_EQ(arrays[1].name, "flatten_1/Reshape1_output");
    const Tensor softmax = std::move(run_op("softmax", {}, {&arrays[0].tensor})[0]);
    EXPECT_LE(relative_difference(softmax, golden.outputs[0]), 1e-5);
  }
}

TEST_F(CliPredictFiles, SaysWhatIsWrongWithAnArchive) {
  const std::string out = dir / "out";
  expect_usage_error(predict({dir / "both.npz", "left=" + (dir / "left.npy"), "-o", out}),
                     {"--input is given twice for 'left'"});
  expect_usage_error(predict({dir / "both.npz", dir / "right.npz", "-o", out}), {"given twice for 'right'"});
  expect_user_error(predict({dir / "right.npz", "-o", out}), {"'left'"});
  expect_user_error(predict({dir / "none.npz", "-o", out}), {"none.npz"});
  expect_user_error(predict({dir.write("text.npz", "no archive"), "-o", out}), {"text.npz"});
  const std::string taken = dir.write("taken", "a file");
  expect_user_error(predict({dir / "both.npz", "-o", taken + "/out.npz"}), {"--output", taken});
  EXPECT_FALSE(fs::exists(out));
}

// A run with two outputs, then one with one output: the second file must not pass for an output of the second
// run.
TEST_F(CliPredictFiles, FilesOfAnEarlierRunAreNotLeftBesideNewOnes) {
  const std::string out = dir / "out";
  output_of(predict({dir / "both.npz", "-o", out}));
  output_of(predict({dir / "both.npz", "-o", out}));  // the same outputs: each is replaced
  dir.write("out/10.npy", "old");
  dir.write("out/left.npy", "an input");
  dir.write("out/01.npy", "no file of ours");
  const std::string before = read_file(out + "/0.npy");
  const std::vector<std::string> one = predict({dir / "both.npz", "--layer", "double", "-o", out});
  expect_user_error(one, {"--output: the folder holds '" + out + "/1.npy' and 1 more of an earlier run",
                          "this run has 1 output;", "another folder, or pass --force"});
  EXPECT_EQ(read_file(out + "/0.npy"), before);
  std::vector<std::string> forced = one;
  forced.emplace_back("--force");
  output_of(forced);
  EXPECT_NE(read_file(out + "/0.npy"), before);
  EXPECT_FALSE(fs::exists(out + "/1.npy"));
  EXPECT_FALSE(fs::exists(out + "/10.npy"));
  EXPECT_EQ(read_file(out + "/left.npy"), "an input");
  EXPECT_TRUE(fs::exists(out + "/01.npy"));
  output_of(one);
}

TEST_F(CliPredictFiles, OutputsOfOneNameHaveAnIndexEach) {
  dir.write("equal-symbol.json", equal_names_json("[[1, 0, 0], [3, 0, 0]]"));
  const Tensor data = random_tensor({1, 2}, 3, -1, 1);
  save_npy(dir / "data.npy", data);
  output_of({"predict", dir / "equal", "-i", "data=" + (dir / "data.npy"), "-o", dir / "equal.npz"});
  const auto arrays = formats::load_npz(dir / "equal.npz");
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].name, "layer_output#0");
  EXPECT_EQ(arrays[1].name, "layer_output#2");
  output_of({"predict", dir / "equal", "-i", "data=" + (dir / "data.npy"), "--layer", "layer_output#1", "-o",
             dir / "one.npz"});
  EXPECT_EQ(formats::load_npz(dir / "one.npz")[0].name, "layer_output#1");
  const Outcome outcome = mxinfer({"predict", dir / "equal", "-i", "data=" + (dir / "data.npy"), "--layer",
                                   "layer_output", "-o", dir / "none.npz"});
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {"'layer_output#0'", "'layer_output#2'"});
}

TEST_F(CliPredictFiles, AnArchiveIsKnownByItsContents) {
  fs::copy_file(dir / "both.npz", dir / "both.data");
  fs::copy_file(dir / "right.npz", dir / "right.data");
  output_of(predict({dir / "both.npz", "-o", dir / "files"}));
  const std::string expected = read_file(dir / "files/0.npy");
  output_of(predict({dir / "both.data", "-o", dir / "by_contents"}));
  EXPECT_EQ(read_file(dir / "by_contents/0.npy"), expected);
  output_of(predict({"left=" + (dir / "left.npy"), "right=" + (dir / "right.data"), "-o", dir / "only"}));
  EXPECT_EQ(read_file(dir / "only/0.npy"), expected);
  output_of(predict({"left=" + (dir / "both.npz"), "right=" + (dir / "both.data"), "-o", dir / "named"}));
  EXPECT_EQ(read_file(dir / "named/0.npy"), expected);
  const Outcome outcome = mxinfer(predict({"other=" + (dir / "both.data"), "-o", dir / "none"}));
  expect_facts(outcome.err, {"holds 2 arrays", "'left'", "'right'", "without 'other='"});
}

}  // namespace
}  // namespace mxinfer::test

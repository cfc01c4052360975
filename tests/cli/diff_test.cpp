// mxinfer diff: finds the first inner value that differs from the reference.
#include <gtest/gtest.h>

#include <limits>

#include "cli/run_command.h"
#include "support/equal_names.h"
#include "support/files/temp_dir.h"
#include "support/networks/tiny_models.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

/// relu(2 * (a + b)), with a slash in a name, an identity that a pass removes and a relu that is fused.
const char* const kChain = R"json({"nodes": [
    {"op": "null", "name": "a", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "null", "name": "b", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "elemwise_add", "name": "in/s um", "inputs": [[0, 0, 0], [1, 0, 0]]},
    {"op": "Dropout", "name": "drop", "inputs": [[2, 0, 0]]},
    {"op": "_mul_scalar", "name": "double", "attrs": {"scalar": "2"}, "inputs": [[3, 0, 0]]},
    {"op": "Activation", "name": "relu", "attrs": {"act_type": "relu"}, "inputs": [[4, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[5, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";

class CliDiff : public testing::Test {
 protected:
  CliDiff() {
    dir_.write("chain-symbol.json", kChain);
    save("a.npy", {1, 2, 3});
    save("b.npy", {1, -4, 1});
    save("in%2Fs%20um_output.npy", {2, -2, 4});
    save("drop_output.npy", {2, -2, 4});
    save("double_output.npy", {4, -4, 8});
    save("relu_output.npy", {4, 0, 8});
  }
  void save(const std::string& file, const std::vector<float>& values) {
    const Shape shape{1, static_cast<std::int64_t>(values.size())};
    save_npy(dir_ / file, TensorView(values.data(), shape));
  }
  std::vector<std::string> command(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"diff", dir_ / "chain", "--reference", dir_.path()});
    return more;
  }
  /// The report of a call that finds a difference.
  Json differing(std::vector<std::string> more = {}) {
    more.emplace_back("--json");
    const Outcome outcome = mxinfer(command(std::move(more)));
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out, nullptr, false);
  }
  TempDir dir_;
};

TEST_F(CliDiff, AgreesTogetherAndOneByOne) {
  for (const auto& mode : std::vector<std::vector<std::string>>{{}, {"--one-by-one"}, {"--target", "ref"}}) {
    const Json report = json_of(command(mode));
    EXPECT_EQ(report.at("first"), nullptr);
    EXPECT_EQ(report.at("differ"), 0);
    EXPECT_EQ(report.at("values").size(), 4u);
    EXPECT_EQ(report.at("outputs").size(), 1u);
    EXPECT_EQ(report.at("values")[0].at("name"), "in/s um_output");
  }
  const std::string text = output_of(command({"--all"}));
  expect_facts(text, {"4 values compared, 0 differ", "outputs as deployed", "in/s um_output", "ok"});
}

TEST_F(CliDiff, NamesTheFirstThatDiffers) {
  save("double_output.npy", {4, -4, 8.5f});
  save("relu_output.npy", {4, 0, 9});
  for (const auto& mode : std::vector<std::vector<std::string>>{{}, {"--one-by-one"}}) {
    const Json report = differing(mode);
    EXPECT_EQ(report.at("first").at("name"), "double_output");
    EXPECT_EQ(report.at("first").at("op"), "_mul_scalar");
    EXPECT_NEAR(report.at("first").at("difference").get<double>(), 0.5 / 8.5, 1e-7);
    EXPECT_EQ(report.at("differ"), 2);
    EXPECT_EQ(report.at("outputs")[0].at("differs"), true);
  }
  const Outcome outcome = mxinfer(command());
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.out,
               {"first: double_output (_mul_scalar) differs by 0.059", "2 differ", "relu_output"});
  expect_facts(output_of(command({"--tolerance", "0.2"})), {"0 differ by more than 0.2"});
}

TEST_F(CliDiff, ShapesAndNumbersThatAreNone) {
  save("double_output.npy", {4, -4});
  Json report = differing();
  EXPECT_EQ(report.at("first").at("name"), "double_output");
  EXPECT_EQ(report.at("first").at("note"), "has the shape (1, 3), the reference (1, 2)");
  EXPECT_EQ(report.at("first").at("difference"), nullptr);
  save("double_output.npy", {4, -4, std::numeric_limits<float>::quiet_NaN()});
  report = differing();
  EXPECT_EQ(report.at("first").at("difference"), nullptr);
}

TEST_F(CliDiff, FilesThatAreNotThere) {
  std::filesystem::remove(dir_ / "drop_output.npy");
  EXPECT_EQ(json_of(command()).at("without_file"), 1);
  std::filesystem::remove(dir_ / "b.npy");
  expect_user_error(command(), {"input 'b'", "b.npy"});
  const TempDir empty;
  expect_user_error({"diff", dir_ / "chain", "--reference", empty.path()},
                    {"no file named", "docs/how-to/diff.md"});
  expect_usage_error({"diff", dir_ / "chain", "--reference", dir_ / "nowhere"}, {"--reference"});
  expect_usage_error(command({"--layer", "relu"}), {"--layer"});
  expect_usage_error(command({"--tolerance", "-1"}), {"--tolerance"});
}

TEST_F(CliDiff, ValuesOfOneNameAreComparedEach) {
  dir_.write("equal-symbol.json", equal_names_json());
  const TempDir reference;
  const auto save_value = [&](const std::string& file, const std::vector<float>& values) {
    save_npy(reference / file, TensorView(values.data(), {1, 2}));
  };
  save_value("data.npy", {-3, 4});
  save_value("layer_output%230.npy", {-6, 8});
  save_value("layer_output%231.npy", {0, 8});
  save_value("layer_output%232.npy", {-1, 6});
  const Outcome outcome = mxinfer({"diff", dir_ / "equal", "--reference", reference.path(), "--json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const Json report = Json::parse(outcome.out, nullptr, false);
  EXPECT_EQ(report.at("values").size(), 3u);
  EXPECT_EQ(report.at("differ"), 1);
  EXPECT_EQ(report.at("first").at("name"), "layer_output#2");
}

}  // namespace
}  // namespace mxinfer::test

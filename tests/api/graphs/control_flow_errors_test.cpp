// Control flow nodes whose attributes are wrong: an Error that names the node, and never memory that is not
// ours (the sanitizers run this).
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/golden_npz.h"
#include "support/files/temp_dir.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kGraphs = fs::path(MXINFER_SOURCE_DIR) / "tests" / "golden" / "graphs";

/// A recorded graph whose control flow node can be changed.
class Changed {
 public:
  explicit Changed(const std::string& name)
      : name_(name), golden_(test::read_golden(kGraphs / (name + ".npz"))) {
    std::ifstream file(kGraphs / (name + "-symbol.json"));
    symbol_ = Json::parse(file);
    fs::copy(kGraphs / (name + "-0000.params"), fs::path(folder_.path()) / "changed-0000.params");
  }

  Json& node() {
    for (Json& node : symbol_["nodes"]) {
      if (node.contains("subgraphs")) return node;
    }
    throw std::logic_error(name_ + " has no control flow");
  }

  void run() {
    const fs::path prefix = fs::path(folder_.path()) / "changed";
    std::ofstream(prefix.string() + "-symbol.json") << symbol_.dump();
    const Predictor predictor(Model::load(prefix.string()));
    std::vector<TensorView> inputs;
    for (const DataDesc& desc : predictor.model().signature().inputs) {
      const auto found = golden_.inputs.find(desc.name);
      if (found == golden_.inputs.end()) return;  // a weight that lost its reader and its value
      inputs.push_back(found->second.view());
    }
    (void)predictor.predict(Span<const TensorView>(inputs));
  }

 private:
  std::string name_;
  test::Golden golden_;
  Json symbol_;
  test::TempDir folder_;
};

// What the change leads to: nothing, or an Error that is not our own mistake.
void expect_no_harm(const std::string& name, const std::string& attribute, const std::string& value) {
  SCOPED_TRACE(name + ": " + attribute + "=" + value);
  Changed graph(name);
  graph.node()["attrs"][attribute] = value;
  try {
    graph.run();
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
  }
}

std::vector<std::string> changes_of(const std::string& value) {
  std::vector<std::string> changes = {
      "[]",   "[-1]", "[99]", "[0, 0]", "(1, 0)", "[2, 1, 0]", "[0, 1, 2, 3]", "[1]", "[4611686018427387904]",
      "None", "x"};
  if (value.find('[') == std::string::npos && value.find('(') == std::string::npos)
    changes = {"0",
               "1",
               "2",
               "3",
               "4",
               "-1",
               "x",
               "99999999999999999999",
               "9223372036854775807",
               "1000000000000000000",
               "4611686018427387904"};
  return changes;
}

class ControlFlowErrors : public ::testing::TestWithParam<std::string> {};

TEST_P(ControlFlowErrors, WrongAttributesDoNoHarm) {
  const Json attributes = Changed(GetParam()).node()["attrs"];
  for (const auto& [attribute, value] : attributes.items()) {
    for (const std::string& change : changes_of(value)) expect_no_harm(GetParam(), attribute, change);
  }
}

TEST_P(ControlFlowErrors, WrongSubgraphsDoNoHarm) {
  for (const std::string change :
       {"none", "first only", "one more", "no heads", "heads twice", "no inputs"}) {
    SCOPED_TRACE(change);
    Changed graph(GetParam());
    Json& subgraphs = graph.node()["subgraphs"];
    Json& body = subgraphs.back();
    if (change == "none") subgraphs = Json::array();
    if (change == "first only") subgraphs = Json::array({subgraphs[0]});
    if (change == "one more") subgraphs.push_back(Json(subgraphs[0]));
    if (change == "no heads") body["heads"] = Json::array();
    if (change == "heads twice") body["heads"].push_back(Json(body["heads"][0]));
    if (change == "no inputs") graph.node()["inputs"] = Json::array();
    try {
      graph.run();
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, ControlFlowErrors,
                         ::testing::Values("foreach_cell", "foreach_in_foreach", "while_power",
                                           "while_to_the_end", "cond_then", "cond_in_while"));

// Room for the outputs of all of them would be needed, which no machine has, or 0 modulo 2^64.
TEST(ControlFlow, LoopsOfEndlesslyManyStepsAreRefused) {
  for (const char* steps : {"1000000000000000000", "4611686018427387904", "9223372036854775807"}) {
    Changed graph("while_to_the_end");
    graph.node()["attrs"]["max_iterations"] = steps;
    EXPECT_MXINFER_ERROR(graph.run(), ErrorCode::invalid_argument, {"(_while_loop)", steps, "is too large"});
  }
}

TEST(ControlFlow, ErrorsNameTheNodeAndWhatIsInIt) {
  Changed graph("foreach_cell");
  graph.node()["attrs"]["in_state_locs"] = "[0, 9]";
  EXPECT_MXINFER_ERROR(graph.run(), ErrorCode::malformed, {"(_foreach)", "holds 9"});
  Changed body("while_to_the_end");
  for (Json& node : body.node()["subgraphs"][1]["nodes"]) {
    if (node["op"] == "FullyConnected") node["attrs"]["num_hidden"] = "5";
  }
  EXPECT_MXINFER_ERROR(body.run(), ErrorCode::invalid_argument,
                       {"(_while_loop)", "(FullyConnected)", "(5, 4)"});
}

TEST(ControlFlow, ALoopThatMakesNoStepGivesItsVariablesAndZeros) {
  const auto model = Model::load((kGraphs / "while_power").string());
  const Predictor predictor(model);
  const float start = 7.0f, total = 2.5f, limit = 3.0f;
  const Shape one{1};
  const auto outputs =
      predictor.predict(std::map<std::string, TensorView>{{"i", {DType::float32, one, &start}},
                                                          {"total", {DType::float32, one, &total}},
                                                          {"limit", {DType::float32, one, &limit}}});
  std::vector<float> all;
  for (const DataDesc& desc : model.signature().outputs) {
    const Tensor& output = outputs.at(desc.name);
    all.insert(all.end(), output.data<float>(), output.data<float>() + output.elements());
  }
  std::vector<float> expected(16, 0.0f);
  expected.push_back(7.0f);
  expected.push_back(2.5f);
  EXPECT_EQ(all, expected);
}

TEST(ControlFlow, RowsWithoutElementsAreNoStepsWithoutEnd) {
  const std::string symbol = R"json({"nodes": [
    {"op": "null", "name": "rows", "inputs": []}, {"op": "null", "name": "state", "inputs": []},
    {"op": "_foreach", "name": "loop", "inputs": [[0, 0, 0], [1, 0, 0]], "attrs": {"num_args": "3",
     "num_outputs": "2", "num_out_data": "1", "in_data_locs": "(0,)", "in_state_locs": "(1,)", "remain_locs": "()"},
     "subgraphs": [{"nodes": [{"op": "null", "name": "row", "inputs": []}, {"op": "null", "name": "s", "inputs": []},
       {"op": "_plus_scalar", "name": "more", "attrs": {"scalar": "1"}, "inputs": [[1, 0, 0]]}],
       "arg_nodes": [0, 1], "heads": [[0, 0, 0], [2, 0, 0]]}]}],
    "arg_nodes": [0, 1], "heads": [[2, 1, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const Predictor predictor(Model::load_memory(Span<const char>(symbol), {}));
  const float start = 2;
  const auto last_state = [&](std::int64_t steps) {
    const auto out = predictor.predict(std::map<std::string, TensorView>{
        {"rows", {DType::float32, {steps, 0}, nullptr}}, {"state", {&start, {1}}}});
    return out.begin()->second.data<float>()[0];
  };
  EXPECT_EQ(last_state(1000), 1002);
  EXPECT_MXINFER_ERROR(last_state(std::int64_t{1} << 40), ErrorCode::unsupported,
                       {"(_foreach)", "1099511627776 steps"});
}

}  // namespace
}  // namespace mxinfer

// Values of one name: each is asked for, and given, under a name of its own.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/inspect.h>
#include <mxinfer/tools/sign.h>

#include "support/equal_names.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"

namespace mxinfer::test {
namespace {

using NameList = std::vector<std::string>;

Model load_named(const std::string& json, const NameList& outputs = {}) {
  LoadOptions options;
  options.outputs = outputs;
  return Model::load_memory(Span<const char>(json), {}, options);
}

NameList names_of_outputs(const Model& model) {
  NameList names;
  for (const DataDesc& output : model.signature().outputs) names.push_back(output.name);
  return names;
}

std::map<std::string, Tensor> outputs_by_name(const Model& model) {
  const Tensor data = Tensor::copy_of(TensorView(std::vector<float>{-3, 4}.data(), Shape{1, 2}));
  return Predictor(model).predict({{"data", data.view()}});
}

std::vector<float> numbers_of(const Tensor& tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.elements()};
}

TEST(ValueNames, ANameOfSeveralValuesIsAnErrorThatListsThem) {
  for (const std::string name : {"layer_output", "layer", "layer_output#3"}) {
    EXPECT_MXINFER_ERROR(load_named(equal_names_json(), {name}), ErrorCode::invalid_argument,
                         {"the name of 3 values", "'layer_output#0' of node 'layer' (_mul_scalar)",
                          "'layer_output#1' of node 'layer' (Activation)", "'layer_output#2'"});
  }
  EXPECT_MXINFER_ERROR(load_named(equal_names_json(), {"data#1"}), ErrorCode::not_found,
                       {"one value 'data'", "not 'data#1'"});
}

TEST(ValueNames, AnIndexSaysWhichIsMeant) {
  const auto all =
      outputs_by_name(load_named(equal_names_json(), {"layer_output#2", "layer_output#0", "layer_output#1"}));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(numbers_of(all.at("layer_output#0")), (std::vector<float>{-6, 8}));
  EXPECT_EQ(numbers_of(all.at("layer_output#1")), (std::vector<float>{0, 8}));
  EXPECT_EQ(numbers_of(all.at("layer_output#2")), (std::vector<float>{-1, 7}));
}

TEST(ValueNames, TheIndexStaysWhenTheOthersAreGone) {
  const Model model = load_named(equal_names_json(), {"layer_output#0"});
  EXPECT_EQ(names_of_outputs(model), NameList{"layer_output#0"});
  LoadOptions options;
  options.outputs = {"layer_output#1"};
  const std::string json = equal_names_json();
  const Inspection report = inspect_memory(Span<const char>(json), {}, options);
  ASSERT_EQ(report.nodes.size(), 2u);
  EXPECT_EQ(report.nodes[1].outputs, NameList{"layer_output#1"});
  EXPECT_EQ(report.nodes[1].inputs[0].value, "layer_output#0");
  EXPECT_EQ(report.nodes[1].name, "layer");
}

TEST(ValueNames, OutputsOfOneNameAreTwoOutputs) {
  const Model model = load_named(equal_names_json("[[1, 0, 0], [3, 0, 0]]"));
  EXPECT_EQ(names_of_outputs(model), (NameList{"layer_output#0", "layer_output#2"}));
  const auto outputs = outputs_by_name(model);
  EXPECT_EQ(numbers_of(outputs.at("layer_output#0")), (std::vector<float>{-6, 8}));
  EXPECT_EQ(numbers_of(outputs.at("layer_output#2")), (std::vector<float>{-1, 7}));
}

TEST(ValueNames, AValueThatIsAnOutputTwiceHasTwoNames) {
  const std::string json = R"json({"nodes": [
      {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 2)"}, "inputs": []},
      {"op": "_mul_scalar", "name": "twice", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0], [1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  const Model model = load_named(json);
  EXPECT_EQ(names_of_outputs(model), (NameList{"twice_output#0", "twice_output#1"}));
  EXPECT_EQ(outputs_by_name(model).size(), 2u);
  EXPECT_EQ(names_of_outputs(load_named(json, {"twice_output#1"})), NameList{"twice_output"});
  EXPECT_EQ(names_of_outputs(load_named(json, {"twice"})), NameList{"twice_output"});
}

TEST(ValueNames, AVariableAndANodeMayCollide) {
  const std::string json = R"json({"nodes": [
      {"op": "null", "name": "twice_output", "attrs": {"__shape__": "(0, 2)"}, "inputs": []},
      {"op": "_mul_scalar", "name": "twice", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]},
      {"op": "_mul_scalar", "name": "more", "attrs": {"scalar": "2"}, "inputs": [[1, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  EXPECT_MXINFER_ERROR(load_named(json, {"twice_output"}), ErrorCode::invalid_argument,
                       {"'twice_output#0' of variable", "'twice_output#1' of node"});
  EXPECT_EQ(load_named(json, {"twice_output#1"}).signature().inputs[0].name, "twice_output");
  EXPECT_EQ(names_of_outputs(load_named(json, {"twice"})), NameList{"twice_output#1"});
}

TEST(ValueNames, ASignedModelKeepsThem) {
  const TempDir dir;
  dir.write("net-symbol.json", equal_names_json("[[1, 0, 0], [3, 0, 0]]"));
  SignOptions options;
  options.output_prefix = dir / "signed";
  sign_model(dir / "net", options);
  EXPECT_EQ(names_of_outputs(Model::load(dir / "signed")), (NameList{"layer_output#0", "layer_output#2"}));
}

TEST(ValueNames, ASignatureStatesEachByItsName) {
  const auto with = [](const std::string& outputs) {
    std::string json = equal_names_json("[[1, 0, 0], [3, 0, 0]]");
    const std::string end = R"json("attrs": {"mxnet_version": ["int", 10901]}})json";
    json.replace(json.find(end), end.size(), R"json("outputs": )json" + outputs + ", " + end);
    return json;
  };
  const Model model = load_named(with(R"json({"layer_output#2": [0, 2], "layer_output#0": [0, 2]})json"));
  EXPECT_EQ(names_of_outputs(model), (NameList{"layer_output#0", "layer_output#2"}));
  EXPECT_MXINFER_ERROR(load_named(with(R"json({"layer": [0, 2], "other": [0, 2]})json")),
                       ErrorCode::malformed, {"does not state the network's output 'layer_output#2'"});
}

}  // namespace
}  // namespace mxinfer::test

// Models with operators that do not run: an error if an output needs them, and nothing if none does.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstring>
#include <string>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/tiny_models.h"

namespace mxinfer {
namespace {

using test::load_json;

/// data -> relu -> the operator; both are outputs.
std::string network_with(const std::string& op, const std::string& attrs = "{}") {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": [], "attrs": {"__shape__": "(2, 3)"}},
    {"op": "relu", "name": "act", "inputs": [[0, 0, 0]]},
    {"op": ")json" +
         op + R"json(", "name": "odd", "inputs": [[1, 0, 0]], "attrs": )json" + attrs + R"json(}],
    "arg_nodes": [0], "heads": [[1, 0, 0], [2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

TEST(RefusedOperators, AreErrorsThatSayWhatToDo) {
  EXPECT_MXINFER_ERROR(load_json(network_with("Custom", R"({"op_type": "mine"})")), ErrorCode::unsupported,
                       {"'odd'", "Custom", "written in Python", "outputs="});
  EXPECT_MXINFER_ERROR(load_json(network_with("_sg_mkldnn_selfatt_qk")), ErrorCode::unsupported,
                       {"'odd'", "MXNET_SUBGRAPH_BACKEND=NONE"});
  EXPECT_MXINFER_ERROR(load_json(network_with("sgd_update")), ErrorCode::unsupported, {"optimizer's update"});
}

// Unless the caller asks for them: the same input gives the same output.
TEST(RefusedOperators, RandomNumbersAreNotDrawnInsideANetwork) {
  for (const char* op : {"_random_uniform_like", "_sample_multinomial", "_shuffle", "_sample_poisson"}) {
    EXPECT_MXINFER_ERROR(load_json(network_with(op)), ErrorCode::unsupported,
                         {op, "'odd'", "random numbers", "execute", "an input with the name of the node"});
    LoadOptions identity;
    identity.random_transforms = RandomTransforms::identity;
    EXPECT_MXINFER_ERROR(load_json(network_with(op), identity), ErrorCode::unsupported,
                         {op, "'odd'", "distribution", "execute"});
  }
}

TEST(RefusedOperators, RandomNumbersComeFromTheSeedOrTheCaller) {
  LoadOptions options;
  options.random_transforms = RandomTransforms::execute;
  const std::string network = network_with("_random_uniform_like");
  const Tensor data = Tensor(DType::float32, {2, 3}), own = Tensor(DType::float32, {2, 3});
  const auto run = [&](const LoadOptions& load, const std::vector<TensorView>& inputs) {
    const Predictor predictor(load_json(network, load));
    return std::move(predictor.predict(inputs)[1]);
  };
  const Tensor first = run(options, {data.view()}), again = run(options, {data.view()});
  options.seed = 9;
  const Tensor other = run(options, {data.view()});
  EXPECT_EQ(std::memcmp(first.raw(), again.raw(), first.bytes()), 0);
  EXPECT_NE(std::memcmp(first.raw(), other.raw(), first.bytes()), 0);
  LoadOptions given;
  given.input_names = {"odd"};
  const Tensor theirs = run(given, {data.view(), own.view()});
  EXPECT_EQ(std::memcmp(theirs.raw(), own.raw(), own.bytes()), 0);
}

// Though a pass takes the operator away before its shapes are known.
TEST(RefusedOperators, ValuesAreNotDroppedAtRandom) {
  const std::string always = network_with("Dropout", R"({"mode": "always", "p": "0.5"})");
  EXPECT_MXINFER_ERROR(load_json(always), ErrorCode::unsupported,
                       {"Dropout ('odd')", "at random", "mode=\"always\"", "mode=\"training\""});
  const test::TempDir dir;
  dir.write("net-symbol.json", always);
  const Inspection report = inspect_model(dir / "net");
  ASSERT_EQ(report.unsupported.size(), 1u);
  EXPECT_EQ(report.unsupported[0].op, "Dropout");
  EXPECT_EQ(report.unsupported[0].nodes, std::vector<std::string>{"odd"});
  EXPECT_NE(report.unsupported[0].reason.find("at random"), std::string::npos);
  LoadOptions options;
  options.outputs = {"act_output"};
  EXPECT_NO_THROW(load_json(always, options));
  EXPECT_NO_THROW(load_json(network_with("Dropout", R"({"mode": "always", "p": "0"})")));
  EXPECT_NO_THROW(load_json(network_with("Dropout", R"({"p": "0.5"})")));
}

TEST(RefusedOperators, ValuesAreNotDroppedAtRandomInALoop) {
  EXPECT_MXINFER_ERROR(load_json(R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": [], "attrs": {"__shape__": "(2, 3)"}},
    {"op": "_foreach", "name": "loop", "inputs": [[0, 0, 0]],
     "attrs": {"num_args": "2", "num_outputs": "1", "num_out_data": "1", "in_data_locs": "(0,)", "in_state_locs": "()", "remain_locs": "()"},
     "subgraphs": [{"nodes": [
       {"op": "null", "name": "row", "inputs": []},
       {"op": "Dropout", "name": "drop", "inputs": [[0, 0, 0]], "attrs": {"mode": "always"}}],
       "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {}}]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json"),
                       ErrorCode::unsupported, {"'loop/drop'", "at random"});
}

TEST(RefusedOperators, MayStayWhereNoOutputNeedsThem) {
  LoadOptions options;
  options.outputs = {"act_output"};
  const auto model = load_json(network_with("Custom"), options);
  const std::vector<float> data{-1, 2, -3, 4, -5, 6};
  const auto out = Predictor(model).predict({TensorView(data.data(), Shape{2, 3})});
  EXPECT_EQ(out[0].data<float>()[3], 4);
  EXPECT_EQ(out[0].data<float>()[4], 0);
}

TEST(RefusedOperators, InspectSaysWhatTheyAre) {
  const test::TempDir dir;
  dir.write("net-symbol.json", network_with("_contrib_quantized_rnn"));
  const Inspection report = inspect_model(dir / "net");
  ASSERT_EQ(report.unsupported.size(), 1u);
  EXPECT_EQ(report.unsupported[0].nodes, std::vector<std::string>{"odd"});
  EXPECT_NE(report.unsupported[0].reason.find("int8"), std::string::npos) << report.unsupported[0].reason;
  LoadOptions options;
  options.outputs = {"act_output"};
  EXPECT_TRUE(inspect_model(dir / "net", options).unsupported.empty());
}

}  // namespace
}  // namespace mxinfer

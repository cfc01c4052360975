// Networks that end in a loss ask for labels; the message offers the value in front of the loss.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image_classifier.h>

#include "support/expect_error.h"
#include "support/files/params_writer.h"

namespace mxinfer::test {
namespace {

/// fc = data * 2, and what `more` makes of it: nodes from id 3 on, the last of which is the output. Node 0 is
/// data, 1 the label.
std::string loss_network(const std::string& label, const std::string& more, int last) {
  return R"json({"nodes": [
      {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 2)"}, "inputs": []},
      {"op": "null", "name": ")json" +
         label + R"json(", "inputs": []},
      {"op": "null", "name": "fc_weight", "inputs": []},
      {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "2", "no_bias": "True"},
       "inputs": [[0, 0, 0], [2, 0, 0]]}, )json" +
         more + R"json(], "arg_nodes": [0, 1, 2], "heads": [[)json" + std::to_string(last) +
         R"json(, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

const char* const kSquares = R"json({"op": "elemwise_sub", "name": "error", "inputs": [[3, 0, 0], [1, 0, 0]]},
    {"op": "square", "name": "square", "inputs": [[4, 0, 0]]},
    {"op": "MakeLoss", "name": "loss", "inputs": [[5, 0, 0]]})json";
const char* const kCrossEntropy = R"json({"op": "softmax", "name": "softmax", "inputs": [[3, 0, 0]]},
    {"op": "log", "name": "log", "inputs": [[4, 0, 0]]},
    {"op": "elemwise_mul", "name": "product", "inputs": [[5, 0, 0], [1, 0, 0]]},
    {"op": "MakeLoss", "name": "loss", "inputs": [[6, 0, 0]]})json";
const char* const kPick = R"json({"op": "pick", "name": "pick", "inputs": [[3, 0, 0], [1, 0, 0]]})json";

Model load_loss(const std::string& json, const std::vector<std::string>& outputs = {}) {
  const std::vector<std::byte> params =
      ParamsWriter().add("arg:fc_weight", dense_v2(DType::float32, {2, 2}, floats({2, 0, 0, 2}))).finish();
  LoadOptions options;
  options.outputs = outputs;
  return Model::load_memory(Span<const char>(json), ByteSpan(params.data(), params.size()), options);
}

void expect_offer(const std::string& json, const std::string& label, const std::string& value) {
  const Model model = load_loss(json);
  const Predictor predictor(model);
  const Tensor data(DType::float32, {1, 2});
  const std::vector<std::string> facts = {"'" + label + "'", "ends in a loss",
                                          "LoadOptions::outputs = " + value};
  EXPECT_MXINFER_ERROR(predictor.predict({{"data", data.view()}}), ErrorCode::invalid_argument, facts);
  EXPECT_MXINFER_ERROR(predictor.predict({data}), ErrorCode::invalid_argument, facts);
  EXPECT_MXINFER_ERROR(ImageClassifier(model), ErrorCode::invalid_argument, facts);
  ASSERT_FALSE(model.warnings().empty());
  EXPECT_NE(model.warnings().back().find(value), std::string::npos) << model.warnings().back();
  EXPECT_EQ(Predictor(load_loss(json, {value})).predict({data}).size(), 1u);
}

TEST(LossLabels, TheValueBeforeTheLossIsOffered) {
  expect_offer(loss_network("target", kSquares, 6), "target", "fc_output");
  expect_offer(loss_network("softmax_label", kCrossEntropy, 7), "softmax_label", "softmax_output");
  expect_offer(loss_network("label", kPick, 4), "label", "fc_output");
}

TEST(LossLabels, OtherInputsAreNoLabels) {
  const Predictor predictor(load_loss(loss_network("right", kPick, 4)));
  const Tensor data(DType::float32, {1, 2});
  try {
    (void)predictor.predict({{"data", data.view()}});
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("loss"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace mxinfer::test

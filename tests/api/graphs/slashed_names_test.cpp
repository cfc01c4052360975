// Names as Keras-MXNet gives them, with a folder for each layer: "conv2d_1/kernel1", "/conv2d_1_input1".
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <string>
#include <vector>

#include "support/files/golden_npz.h"
#include "support/files/temp_dir.h"
#include "support/networks/golden_graphs.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

const std::string kInput = "/conv2d_1_input1";

std::string keras_model() {
  return (test::golden_graphs_folder() / "keras_names").string();
}

test::Golden keras_golden() {
  return test::read_golden(keras_model() + ".npz");
}

TEST(SlashedNames, NameInputsAndOutputs) {
  const test::Golden golden = keras_golden();
  const Predictor predictor(keras_model());
  ASSERT_EQ(predictor.model().signature().inputs.size(), 1u);
  EXPECT_EQ(predictor.model().signature().inputs[0].name, kInput);
  const auto outputs = predictor.predict({{kInput, golden.inputs.at(kInput).view()}});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_LE(test::relative_difference(outputs.at("dense_1/Softmax1_output"), golden.outputs[0]), 1e-5);
}

TEST(SlashedNames, NameInnerValues) {
  const test::Golden golden = keras_golden();
  LoadOptions options;
  options.outputs = {"dense_1/Dense1", "flatten_1/Reshape1_output"};
  const Predictor predictor(keras_model(), {}, options);
  const auto outputs = predictor.predict({golden.inputs.at(kInput)});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[1].shape(), (Shape{2, 48}));
  const Tensor softmax = std::move(test::run_op("softmax", {}, {&outputs[0]})[0]);
  EXPECT_LE(test::relative_difference(softmax, golden.outputs[0]), 1e-5);
}

TEST(SlashedNames, AreThereAgainInASavedModel) {
  const test::Golden golden = keras_golden();
  const test::TempDir dir;
  ModelBuilder(keras_model()).save(dir / "saved");
  const Predictor saved(dir / "saved");
  EXPECT_EQ(saved.model().signature().inputs[0].name, kInput);
  test::expect_golden(saved, golden, 1e-5);
}

}  // namespace
}  // namespace mxinfer

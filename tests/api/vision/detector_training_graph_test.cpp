// Training graphs of single shot detectors, recorded from MXNet by tests/oracle/record_ssd.py, give what the
// graphs that MXNet deploys give.
#include <gtest/gtest.h>
#include <mxinfer/model.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/model_builder.h>

#include <algorithm>
#include <map>
#include <string>

#include "formats/arrays/npz.h"
#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

const std::string kSsd = MXINFER_SOURCE_DIR "/tests/golden/ssd/";

Tensor recorded_ssd(const std::string& name) {
  for (auto& array : formats::load_npz(kSsd + "ssd.npz")) {
    if (array.name == name) return std::move(array.tensor);
  }
  ADD_FAILURE() << name << " was not recorded";
  return {};
}

Model load(const std::string& name, const LoadOptions& options = {}) {
  return Model::load_files(kSsd + name + "-symbol.json", kSsd + "ssd-0000.params", options);
}

bool mentions(const std::vector<std::string>& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

void expect_deployed(const std::string& name, const std::string& output) {
  const auto model = load(name);
  ASSERT_EQ(model.signature().inputs.size(), 1u);
  EXPECT_EQ(model.signature().inputs[0].name, "data");
  ASSERT_EQ(model.signature().outputs.size(), 1u);
  EXPECT_EQ(model.signature().outputs[0].name, output);
  const Tensor data = recorded_ssd("data"), expected = recorded_ssd(name);
  const auto outputs = Predictor(model).predict({data});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_LE(test::relative_difference(outputs[0], expected), 1e-5);
}

TEST(DetectorTrainingGraph, EndsInItsDetections) {
  expect_deployed("ssd", "det_out_output");
  EXPECT_TRUE(mentions(load("ssd").warnings(),
                       "output det_out_output was kept; cls_prob_output, loc_loss_output, cls_label_output"));
}

// The heads of the file are four, and the network's output is one.
TEST(DetectorTrainingGraph, TakesTransforms) {
  namespace t = transforms;
  for (const char* name : {"ssd", "targets"}) {
    SCOPED_TRACE(name);
    ModelBuilder builder = ModelBuilder::from_files(kSsd + name + "-symbol.json", kSsd + "ssd-0000.params");
    const Predictor whole(builder.transforms({t::resize(48, 48), t::to_tensor()}).build());
    const Tensor image(DType::uint8, {1, 40, 30, 3});
    const auto outputs = whole.predict({image.view()});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(outputs[0].shape().rank(), 3u);
    EXPECT_EQ(outputs[0].shape()[2], 6);
  }
}

TEST(DetectorTrainingGraph, GetsDetectionsWhereItHasNone) {
  expect_deployed("targets", "detection_output");
  EXPECT_TRUE(
      mentions(load("targets").warnings(), "output detection_output was made, with nms_threshold=0.5"));
}

TEST(DetectorTrainingGraph, GivesOtherOutputsWhereTheyAreAskedFor) {
  LoadOptions options;
  options.outputs = {"cls_prob_output"};
  const auto model = load("ssd", options);
  ASSERT_EQ(model.signature().outputs.size(), 1u);
  EXPECT_EQ(model.signature().outputs[0].name, "cls_prob_output");
  const auto outputs = Predictor(model).predict({recorded_ssd("data")});
  EXPECT_EQ(to_string(outputs[0].shape()), "(2, 4, 188)");
}

TEST(DetectorTrainingGraph, RunsWithLabelsWhereTargetsAreAskedFor) {
  LoadOptions options;
  options.outputs = {"cls_label_output"};
  const auto model = load("ssd", options);
  ASSERT_EQ(model.signature().inputs.size(), 2u);
  const Tensor label = test::tensor_of<float>({2, 1, 5}, {1, 0.1f, 0.1f, 0.6f, 0.7f, -1, -1, -1, -1, -1});
  const Tensor data = recorded_ssd("data");
  const auto outputs = Predictor(model).predict(
      std::map<std::string, TensorView>{{"data", data.view()}, {"label", label.view()}});
  const Tensor& target = outputs.at("cls_label_output");
  EXPECT_EQ(to_string(target.shape()), "(2, 188)");
  EXPECT_TRUE(std::any_of(target.data<float>(), target.data<float>() + 188, [](float x) { return x == 2; }));
}

}  // namespace
}  // namespace mxinfer

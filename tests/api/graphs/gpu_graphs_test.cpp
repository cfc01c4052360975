// Networks that MXNet runs on GPUs alone (tests/oracle/record_gpu_graphs.py): channels come last, or numbers
// are halves.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/golden_npz.h"
#include "support/networks/golden_graphs.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

std::string gpu_graph_path(const std::string& name) {
  return (test::gpu_graphs_folder() / name).string();
}

test::Golden gpu_golden(const std::string& name) {
  return test::read_golden(test::gpu_graphs_folder() / (name + ".npz"));
}

double gpu_tolerance(const std::string& name) {
  return name.starts_with("halves") ? 1e-3 : 2e-5;
}

class GpuGraph : public ::testing::TestWithParam<std::string> {};

TEST_P(GpuGraph, GivesTheNumbersOfItsTwin) {
  const auto model = Model::load(gpu_graph_path(GetParam()));
  const test::Golden golden = gpu_golden(GetParam());
  for (const auto target : test::targets()) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(kernels::to_string(target));
      Options options;
      options.target = parse_target(kernels::to_string(target));
      options.threads = threads;
      test::expect_golden(Predictor(model, options), golden, gpu_tolerance(GetParam()));
    }
  }
}

// The signature says what comes out.
TEST_P(GpuGraph, StatesItsOutputs) {
  const test::Golden golden = gpu_golden(GetParam());
  LoadOptions load;
  for (const auto& [name, tensor] : golden.inputs)
    load.inputs.push_back({name, tensor.shape(), tensor.dtype()});
  const auto outputs = Model::load(gpu_graph_path(GetParam()), load).signature().outputs;
  ASSERT_EQ(outputs.size(), golden.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_EQ(outputs[i].dtype, golden.outputs[i].dtype()) << outputs[i].name;
    EXPECT_EQ(outputs[i].shape, golden.outputs[i].shape()) << outputs[i].name;
  }
}

std::string gpu_graph_name(const ::testing::TestParamInfo<std::string>& graph) {
  return graph.param;
}

INSTANTIATE_TEST_SUITE_P(Recorded, GpuGraph, ::testing::ValuesIn(test::gpu_graphs()), gpu_graph_name);

TEST(ChannelsLastModel, TakesImagesOfItsLayout) {
  const auto model = Model::load(gpu_graph_path("channels_last_video"));
  const DataDesc& data = model.signature().inputs[0];
  EXPECT_EQ(data.shape, (Shape{-1, -1, -1, -1, 2}));
  EXPECT_EQ(data.layout, "NDHWC");
}

TEST(ChannelsLastModel, IsFedByAnImageClassifier) {
  LoadOptions load;
  load.inputs = {{"data", Shape{-1, 18, 15, 3}}};  // says nothing of the layout
  load.outputs = {"softmax_output"};
  const auto model = Model::load(gpu_graph_path("channels_last_image"), load);
  EXPECT_EQ(model.signature().inputs[0].layout, "NHWC");
  const Image image(15, 18, 3, std::vector<std::uint8_t>(15 * 18 * 3, 100));
  const auto found = ImageClassifier(model).classify(image, 1);
  Tensor pixels(DType::float32, Shape{1, 18, 15, 3});
  std::fill_n(pixels.data<float>(), pixels.elements(), 100.0f);
  const auto scores = Predictor(model).predict({pixels.view()});
  ASSERT_EQ(found.size(), 1u);
  const float* row = scores[0].data<float>();
  EXPECT_EQ(found[0].score, *std::max_element(row, row + 4));
}

TEST(ChannelsLastModel, RunsInBfloat16) {
  Options options;
  options.precision = Precision::bfloat16;
  const auto model = Model::load(gpu_graph_path("channels_last_video"));
  test::expect_golden(Predictor(model, options), gpu_golden("channels_last_video"), 0.03);
}

// In the layout of the file.
TEST(ChannelsLastModel, RefusesDataThatDoesNotFit) {
  LoadOptions load;
  load.inputs = {{"data", Shape{1, 18, 15, 4}}};
  EXPECT_MXINFER_ERROR(Model::load(gpu_graph_path("channels_last_image"), load), ErrorCode::invalid_argument,
                       {"data has 4 channels (dimension 3 of (1, 18, 15, 4)): expected 3"});
}

// Halves are how the weights are stored, if the data is float32.
TEST(HalvesModel, FollowsItsData) {
  const test::Golden golden = gpu_golden("halves_pure");
  const Predictor predictor(Model::load(gpu_graph_path("halves_pure")));
  const Tensor& half = golden.inputs.at("data");
  Tensor data(DType::float32, half.shape());
  for (std::int64_t i = 0; i < data.elements(); ++i)
    data.data<float>()[i] = static_cast<float>(half.data<Half>()[i]);
  const Tensor wide = std::move(predictor.predict({data.view()})[0]);
  const Tensor narrow = std::move(predictor.predict({half.view()})[0]);
  EXPECT_EQ(narrow.dtype(), DType::float16);
  ASSERT_EQ(wide.dtype(), DType::float32);
  for (std::int64_t i = 0; i < wide.elements(); ++i)
    EXPECT_EQ(Half(wide.data<float>()[i]).bits, narrow.data<Half>()[i].bits);
}

TEST(HalvesModel, IsFedByAnImageClassifier) {
  LoadOptions load;
  load.inputs = {{"data", Shape{-1, 3, 6, 6}, DType::float16}};
  const auto model = Model::load(gpu_graph_path("halves_pure"), load);
  EXPECT_EQ(model.signature().outputs[0].dtype, DType::float16);
  const Image image(6, 6, 3, std::vector<std::uint8_t>(6 * 6 * 3, 50));
  const auto found = ImageClassifier(model).classify(image, 1);
  Tensor pixels(DType::float16, Shape{1, 3, 6, 6});
  std::fill_n(pixels.data<Half>(), pixels.elements(), Half(50.0f));
  const auto scores = Predictor(model).predict({pixels.view()});
  ASSERT_EQ(found.size(), 1u);
  float best = 0;
  for (int c = 0; c < 5; ++c) best = std::max(best, static_cast<float>(scores[0].data<Half>()[c]));
  EXPECT_EQ(found[0].score, best);
}

// What a Cast to float16 makes infinite on a GPU stays a number here (docs/reference/numerics.md).
TEST(HalvesModel, KeepsNumbersBeyondHalvesBetweenCasts) {
  const Predictor predictor(Model::load(gpu_graph_path("halves_cast")));
  Tensor data(DType::float32, Shape{1, 3, 6, 6});
  std::fill_n(data.data<float>(), data.elements(), 1e6f);
  const auto outputs = predictor.predict({data.view()});
  for (int c = 0; c < 5; ++c) EXPECT_FALSE(std::isnan(outputs[0].data<float>()[c]));
}

}  // namespace
}  // namespace mxinfer

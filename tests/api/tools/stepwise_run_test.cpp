#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/arrays.h>
#include <mxinfer/tools/inspect.h>
#include <mxinfer/tools/stepwise_run.h>

#include <fstream>
#include <iterator>

#include "support/expect_error.h"
#include "support/networks/digits.h"
#include "support/same_bits.h"

namespace mxinfer {
namespace {

using test::kDigits;
using test::same_bits;

Tensor some_image() {
  Tensor image(DType::float32, {2, 1, 32, 32});
  for (std::int64_t i = 0; i < image.elements(); ++i)
    image.data<float>()[i] = static_cast<float>(i % 13) / 13;
  return image;
}

TEST(StepwiseRun, GivesTheBitsOfAPrediction) {
  for (const int threads : {1, 2}) {
    Options options;
    options.threads = threads;
    const Predictor predictor(kDigits, options);
    const Tensor image = some_image();
    const std::vector<Tensor> whole = predictor.predict({image});
    StepwiseRun run(predictor, {image});
    EXPECT_GT(run.steps(), 5U);
    for (std::size_t i = 1; i <= run.steps(); ++i) {
      run.run_until(i);
      EXPECT_EQ(run.done(), i);
      (void)predictor.predict({image});  // what runs in between has a workspace of its own
    }
    EXPECT_TRUE(same_bits(run.take_outputs()[0], whole[0]));
    EXPECT_MXINFER_ERROR((void)run.take_outputs(), ErrorCode::invalid_argument, {"were already taken"});
  }
}

TEST(StepwiseRun, StepsMayBeLeftOut) {
  const Predictor predictor(kDigits);
  const Tensor image = some_image();
  StepwiseRun run(predictor, {image});
  run.run_until(3);
  run.run_until(2);
  EXPECT_EQ(run.done(), 3U);
  EXPECT_TRUE(same_bits(run.take_outputs()[0], predictor.predict({image})[0]));
}

TEST(StepwiseRun, AModelOfSeveralPlansIsOneStep) {
  const Predictor predictor(MXINFER_SOURCE_DIR "/models/digits.mxz");
  const Tensor image(DType::uint8, {40, 50, 1});
  StepwiseRun run(predictor, {image});
  EXPECT_EQ(run.steps(), 1U);
  EXPECT_TRUE(same_bits(run.take_outputs()[0], predictor.predict({image})[0]));
}

TEST(StepwiseRun, WrongInputsAreThoseOfPredict) {
  const Predictor predictor(kDigits);
  const Tensor wrong(DType::int32, {1, 1, 32, 32}), image = some_image();
  EXPECT_MXINFER_ERROR(StepwiseRun(predictor, {wrong}), ErrorCode::unsupported, {"int32"});
  EXPECT_MXINFER_ERROR(StepwiseRun(predictor, {image, image}), ErrorCode::invalid_argument, {"2"});
}

TEST(ReadArrays, GivesWhatAFileHolds) {
  const std::string path = kDigits + "/digits-0000.params";
  const std::vector<NamedTensor> arrays = read_arrays_file(path);
  ASSERT_GT(arrays.size(), 10U);
  EXPECT_EQ(arrays[0].name.substr(3, 1), ":");
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(read_arrays(bytes).size(), arrays.size());
  EXPECT_MXINFER_ERROR((void)read_arrays(bytes.substr(0, 100)), ErrorCode::malformed, {});
  EXPECT_MXINFER_ERROR((void)read_arrays_file("/nowhere.params"), ErrorCode::not_found, {"/nowhere.params"});
}

TEST(InspectMemory, SaysWhatTheFilesHold) {
  const auto bytes_of = [](const char* name) {
    std::ifstream file(kDigits + "/" + name, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const std::string symbol = bytes_of("digits-symbol.json"), params = bytes_of("digits-0000.params");
  const Inspection whole = inspect_memory(ByteSpan(symbol), ByteSpan(params));
  EXPECT_EQ(whole.nodes.size(), inspect_model(kDigits).nodes.size());
  EXPECT_TRUE(whole.missing_parameters.empty());
  const Inspection alone = inspect_memory(ByteSpan(symbol), {});
  EXPECT_FALSE(alone.missing_parameters.empty());
  // What nodes read, by the operators' names for it.
  std::size_t convolutions = 0;
  for (const NodeInfo& node : whole.nodes) {
    if (node.op != "Convolution") continue;
    ++convolutions;
    ASSERT_GE(node.inputs.size(), 2U) << node.name;
    EXPECT_EQ(node.inputs[0].port, "data");
    EXPECT_EQ(node.inputs[1].port, "weight");
    EXPECT_NE(node.inputs[1].value.find("_weight"), std::string::npos) << node.inputs[1].value;
  }
  EXPECT_GT(convolutions, 0U);
}

}  // namespace
}  // namespace mxinfer

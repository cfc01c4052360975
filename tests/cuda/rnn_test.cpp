// RNN on a GPU: each of its ways (a kernel for the sequence, for a step, or a GEMM), with all that the
// operator can be told.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cuda/support.h"
#include "support/run_op.h"

namespace mxinfer::test {
namespace {

struct Layers {
  std::string mode = "lstm";
  std::int64_t steps = 4, batch = 2, input = 5, hidden = 7, layers = 1;
  bool bidirectional = false;
  std::int64_t projection = 0;
  bool state_outputs = true;
  std::map<std::string, std::string> more{};
  const Tensor* lengths = nullptr;
};

constexpr const char* kModes[] = {"lstm", "gru", "rnn_relu", "rnn_tanh"};

/// The size of the packed parameters.
std::int64_t parameters_of(const Layers& layers) {
  const std::int64_t gates = layers.mode == "lstm" ? 4 : layers.mode == "gru" ? 3 : 1;
  const std::int64_t directions = layers.bidirectional ? 2 : 1;
  const std::int64_t out = layers.projection > 0 ? layers.projection : layers.hidden;
  std::int64_t count = 0;
  for (std::int64_t layer = 0; layer < layers.layers; ++layer) {
    const std::int64_t input = layer == 0 ? layers.input : out * directions;
    count += directions * (gates * layers.hidden * (input + out + 2) + layers.projection * layers.hidden);
  }
  return count;
}

void expect_rnn(const Layers& layers) {
  SCOPED_TRACE(layers.mode + ", hidden " + std::to_string(layers.hidden) + ", batch " +
               std::to_string(layers.batch));
  std::map<std::string, std::string> attrs = layers.more;
  attrs["mode"] = layers.mode;
  attrs["state_size"] = std::to_string(layers.hidden);
  attrs["num_layers"] = std::to_string(layers.layers);
  attrs["bidirectional"] = layers.bidirectional ? "True" : "False";
  attrs["state_outputs"] = layers.state_outputs ? "True" : "False";
  if (layers.projection > 0) attrs["projection_size"] = std::to_string(layers.projection);
  if (layers.lengths != nullptr) attrs["use_sequence_length"] = "True";
  const std::int64_t cells = layers.layers * (layers.bidirectional ? 2 : 1);
  const std::int64_t out = layers.projection > 0 ? layers.projection : layers.hidden;
  const Tensor data = random_tensor({layers.steps, layers.batch, layers.input}, 1);
  const Tensor parameters = random_tensor({parameters_of(layers)}, 2, -0.4f, 0.4f);
  const Tensor state = random_tensor({cells, layers.batch, out}, 3);
  const Tensor cell = random_tensor({cells, layers.batch, layers.hidden}, 4);
  std::vector<const Tensor*> inputs{&data, &parameters, &state};
  if (layers.mode == "lstm") inputs.push_back(&cell);
  if (layers.lengths != nullptr) inputs.push_back(layers.lengths);
  expect_as_on_cpu("RNN", attrs, inputs, {.parameters = {1}});
}

/// Sizes whose kernels differ: R in shared memory of the three sizes that the kernel has, a kernel for each
/// step with 1, up to 4 and more samples, and a GEMM for each step.
constexpr std::int64_t kSizes[][2] = {{1, 1},  {31, 3},  {32, 2},  {33, 2},   {64, 1},  {96, 2},
                                      {97, 1}, {100, 3}, {101, 9}, {100, 16}, {98, 17}, {100, 20}};

/// Hidden sizes and samples of each of the three ways.
constexpr std::pair<std::int64_t, std::int64_t> kWays[] = {{8, 6}, {98, 6}, {99, 18}};

class CudaRnn : public ::testing::TestWithParam<const char*> {
 protected:
  /// In each of the three ways; `adjust` changes the layers.
  template <typename Adjust>
  void expect_each_way(const Adjust& adjust) {
    for (const auto& [hidden, batch] : kWays) {
      Layers layers;
      layers.mode = GetParam();
      layers.hidden = hidden;
      layers.batch = batch;
      adjust(layers);
      expect_rnn(layers);
    }
  }
};

TEST_P(CudaRnn, AllSizes) {
  for (const auto& size : kSizes) {
    Layers layers;
    layers.mode = GetParam();
    layers.hidden = size[0];
    layers.batch = size[1];
    expect_rnn(layers);
  }
}

TEST_P(CudaRnn, LayersInBothDirections) {
  expect_each_way([](Layers& layers) {
    layers.steps = 3;
    layers.layers = layers.hidden < 32 ? 3 : 2;
    layers.bidirectional = true;
  });
}

TEST_P(CudaRnn, WithoutStateOutputs) {
  expect_each_way([](Layers& layers) {
    layers.layers = 2;
    layers.state_outputs = false;
  });
}

TEST_P(CudaRnn, OneStep) {
  expect_each_way([](Layers& layers) {
    layers.steps = 1;
    layers.bidirectional = true;
  });
}

TEST_P(CudaRnn, SequenceLengths) {
  for (const auto& [hidden, batch] : kWays) {
    for (const DType dtype : {DType::float32, DType::int32, DType::int64}) {
      if (hidden > 32 && dtype != DType::float32) continue;
      Tensor lengths(dtype, Shape{batch});
      for (std::int64_t i = 0; i < batch; ++i) {
        const std::int64_t length = i % 6;  // none, some, all of 4 steps, and more
        if (dtype == DType::float32) lengths.data<float>()[i] = static_cast<float>(length) + 0.25f;
        if (dtype == DType::int32) lengths.data<std::int32_t>()[i] = static_cast<std::int32_t>(length);
        if (dtype == DType::int64) lengths.data<std::int64_t>()[i] = length;
      }
      Layers layers;
      layers.mode = GetParam();
      layers.hidden = hidden;
      layers.batch = batch;
      layers.layers = 2;
      layers.bidirectional = true;
      layers.lengths = &lengths;
      expect_rnn(layers);
    }
  }
}

// A plain cast of these gives another length on a GPU than on a CPU.
TEST_P(CudaRnn, LengthsThatAreNone) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor few = tensor_of<float>({6}, {nan, inf, -inf, 3e9f, 1e19f, -2.5f});
  const Tensor many = tensor_of<float>(
      {18}, {nan, inf, -inf, 3e9f, 1e19f, -2.5f, 1, 2, 3, 4, nan, inf, -inf, -3e9f, -1e19f, 0, 5, 2.9f});
  expect_each_way([&](Layers& layers) {
    layers.bidirectional = true;
    layers.lengths = layers.batch == 6 ? &few : &many;
  });
}

INSTANTIATE_TEST_SUITE_P(Modes, CudaRnn, ::testing::ValuesIn(kModes));

TEST(CudaLstm, Projections) {
  for (const std::int64_t batch : {1, 3, 18}) {
    Layers layers;
    layers.batch = batch;
    layers.hidden = 37;
    layers.projection = 6;
    layers.layers = 2;
    layers.bidirectional = true;
    expect_rnn(layers);
    layers.state_outputs = false;
    expect_rnn(layers);
    Tensor lengths(DType::float32, Shape{batch});
    for (std::int64_t i = 0; i < batch; ++i) lengths.data<float>()[i] = static_cast<float>(i % 5);
    layers.lengths = &lengths;
    layers.state_outputs = true;
    expect_rnn(layers);
  }
}

TEST(CudaLstm, ClippedCells) {
  for (const auto& [hidden, batch] : kWays) {
    Layers layers;
    layers.hidden = hidden;
    layers.batch = batch;
    layers.more = {{"lstm_state_clip_min", "-0.2"}, {"lstm_state_clip_max", "0.1"}};
    expect_rnn(layers);
  }
}

}  // namespace
}  // namespace mxinfer::test

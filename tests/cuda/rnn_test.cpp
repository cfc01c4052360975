// RNN on a GPU: each of its ways (a kernel for the sequence, one whose blocks wait for each other, a kernel
// for a step, or a GEMM), with all that the operator can be told.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/support.h"
#include "kernels/rnn/rnn_persistent_cuda.h"
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
  std::string kernel{};  ///< empty: as planned
  kernels::Precision precision = kernels::Precision::float32;
  float largest_weight = 0.4f;
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

/// Layers as an operator.
struct RnnOperator {
  std::map<std::string, std::string> attrs;
  std::vector<Tensor> tensors;
  std::vector<const Tensor*> inputs;
};

RnnOperator operator_of(const Layers& layers) {
  RnnOperator made;
  std::map<std::string, std::string>& attrs = made.attrs;
  attrs = layers.more;
  attrs["mode"] = layers.mode;
  attrs["state_size"] = std::to_string(layers.hidden);
  attrs["num_layers"] = std::to_string(layers.layers);
  attrs["bidirectional"] = layers.bidirectional ? "True" : "False";
  attrs["state_outputs"] = layers.state_outputs ? "True" : "False";
  if (layers.projection > 0) attrs["projection_size"] = std::to_string(layers.projection);
  if (layers.lengths != nullptr) attrs["use_sequence_length"] = "True";
  const std::int64_t cells = layers.layers * (layers.bidirectional ? 2 : 1);
  const std::int64_t out = layers.projection > 0 ? layers.projection : layers.hidden;
  made.tensors.push_back(random_tensor({layers.steps, layers.batch, layers.input}, 1));
  made.tensors.push_back(
      random_tensor({parameters_of(layers)}, 2, -layers.largest_weight, layers.largest_weight));
  made.tensors.push_back(random_tensor({cells, layers.batch, out}, 3));
  if (layers.mode == "lstm") made.tensors.push_back(random_tensor({cells, layers.batch, layers.hidden}, 4));
  for (const Tensor& tensor : made.tensors) made.inputs.push_back(&tensor);
  if (layers.lengths != nullptr) made.inputs.push_back(layers.lengths);
  return made;
}

void expect_rnn(const Layers& layers) {
  SCOPED_TRACE(layers.mode + ", hidden " + std::to_string(layers.hidden) + ", batch " +
               std::to_string(layers.batch) + ", " + layers.kernel);
  const RnnOperator rnn = operator_of(layers);
  const bool rounds = layers.precision != kernels::Precision::float32;
  expect_as_on_cpu("RNN", rnn.attrs, rnn.inputs,
                   {.parameters = {1},
                    .tolerance = rounds ? rounding_tolerance(layers.precision) : 1e-5,
                    .precision = layers.precision,
                    .kernel = layers.kernel});
}

std::shared_ptr<const plan::Plan> rnn_plan_of(const OneOperator& one, kernels::Precision precision,
                                              plan::WeightStore& weights) {
  std::vector<ops::TensorType> types;
  for (const Tensor* input : one.inputs) types.push_back({input->dtype(), input->shape()});
  plan::PlanOptions options = cuda_plan_options();
  options.precision = precision;
  return plan::make_plan(one.graph, types, options, weights);
}

/// The kernel that the planner chooses.
std::string planned_kernel(const Layers& layers) {
  const RnnOperator rnn = operator_of(layers);
  const OneOperator one = one_operator("RNN", rnn.attrs, rnn.inputs, {.parameters = {1}});
  plan::WeightStore weights;
  const auto plan = rnn_plan_of(one, layers.precision, weights);
  for (const StepInfo& step : plan->info.steps) {
    if (step.node == "test") return step.kernel;
  }
  return "";
}

/// Sizes whose kernels differ: R in shared memory of the three sizes that the kernel has, a kernel for each
/// step with 1, up to 4 and more samples, and a GEMM for each step.
constexpr std::int64_t kSizes[][2] = {{1, 1},  {31, 3},  {32, 2},  {33, 2},   {64, 1},  {96, 2},
                                      {97, 1}, {100, 3}, {101, 9}, {100, 16}, {98, 17}, {100, 20}};

/// Hidden sizes and samples of each of the ways.
struct Way {
  std::int64_t hidden, batch;
  const char* kernel;
};
constexpr Way kWays[] = {{8, 6, "rnn_sequence_f32"},
                         {98, 6, "rnn_step_f32"},
                         {99, 18, "rnn_gemm_f32"},
                         {37, 6, "rnn_persistent_f32"},
                         {37, 18, "rnn_persistent_f32"}};

class CudaRnn : public ::testing::TestWithParam<const char*> {
 protected:
  /// In each of the ways; `adjust` changes the layers.
  template <typename Adjust>
  void expect_each_way(const Adjust& adjust) {
    for (const auto& [hidden, batch, kernel] : kWays) {
      Layers layers;
      layers.mode = GetParam();
      layers.hidden = hidden;
      layers.batch = batch;
      layers.kernel = kernel;
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
    if (size[0] > 96) layers.kernel = size[1] < 17 ? "rnn_step_f32" : "rnn_gemm_f32";
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
  for (const auto& [hidden, batch, kernel] : kWays) {
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
      layers.kernel = kernel;
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

using kernels::FloatType;
using kernels::cuda::PersistentGpu;
using kernels::cuda::PersistentRnn;
using kernels::cuda::RnnCell;

/// Whether the multiprocessors hold the layers. A T4 does not hold the largest below.
bool fits_gpu(const Layers& layers) {
  const auto& gpu = device::CudaDevice::open(0)->properties();
  const RnnCell cell = layers.mode == "lstm"  ? RnnCell::lstm
                       : layers.mode == "gru" ? RnnCell::gru
                                              : RnnCell::tanh;
  const FloatType type =
      layers.kernel == "rnn_persistent_f32" ? FloatType::float32 : FloatType::float16;  // of as many bytes
  const PersistentGpu cards{gpu.multiprocessors, gpu.shared_bytes};
  return plan_persistent_rnn({cell, layers.bidirectional ? 2 : 1, layers.batch, layers.hidden}, type, cards)
      .has_value();
}

/// Units in slices that are full and not, samples in groups and chunks that are.
constexpr std::int64_t kPersistentSizes[][2] = {{5, 1},   {5, 3},   {64, 1},   {64, 8},
                                                {37, 33}, {200, 3}, {200, 33}, {66, 65}};

TEST_P(CudaRnn, BlocksThatWaitForEachOther) {
  for (const auto& size : kPersistentSizes) {
    Layers layers;
    layers.mode = GetParam();
    layers.hidden = size[0];
    layers.batch = size[1];
    layers.kernel = "rnn_persistent_f32";
    if (fits_gpu(layers)) expect_rnn(layers);
  }
}

std::string persistent_kernel(const std::string& mode, kernels::Precision precision) {
  const bool as_float32 = precision == kernels::Precision::tf32 ||
                          (precision == kernels::Precision::float16 && mode == "rnn_relu");
  return std::string("rnn_persistent_") + (as_float32 ? "f32" : short_name(precision));
}

TEST_P(CudaRnn, BlocksThatWaitForEachOtherInLowerPrecisions) {
  for (const auto precision : lower_precisions()) {
    for (const auto& size : kPersistentSizes) {
      SCOPED_TRACE(to_string(precision));
      Layers layers;
      layers.mode = GetParam();
      layers.hidden = size[0];
      layers.batch = size[1];
      layers.bidirectional = size[0] == 37 || size[0] == 64;
      layers.layers = size[0] == 64 ? 2 : 1;
      layers.precision = precision;
      // Steps do not enlarge the errors of those before them.
      layers.largest_weight = std::min(0.4f, 1.5f / std::sqrt(static_cast<float>(layers.hidden)));
      layers.kernel = persistent_kernel(layers.mode, precision);
      if (fits_gpu(layers)) expect_rnn(layers);
    }
  }
}

// Products of inputs, and those of states by GEMMs, are tf32.
TEST_P(CudaRnn, OtherKernelsInLowerPrecisions) {
  for (const auto precision : lower_precisions()) {
    for (const auto& [hidden, batch, kernel] : kWays) {
      if (std::string(kernel) == "rnn_persistent_f32") continue;
      Layers layers;
      layers.mode = GetParam();
      layers.hidden = hidden;
      layers.batch = batch;
      layers.kernel = kernel;
      layers.precision = precision;
      layers.largest_weight = std::min(0.4f, 1.5f / std::sqrt(static_cast<float>(hidden)));
      expect_rnn(layers);
    }
  }
}

TEST_P(CudaRnn, BlocksThatWaitForEachOtherGiveTheSameBits) {
  for (const auto precision : {kernels::Precision::float32, kernels::Precision::float16}) {
    Layers layers;
    layers.mode = GetParam();
    layers.hidden = 100;
    layers.batch = 9;
    layers.precision = precision;
    const RnnOperator rnn = operator_of(layers);
    const OneOperator one = one_operator("RNN", rnn.attrs, rnn.inputs);
    plan::WeightStore weights;
    const auto plan = rnn_plan_of(one, precision, weights);
    const std::vector<Tensor> expected = run_on(plan, one.inputs);
    for_each_schedule([&] {
      const std::vector<Tensor> actual = run_on(plan, one.inputs);
      for (std::size_t o = 0; o < expected.size(); ++o) expect_close(expected[o], actual[o], 0, o);
    });
  }
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
  for (const auto& [hidden, batch, kernel] : kWays) {
    Layers layers;
    layers.hidden = hidden;
    layers.batch = batch;
    layers.kernel = kernel;
    layers.more = {{"lstm_state_clip_min", "-0.2"}, {"lstm_state_clip_max", "0.1"}};
    expect_rnn(layers);
  }
}

// ---- How blocks divide layers.

constexpr PersistentGpu kSmallCard{40, std::size_t{64} << 10}, kLargeCard{132, std::size_t{227} << 10};

std::optional<PersistentRnn> lstm_plan(std::int64_t batch, std::int64_t hidden, FloatType type,
                                       const PersistentGpu& gpu, int directions = 1) {
  return plan_persistent_rnn({RnnCell::lstm, directions, batch, hidden}, type, gpu);
}

TEST(PersistentRnnPlan, BlocksHoldWhatTheyNeed) {
  for (const std::int64_t hidden : {1, 5, 64, 200, 512, 650, 1000, 1024, 1500}) {
    for (const std::int64_t batch : {1, 3, 8, 33, 64, 200, 1000}) {
      for (const int directions : {1, 2}) {
        for (const auto type : {FloatType::float32, FloatType::float16}) {
          const auto plan = lstm_plan(batch, hidden, type, kLargeCard, directions);
          if (!plan) continue;
          EXPECT_LE(plan->slices * plan->groups * directions, kLargeCard.multiprocessors);
          EXPECT_LE(plan->shared_bytes, kLargeCard.shared_bytes);
          EXPECT_GE(std::int64_t{plan->units} * plan->slices, hidden);
          EXPECT_GE(std::int64_t{plan->samples} * plan->groups, batch);
          EXPECT_EQ(plan->samples % plan->chunk, 0);
          EXPECT_GE(plan->rows(), 4 * plan->units);
          EXPECT_GE(plan->depth, hidden);
        }
      }
    }
  }
}

TEST(PersistentRnnPlan, WhatFitsOnTheGpu) {
  EXPECT_TRUE(lstm_plan(32, 650, FloatType::float32, kLargeCard));
  EXPECT_TRUE(lstm_plan(32, 1024, FloatType::float32, kLargeCard));
  EXPECT_FALSE(lstm_plan(32, 2048, FloatType::float32, kLargeCard));
  EXPECT_TRUE(lstm_plan(8, 1500, FloatType::float16, kLargeCard));
  EXPECT_TRUE(lstm_plan(32, 1024, FloatType::float16, kLargeCard, 2));
  EXPECT_FALSE(lstm_plan(32, 4096, FloatType::float16, kLargeCard));
  EXPECT_TRUE(lstm_plan(1, 256, FloatType::float16, kSmallCard));
  EXPECT_FALSE(lstm_plan(1, 512, FloatType::float32, kSmallCard));
  EXPECT_FALSE(lstm_plan(100000, 512, FloatType::float16, kLargeCard));
}

// Layers that do not fit have the kernels for each step.
TEST(CudaLstm, LargerThanTheGpu) {
  const auto& gpu = device::CudaDevice::open(0)->properties();
  const PersistentGpu cards{gpu.multiprocessors, gpu.shared_bytes};
  Layers layers;
  layers.hidden = 300;
  layers.steps = 2;
  for (const std::int64_t batch : {3, 17}) {
    layers.batch = batch;
    const bool fits = lstm_plan(batch, layers.hidden, FloatType::float32, cards).has_value();
    layers.kernel = fits ? "rnn_persistent_f32" : batch == 3 ? "rnn_step_f32" : "rnn_gemm_f32";
    expect_rnn(layers);
    EXPECT_EQ(planned_kernel(layers), layers.kernel + " [cuda:0]");
  }
}

}  // namespace
}  // namespace mxinfer::test

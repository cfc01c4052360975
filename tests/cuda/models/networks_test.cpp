// Small networks of the kinds that models are of, optimised for the GPU and run there from end to end.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/support.h"
#include "pipeline/pipeline.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;

std::string pair_of(int size) {
  return "(" + std::to_string(size) + ", " + std::to_string(size) + ")";
}

// Layers with seeded weights.
class Network {
 public:
  GraphBuilder& builder() { return b_; }
  Value input(const std::string& name) { return b_.input(name); }
  void head(Value value) { b_.head(value); }

  Value parameter(const Shape& shape, float low = -0.3f, float high = 0.3f) {
    ++seed_;
    return b_.parameter("p" + std::to_string(seed_), test::random_tensor(shape, seed_, low, high));
  }
  Value convolution(Value x, std::int64_t channels, std::int64_t filters, int kernel, int stride,
                    std::int64_t groups = 1) {
    return b_.op("Convolution",
                 {{"kernel", pair_of(kernel)},
                  {"stride", pair_of(stride)},
                  {"pad", pair_of(kernel / 2)},
                  {"num_filter", std::to_string(filters)},
                  {"num_group", std::to_string(groups)},
                  {"no_bias", "True"}},
                 {x, parameter({filters, channels / groups, kernel, kernel})});
  }
  Value norm(Value x, std::int64_t channels) {
    return b_.op("BatchNorm", {{"fix_gamma", "False"}},
                 {x, parameter({channels}, 0.5f, 1.5f), parameter({channels}), parameter({channels}),
                  parameter({channels}, 0.5f, 1.5f)});
  }
  Value relu(Value x) { return b_.op("Activation", {{"act_type", "relu"}}, {x}); }
  Value dense(Value x, std::int64_t inputs, std::int64_t outputs, bool flatten = true) {
    return b_.op("FullyConnected",
                 {{"num_hidden", std::to_string(outputs)}, {"flatten", flatten ? "True" : "False"}},
                 {x, parameter({outputs, inputs}), parameter({outputs})});
  }
  Value global_average(Value x) {
    return b_.op(
        "Flatten", {},
        {b_.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}, {"kernel", "(1, 1)"}}, {x})});
  }

 private:
  GraphBuilder b_;
  unsigned seed_ = 0;
};

// How many nodes of the operator there are; each of them copies nothing.
int aliases(const std::vector<StepInfo>& steps, const std::string& op) {
  int found = 0;
  for (const StepInfo& step : steps) {
    if (step.op != op) continue;
    ++found;
    EXPECT_EQ(step.kernel, "alias") << step.node;
  }
  return found;
}

// Everything runs on the GPU, and gives what the CPU's reference gives. Returns the steps of the plan.
std::vector<StepInfo> expect_all_on_cuda(graph::Graph graph, const std::vector<const Tensor*>& inputs) {
  plan::PlanOptions options = test::cuda_plan_options();
  passes::Goal goal{options.target, kernels::Precision::float32};
  goal.device = device::Kind::cuda;
  std::vector<ops::TensorType> types;
  for (const Tensor* input : inputs) types.push_back({input->dtype(), input->shape()});
  plan::WeightStore weights, reference_weights;
  plan::PlanOptions reference{kernels::Target::ref, 1};
  const auto expected = test::run_on(plan::make_plan(graph, types, reference, reference_weights), inputs);
  pipeline::optimise(graph, goal);
  options.cpu_fallback = false;
  const auto plan = plan::make_plan(graph, types, options, weights);
  EXPECT_EQ(plan->info.steps_on_cpu, 0);
  test::for_each_schedule([&] {
    const auto actual = test::run_on(plan, inputs);
    ASSERT_EQ(expected.size(), actual.size());
    for (std::size_t o = 0; o < expected.size(); ++o) test::expect_close(expected[o], actual[o], 1e-4, o);
  });
  return plan->info.steps;
}

TEST(NetworksOnCuda, ResidualBlocks) {
  Network n;
  Value x = n.input("data");
  x = n.relu(n.norm(n.convolution(x, 3, 16, 7, 2), 16));
  x = n.builder().op(
      "Pooling", {{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"pool_type", "max"}}, {x});
  std::int64_t channels = 16;
  for (const std::int64_t filters : {16, 32, 63}) {
    const int stride = channels == filters ? 1 : 2;
    Value y = n.relu(n.norm(n.convolution(x, channels, filters, 3, stride), filters));
    y = n.norm(n.convolution(y, filters, filters, 3, 1), filters);
    if (stride != 1) x = n.norm(n.convolution(x, channels, filters, 1, stride), filters);
    x = n.relu(n.builder().op("elemwise_add", {}, {y, x}));
    channels = filters;
  }
  n.head(n.builder().op("softmax", {}, {n.dense(n.global_average(x), channels, 10)}));
  const Tensor data = test::random_tensor({2, 3, 64, 64}, 1);
  expect_all_on_cuda(n.builder().graph(), {&data});
}

// A block of a ResNet's second stage, so large that Winograd's algorithm pays on GPUs with fast memory.
TEST(NetworksOnCuda, AWideResidualBlock) {
  constexpr std::int64_t kChannels = 128;
  Network n;
  const Value x = n.input("data");
  Value y = n.relu(n.norm(n.convolution(x, kChannels, kChannels, 3, 1), kChannels));
  y = n.norm(n.convolution(y, kChannels, kChannels, 3, 1), kChannels);
  n.head(n.relu(n.builder().op("elemwise_add", {}, {y, x})));
  const Tensor data = test::random_tensor({1, kChannels, 30, 27}, 6);
  const std::vector<StepInfo> steps = expect_all_on_cuda(n.builder().graph(), {&data});
  const auto& gpu = device::CudaDevice::open(0)->properties();
  if (gpu.major == 8 && gpu.minor > 0) return;  // little bandwidth for its arithmetic
  const auto by_winograd = std::count_if(steps.begin(), steps.end(), [](const StepInfo& step) {
    return step.kernel == "winograd_4x4_3x3_f32 [cuda:0]" &&
           step.reason.find("a quarter of the multiplications; predicted to take") != std::string::npos;
  });
  EXPECT_EQ(by_winograd, 2);
}

TEST(NetworksOnCuda, DepthwiseBlocksWithClippedActivations) {
  Network n;
  Value x = n.input("data");
  const auto relu6 = [&](Value v) {
    return n.builder().op("clip", {{"a_min", "0.0"}, {"a_max", "6.0"}}, {v});
  };
  x = relu6(n.norm(n.convolution(x, 3, 16, 3, 2), 16));
  for (int block = 0; block < 2; ++block) {
    Value y = relu6(n.norm(n.convolution(x, 16, 48, 1, 1), 48));
    y = relu6(n.norm(n.convolution(y, 48, 48, 3, 1, 48), 48));
    y = n.norm(n.convolution(y, 48, 16, 1, 1), 16);
    x = n.builder().op("elemwise_add", {}, {y, x});
  }
  n.head(n.dense(n.global_average(x), 16, 5));
  const Tensor data = test::random_tensor({1, 3, 33, 33}, 2);
  expect_all_on_cuda(n.builder().graph(), {&data});
}

TEST(NetworksOnCuda, ASqueezeGateAndLeakyActivations) {
  Network n;
  Value x = n.input("data");
  x = n.builder().op("LeakyReLU", {{"act_type", "leaky"}, {"slope", "0.1"}},
                     {n.norm(n.convolution(x, 3, 20, 3, 1), 20)});
  Value gate = n.global_average(x);
  gate =
      n.builder().op("Activation", {{"act_type", "sigmoid"}}, {n.dense(n.relu(n.dense(gate, 20, 5)), 5, 20)});
  gate = n.builder().op("Reshape", {{"shape", "(-1, 20, 1, 1)"}}, {gate});
  x = n.builder().op("broadcast_mul", {}, {x, gate});
  x = n.builder().op("LeakyReLU", {{"act_type", "prelu"}}, {x, n.parameter({20})});
  n.head(n.dense(n.global_average(x), 20, 4));
  const Tensor data = test::random_tensor({2, 3, 17, 17}, 3);
  expect_all_on_cuda(n.builder().graph(), {&data});
}

TEST(NetworksOnCuda, BranchesThatAreConcatenated) {
  Network n;
  Value x = n.input("data");
  x = n.relu(n.convolution(x, 3, 12, 3, 1));
  std::vector<Value> branches{
      n.relu(n.convolution(x, 12, 7, 1, 1)), n.relu(n.convolution(x, 12, 9, 3, 1)),
      n.builder().op("Pooling",
                     {{"kernel", "(3, 3)"}, {"stride", "(1, 1)"}, {"pad", "(1, 1)"}, {"pool_type", "avg"}},
                     {x})};
  Value y = n.builder().op("Concat", {{"num_args", "3"}, {"dim", "1"}}, branches);
  y = n.builder().op("UpSampling", {{"scale", "2"}, {"sample_type", "nearest"}, {"num_args", "1"}}, {y});
  n.head(n.convolution(y, 28, 6, 3, 2));
  const Tensor data = test::random_tensor({1, 3, 11, 13}, 4);
  expect_all_on_cuda(n.builder().graph(), {&data});
}

// A dense block: each layer reads all that is before it, which grows in place.
TEST(NetworksOnCuda, DenseBlocksCopyNothing) {
  Network n;
  Value x = n.relu(n.norm(n.convolution(n.input("data"), 3, 16, 3, 1), 16));
  x = n.builder().op("Pooling", {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}, {"pool_type", "max"}}, {x});
  std::int64_t channels = 16;
  for (const std::int64_t growth : {8, 12, 5}) {
    Value y = n.convolution(n.relu(n.norm(x, channels)), channels, 20, 1, 1);
    y = n.convolution(n.relu(n.norm(y, 20)), 20, growth, 3, 1);
    x = n.builder().op("Concat", {{"num_args", "2"}, {"dim", "1"}}, {x, y});
    channels += growth;
  }
  n.head(n.dense(n.global_average(n.relu(n.norm(x, channels))), channels, 10));
  const Tensor data = test::random_tensor({2, 3, 10, 12}, 6);
  EXPECT_EQ(aliases(expect_all_on_cuda(n.builder().graph(), {&data}), "Concat"), 3);
}

// A part of a concatenation, too, is read where it lies.
TEST(NetworksOnCuda, PartsOfWhatIsConcatenated) {
  Network n;
  const Value x = n.relu(n.convolution(n.input("data"), 3, 24, 3, 1));
  const Value halves = n.builder().op("SliceChannel", {{"num_outputs", "2"}, {"axis", "1"}}, {x});
  const Value left = n.relu(n.convolution({halves.node, 0}, 12, 8, 3, 1));
  const Value right = n.builder().op(
      "Pooling", {{"kernel", "(3, 3)"}, {"stride", "(1, 1)"}, {"pad", "(1, 1)"}, {"pool_type", "max"}},
      {{halves.node, 1}});
  const Value large = n.builder().op(
      "Pooling", {{"kernel", "(7, 7)"}, {"stride", "(1, 1)"}, {"pad", "(3, 3)"}, {"pool_type", "avg"}},
      {{halves.node, 1}});
  n.head(n.convolution(n.builder().op("Concat", {{"num_args", "3"}, {"dim", "1"}}, {left, right, large}), 32,
                       6, 3, 2));
  const Tensor data = test::random_tensor({2, 3, 9, 8}, 7);
  const std::vector<StepInfo> steps = expect_all_on_cuda(n.builder().graph(), {&data});
  EXPECT_EQ(aliases(steps, "SliceChannel"), 1);
  EXPECT_EQ(aliases(steps, "Concat"), 1);
}

// One layer of a transformer: attention over 9 tokens of 2 sentences, with its norms.
TEST(NetworksOnCuda, Attention) {
  constexpr std::int64_t kUnits = 24;
  Network n;
  const Value ids = n.input("data");
  Value x = n.builder().op("Embedding", {{"input_dim", "50"}, {"output_dim", "24"}},
                           {ids, n.parameter({50, kUnits}, -1, 1)});
  x = n.builder().op("transpose", {{"axes", "(1, 0, 2)"}}, {x});
  const Value qkv = n.dense(x, kUnits, 3 * kUnits, false);
  Value scores = n.builder().op("_contrib_interleaved_matmul_selfatt_qk", {{"heads", "4"}}, {qkv});
  scores = n.builder().op("softmax", {{"axis", "-1"}}, {scores});
  Value y = n.builder().op("_contrib_interleaved_matmul_selfatt_valatt", {{"heads", "4"}}, {qkv, scores});
  y = n.builder().op("elemwise_add", {}, {n.dense(y, kUnits, kUnits, false), x});
  y = n.builder().op("LayerNorm", {{"axis", "-1"}}, {y, n.parameter({kUnits}), n.parameter({kUnits})});
  n.head(n.builder().op("LeakyReLU", {{"act_type", "gelu"}}, {n.dense(y, kUnits, 40, false)}));
  const Tensor tokens =
      test::tensor_of<float>({2, 9}, {0, 1, 2, 3, 49, 48, 7, 7, 1, 5, 6, 20, 21, 22, 23, 30, 31, 32});
  expect_all_on_cuda(n.builder().graph(), {&tokens});
}

TEST(NetworksOnCuda, ARecurrentLayer) {
  Network n;
  const Value x = n.input("data");
  // One bidirectional layer of 5 hidden units over 6 inputs: weights of both directions, then their biases.
  const Value weights = n.parameter({2 * (4 * 5 * (6 + 5)) + 2 * (2 * 4 * 5)});
  const Value zeros = n.parameter({2, 3, 5}, 0.0f, 0.1f), cells = n.parameter({2, 3, 5}, 0.0f, 0.1f);
  const Value y = n.builder().op("RNN",
                                 {{"state_size", "5"},
                                  {"num_layers", "1"},
                                  {"mode", "lstm"},
                                  {"bidirectional", "True"},
                                  {"state_outputs", "False"}},
                                 {x, weights, zeros, cells});
  const Value last = n.builder().op("slice_axis", {{"axis", "0"}, {"begin", "-1"}, {"end", "None"}}, {y});
  n.head(n.dense(last, 10, 4, false));
  const Tensor data = test::random_tensor({7, 3, 6}, 5);
  expect_all_on_cuda(n.builder().graph(), {&data});
}

}  // namespace
}  // namespace mxinfer

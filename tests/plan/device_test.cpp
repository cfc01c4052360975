// Plans with a device: nodes that it has run there, the others on the CPU, with copies between them; the
// results are those of the CPU, bit by bit.
#include "device/device.h"

#include <gtest/gtest.h>
#include <mxinfer/model.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernels/speed/cpu_rates.h"
#include "model/model_data.h"
#include "plan/plan.h"
#include "runtime/executor.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/poisoned_device.h"
#include "support/run_op.h"

namespace mxinfer::plan {
namespace {

using graph::Value;
using test::GraphBuilder;
using test::PoisonedBackend;
using test::PoisonedDevice;

PlanOptions cpu_options(int threads = 1) {
  PlanOptions options{kernels::best_target(), threads};
  options.rates = &kernels::default_rates(options.target);
  options.by_sample = false;
  return options;
}

PlanOptions device_options(const PoisonedBackend& backend, const std::shared_ptr<PoisonedDevice>& device,
                           int threads = 1) {
  PlanOptions options = cpu_options(threads);
  options.backend = &backend;
  options.device = device;
  return options;
}

std::vector<ops::TensorType> types_of(const std::vector<Tensor>& tensors) {
  std::vector<ops::TensorType> types;
  for (const Tensor& tensor : tensors) types.push_back({tensor.dtype(), tensor.shape()});
  return types;
}

std::vector<Tensor> run(const std::shared_ptr<const Plan>& plan, const std::vector<Tensor>& inputs) {
  runtime::Executor executor(plan);
  std::vector<const void*> from;
  std::vector<void*> to;
  std::vector<Tensor> outputs;
  for (const Tensor& input : inputs) from.push_back(input.raw());
  for (const auto& type : plan->outputs) outputs.emplace_back(type.dtype, type.shape);
  for (Tensor& output : outputs) to.push_back(output.raw());
  ThreadArena arena(plan->threads);
  executor.run(from.data(), to.data(), arena);
  executor.run(from.data(), to.data(), arena);  // a workspace that was used before
  return outputs;
}

void expect_same_bits(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].shape(), b[i].shape());
    EXPECT_EQ(std::memcmp(a[i].raw(), b[i].raw(), a[i].bytes()), 0) << "output " << i;
  }
}

int steps_on(const Plan& plan, const std::string& device) {
  return static_cast<int>(std::count_if(plan.info.steps.begin(), plan.info.steps.end(),
                                        [&](const StepInfo& step) { return step.device == device; }));
}

// Residual blocks of two convolutions with batch norms, as ResNet-18 has them.
class ResNet {
 public:
  explicit ResNet(const std::vector<std::int64_t>& stages = {16, 32, 64}) {
    Value x = b_.input("data");
    x = convolution(x, 3, 16, 7, 2);
    x = relu(norm(x, 16));
    x = b_.op("Pooling",
              {{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"pool_type", "max"}}, {x});
    std::int64_t channels = 16;
    for (const std::int64_t stage : stages) {
      for (int block = 0; block < 2; ++block) {
        x = residual_block(x, channels, stage);
        channels = stage;
      }
    }
    x = b_.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}, {"kernel", "(1, 1)"}}, {x});
    x = b_.op("Flatten", {}, {x});
    x = b_.op("FullyConnected", {{"num_hidden", "10"}}, {x, parameter({10, channels}), parameter({10})});
    b_.head(b_.op("softmax", {}, {x}));
  }
  graph::Graph& graph() { return b_.graph(); }

 private:
  Value parameter(const Shape& shape, float low = -0.3f, float high = 0.3f) {
    ++parameters_;
    return b_.parameter("p" + std::to_string(parameters_),
                        test::random_tensor(shape, parameters_, low, high));
  }
  Value convolution(Value x, std::int64_t channels, std::int64_t filters, int kernel, int stride) {
    const auto pair = [](int size) { return "(" + std::to_string(size) + ", " + std::to_string(size) + ")"; };
    return b_.op("Convolution",
                 {{"kernel", pair(kernel)},
                  {"stride", pair(stride)},
                  {"pad", pair(kernel / 2)},
                  {"num_filter", std::to_string(filters)},
                  {"no_bias", "True"}},
                 {x, parameter({filters, channels, kernel, kernel})});
  }
  Value norm(Value x, std::int64_t channels) {
    return b_.op("BatchNorm", {{"fix_gamma", "False"}},
                 {x, parameter({channels}, 0.5f, 1.5f), parameter({channels}), parameter({channels}),
                  parameter({channels}, 0.5f, 1.5f)});
  }
  Value relu(Value x) { return b_.op("Activation", {{"act_type", "relu"}}, {x}); }
  Value residual_block(Value x, std::int64_t channels, std::int64_t filters) {
    const int stride = channels == filters ? 1 : 2;
    Value y = relu(norm(convolution(x, channels, filters, 3, stride), filters));
    y = norm(convolution(y, filters, filters, 3, 1), filters);
    if (stride != 1) x = norm(convolution(x, channels, filters, 1, stride), filters);
    return relu(b_.op("elemwise_add", {}, {y, x}));
  }

  GraphBuilder b_;
  unsigned parameters_ = 0;
};

// Runs a graph on the CPU and on a device, with and without the stage "optimise".
void expect_bits_of_the_cpu(const graph::Graph& loaded, const std::vector<Tensor>& inputs, int threads) {
  for (const bool optimised : {false, true}) {
    graph::Graph graph = loaded;
    if (optimised) pipeline::optimise(graph, {kernels::best_target(), kernels::Precision::float32});
    PoisonedBackend backend;
    const auto device = backend.open(0);
    WeightStore weights, device_weights;
    const auto on_cpu = make_plan(graph, types_of(inputs), cpu_options(threads), weights);
    const auto on_device =
        make_plan(graph, types_of(inputs), device_options(backend, device, threads), device_weights);
    expect_same_bits(run(on_cpu, inputs), run(on_device, inputs));
    EXPECT_GE(steps_on(*on_device, "poisoned:0"), 3) << "optimised: " << optimised;
    EXPECT_GT(device->steps, 0);
    EXPECT_GT(device->copies_to_device, 0);
    EXPECT_GT(device->copies_to_host, 0);
  }
}

TEST(Device, AResNetGivesTheBitsOfTheCpu) {
  ResNet network;
  for (const int threads : {1, 2}) {
    std::vector<Tensor> inputs;
    inputs.push_back(test::random_tensor({3, 3, 64, 64}, 1));
    expect_bits_of_the_cpu(network.graph(), inputs, threads);
  }
}

TEST(Device, TheBundledModelGivesTheBitsOfTheCpu) {
  const Model model = Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits");
  const api::ModelData& data = api::data_of(model);
  const graph::Graph& network = data.stages ? data.stages->rest : data.graph;
  std::vector<Tensor> inputs;
  for (const DataDesc& desc : data.stages ? data.rest_inputs : data.signature.inputs) {
    Shape shape = desc.shape;
    for (std::size_t i = 0; i < shape.rank(); ++i) shape[i] = shape[i] < 0 ? 2 : shape[i];
    inputs.push_back(test::random_tensor(shape, 7));
  }
  expect_bits_of_the_cpu(network, inputs, 1);
}

TEST(Device, WhatItLacksRunsOnTheCpuAndExplainSaysSo) {
  GraphBuilder b;
  const Value x = b.input("data");
  const Value y = b.op("FullyConnected", {{"num_hidden", "4"}, {"no_bias", "True"}},
                       {x, b.parameter("w", test::random_tensor({4, 6}, 1))}, "fc");
  const Value z = b.op("tanh", {}, {y}, "tanh");
  b.head(b.op("softmax", {}, {z}, "softmax"));
  b.head(y);
  PoisonedBackend backend;
  const auto device = backend.open(0);
  WeightStore weights;
  const auto plan =
      make_plan(b.graph(), {{DType::float32, {2, 6}}}, device_options(backend, device), weights);
  std::vector<std::string> steps;
  for (const StepInfo& step : plan->info.steps) steps.push_back(step.node + " " + step.device);
  EXPECT_EQ(steps, std::vector<std::string>({"data_to_poisoned:0 cpu", "fc poisoned:0", "fc_to_host cpu",
                                             "tanh cpu", "tanh_to_poisoned:0 cpu", "softmax poisoned:0",
                                             "softmax_to_host cpu"}));
  ASSERT_EQ(plan->info.steps[3].rejected.size(), 1u);
  EXPECT_EQ(plan->info.steps[3].rejected[0].name, "on poisoned:0");
  EXPECT_EQ(plan->info.steps[3].rejected[0].reason, "the device has no implementation of the operator");
  std::vector<Tensor> inputs;
  inputs.push_back(test::random_tensor({2, 6}, 3));
  WeightStore others;
  expect_same_bits(run(make_plan(b.graph(), types_of(inputs), cpu_options(), others), inputs),
                   run(plan, inputs));
}

TEST(Device, AnImplementationThatRejectsANodeLeavesItToTheCpu) {
  GraphBuilder b;
  const Value x = b.input("data");
  b.head(b.op("Flatten", {}, {b.op("softmax", {{"axis", "1"}}, {x}, "softmax")}, "flatten"));
  PoisonedBackend backend;
  WeightStore weights;
  const auto plan =
      make_plan(b.graph(), {{DType::float64, {2, 6}}}, device_options(backend, backend.open(0)), weights);
  EXPECT_EQ(steps_on(*plan, "poisoned:0"), 0);
  ASSERT_FALSE(plan->info.steps[0].rejected.empty());
  EXPECT_EQ(plan->info.steps[0].rejected[0].reason, "not of float32");
  EXPECT_EQ(plan->device_bytes, 0u);
}

TEST(Device, WeightsAreKeptOnceForEachDevice) {
  ResNet network({16});
  PoisonedBackend one, other;
  const auto first = one.open(0), second = other.open(1);
  WeightStore weights;
  std::vector<Tensor> inputs;
  inputs.push_back(test::random_tensor({1, 3, 32, 32}, 1));
  const auto plan_on = [&](const PoisonedBackend& backend, const std::shared_ptr<PoisonedDevice>& device) {
    return make_plan(network.graph(), types_of(inputs), device_options(backend, device), weights);
  };
  const auto plan = plan_on(one, first);
  const std::size_t bytes = first->allocated_bytes();
  EXPECT_GT(bytes, 0u);
  const auto again = plan_on(one, first);
  EXPECT_EQ(first->allocated_bytes(), bytes);
  const auto elsewhere = plan_on(other, second);
  EXPECT_EQ(first->allocated_bytes(), bytes);
  EXPECT_EQ(second->allocated_bytes(), bytes);
  expect_same_bits(run(plan, inputs), run(elsewhere, inputs));
}

TEST(Device, WeightsAreCopiedInOneStream) {
  ResNet network({16});
  PoisonedBackend backend;
  const auto device = backend.open(0);
  WeightStore weights;
  std::vector<Tensor> inputs;
  inputs.push_back(test::random_tensor({1, 3, 32, 32}, 1));
  const auto plan = make_plan(network.graph(), types_of(inputs), device_options(backend, device), weights);
  ThreadArena arena(3);
  arena.execute([&] { plan->packed.make(); });
  EXPECT_GT(device->copies_to_device, 3);
  EXPECT_EQ(device->streams, 1);
  arena.execute([&] { plan->packed.make(); });
  EXPECT_EQ(device->streams, 1);
}

TEST(Device, TheProcessCannotReadItsMemory) {
  PoisonedBackend backend;
  const auto device = backend.open(0);
  const auto memory = device->allocate(64);
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  EXPECT_EQ(write(pipe_ends[1], memory->data(), 1), -1);
  EXPECT_EQ(errno, EFAULT);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  const int of_the_process = 0;
  EXPECT_MXINFER_ERROR(device->shadow(&of_the_process, 1), ErrorCode::internal, {"not of poisoned:0"});
}

TEST(Device, ControlFlowRunsOnTheCpu) {
  GraphBuilder body;
  const Value item = body.input("item"), state = body.input("state");
  const Value sum = body.op("elemwise_add", {}, {item, state});
  body.head(sum);
  body.head(sum);
  GraphBuilder b;
  const Value x = b.input("data"), start = b.input("start");
  const Value scaled = b.op("softmax", {}, {x});
  const Value loop = b.op("_foreach",
                          {{"num_args", "3"},
                           {"num_outputs", "2"},
                           {"num_out_data", "1"},
                           {"in_state_locs", "(1,)"},
                           {"in_data_locs", "(0,)"},
                           {"remain_locs", "()"}},
                          {scaled, start});
  b.graph().nodes.back().subgraphs.push_back(std::make_shared<graph::Graph>(body.graph()));
  b.graph().nodes.back().num_outputs = 2;
  b.head(loop);
  std::vector<Tensor> inputs;
  inputs.push_back(test::random_tensor({3, 4}, 1));
  inputs.push_back(test::random_tensor({4}, 2));
  PoisonedBackend backend;
  WeightStore weights, others;
  const auto plan = make_plan(b.graph(), types_of(inputs), device_options(backend, backend.open(0)), weights);
  EXPECT_EQ(steps_on(*plan, "poisoned:0"), 1);
  expect_same_bits(run(make_plan(b.graph(), types_of(inputs), cpu_options(), others), inputs),
                   run(plan, inputs));
}

}  // namespace
}  // namespace mxinfer::plan

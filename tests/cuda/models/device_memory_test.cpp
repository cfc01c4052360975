// The memory of a GPU: the pool whose blocks all calls share, limits, and what is released when it ends.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <string>
#include <thread>
#include <vector>

#include "cuda/support.h"
#include "device/memory_pool.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

class MemoryOfGpus : public testing::Test {
 protected:
  void SetUp() override { device::CudaDevice::open(0); }  // the library is there from now on
  void TearDown() override { test::set_emulator("memory=8000000000"); }

  static Options on(const std::string& device) {
    Options options;
    options.threads = 1;
    options.device = device;
    return options;
  }
  static Tensor images(std::int64_t count) { return test::random_tensor({count, 1, 32, 32}, 3, 0.0f, 1.0f); }
  void expect_right(const Predictor& predictor, std::int64_t count) {
    const Tensor data = images(count);
    EXPECT_LE(test::relative_difference(predictor.predict({data})[0], on_cpu.predict({data})[0]), 1e-5);
  }
  static std::size_t bytes_a_call(const Predictor& predictor, std::int64_t count) {
    return predictor.explain({{"data", {count, 1, 32, 32}}}).device_bytes;
  }
  /// What the GPU has given to anyone.
  static std::size_t taken() {
    std::size_t free_bytes = 0, total = 0;
    const auto gpu = device::CudaDevice::open(0);
    EXPECT_EQ(gpu->kernels().runtime.memory_info(0, &free_bytes, &total), 0);
    return total - free_bytes;
  }
  static DeviceMemory memory(const Predictor& predictor) { return predictor.memory().devices.at(0); }

  Model model = Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits", {.load_transforms = false});
  Predictor on_cpu{model, on("cpu")};
};

TEST_F(MemoryOfGpus, PlansWhoseCallsDoNotOverlapShareABlock) {
  const Predictor first(model, on("cuda:0")), second(model, on("cuda:0"));
  for (const std::int64_t count : {2, 1, 5, 3}) {
    for (const Predictor* predictor : {&first, &second}) expect_right(*predictor, count);
  }
  EXPECT_EQ(memory(first).pooled, bytes_a_call(first, 5));
  EXPECT_EQ(memory(second).pooled, memory(first).pooled);
  // Recorded for the block: each replays.
  const auto before = test::graph_launches();
  for (const std::int64_t count : {2, 1, 5, 3}) expect_right(first, count);
  if (before) {
    EXPECT_GE(*test::graph_launches() - *before, 3u);
  }
}

TEST_F(MemoryOfGpus, CallsAtTheSameTimeHaveBlocksOfTheirOwn) {
  const Predictor predictor(model, on("cuda:0"));
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&, i] {
      for (int call = 0; call < 6; ++call) expect_right(predictor, 1 + (i + call) % 3);
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_LE(memory(predictor).pooled, 4 * bytes_a_call(predictor, 3));
  EXPECT_EQ(memory(predictor).workspaces, 0u);
}

TEST_F(MemoryOfGpus, IsCounted) {
  if (!test::set_emulator("memory=8000000000")) GTEST_SKIP() << "others may use a GPU";
  const std::size_t before = taken();
  {
    const Predictor predictor(model, on("cuda:0"));
    expect_right(predictor, 2);
    const DeviceMemory found = memory(predictor);
    EXPECT_EQ(found.device, "cuda:0");
    EXPECT_GT(found.weights, 0u);
    EXPECT_GT(found.staging, 0u);
    // Kernels' counters, of some bytes, are left out.
    EXPECT_LE(found.weights + found.pooled, taken() - before);
    EXPECT_GT(found.weights + found.pooled + 4096, taken() - before);
    EXPECT_NE(
        predictor.prometheus_text().find("mxinfer_device_memory_bytes{device=\"cuda:0\",kind=\"weights\"} " +
                                         std::to_string(found.weights)),
        std::string::npos);
    EXPECT_GE(predictor.trim(), found.pooled);
    EXPECT_EQ(memory(predictor).pooled, 0u);
    expect_right(predictor, 2);
    EXPECT_EQ(memory(predictor).pooled, found.pooled);
  }
  // With the last predictor, the pool's memory goes; the weights are the model's.
  EXPECT_EQ(device::CudaDevice::open(0)->pool().free_bytes(), 0u);
  EXPECT_TRUE(on_cpu.memory().devices.empty());
}

TEST_F(MemoryOfGpus, TheLimitIsOfWeightsAndCalls) {
  const Predictor free_one(model, on("cuda:0"));
  expect_right(free_one, 1);
  Options options = on("cuda:0");
  options.max_device_memory_bytes = memory(free_one).weights + bytes_a_call(free_one, 4);
  const Predictor predictor(model, options);
  for (int call = 0; call < 3; ++call) expect_right(predictor, 2);
  EXPECT_MXINFER_ERROR(
      predictor.predict({images(64)}), ErrorCode::out_of_memory,
      {"bytes are needed on cuda:0, and of the " + std::to_string(options.max_device_memory_bytes) +
           " that the predictor may take there",
       "Options::max_device_memory_bytes", "hold its weights and 0 are in use by other calls"});
  expect_right(predictor, 2);
  options.max_device_memory_bytes = 1000;
  EXPECT_MXINFER_ERROR(Predictor(model, options).predict({images(1)}), ErrorCode::out_of_memory,
                       {"max_device_memory_bytes"});
}

// Of another predictor: first what waits for calls goes, then plans with their weights.
TEST_F(MemoryOfGpus, WhatIsIdleIsReleasedBeforeMemoryIsAnError) {
  if (!test::set_emulator("memory=8000000000")) GTEST_SKIP() << "a GPU has the memory that it has";
  const Predictor idle(model, on("cuda:0"));
  expect_right(idle, 32);
  expect_right(idle, 2);
  const std::size_t pooled = memory(idle).pooled;
  EXPECT_EQ(pooled, bytes_a_call(idle, 32));
  const auto other_model =
      Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits", {.load_transforms = false});
  const Predictor other(other_model, on("cuda:0"));
  // Enough for the weights and the plan only if the block of `idle` goes, which is too small for this batch.
  test::set_emulator(("memory=" + std::to_string(taken() + memory(idle).weights + pooled / 2)).c_str());
  expect_right(other, 2);
  // Only if its weights go, too.
  EXPECT_EQ(idle.stats().plans, 2u);
  const std::size_t a_call = bytes_a_call(other, 1);
  test::set_emulator(("memory=" + std::to_string(taken() - memory(idle).pooled + a_call)).c_str());
  const Predictor third(
      Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits", {.load_transforms = false}),
      on("cuda:0"));
  expect_right(third, 1);
  EXPECT_EQ(idle.stats().plans, 0u);
  test::set_emulator("memory=8000000000");
  expect_right(idle, 2);
}

TEST_F(MemoryOfGpus, APoolKeepsAsManyBlocksAsWereUsedAtOnce) {
  const auto gpu = device::CudaDevice::open(0);
  device::MemoryPool pool(*gpu);
  pool.add_user();
  const std::byte* small = nullptr;
  {
    const auto a = pool.take(1000, {}), b = pool.take(2000, {});
    small = a.data();
  }
  EXPECT_EQ(pool.free_bytes(), 3000u);
  EXPECT_EQ(pool.take(900, {}).data(), small);
  EXPECT_NE(pool.take(900, {}).data(), nullptr);
  const std::byte* const large = pool.take(1001, {}).data();
  EXPECT_NE(large, small);
  EXPECT_EQ(pool.take(900, {&large, 1}).data(), large);
  pool.take(4000, {});  // instead of the one of 2000
  EXPECT_EQ(pool.free_bytes(), 5000u);
  EXPECT_EQ(pool.take(0, {}).data(), nullptr);
  EXPECT_EQ(pool.release_free(), 5000u);
  pool.take(10, {});
  pool.remove_user();
  EXPECT_EQ(pool.free_bytes(), 0u);
  pool.take(10, {});
  EXPECT_EQ(pool.free_bytes(), 0u);
}

}  // namespace
}  // namespace mxinfer

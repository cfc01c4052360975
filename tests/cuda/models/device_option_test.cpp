// Options::device: predictors on a GPU, or on its emulator, and what is said where there is none.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image_classifier.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "cuda/support.h"
#include "support/expect_error.h"
#include "support/servers/environment_variable.h"

namespace mxinfer {
namespace {

Options on_device(const std::string& name) {
  Options options;
  options.threads = 1;
  options.device = name;
  return options;
}

Model digits() {
  return Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits", {.load_transforms = false});
}

Tensor images(std::int64_t count) {
  return test::random_tensor({count, 1, 32, 32}, 3, 0.0f, 1.0f);
}

void expect_same(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual) {
  ASSERT_EQ(expected.size(), actual.size());
  for (std::size_t o = 0; o < expected.size(); ++o)
    EXPECT_LE(test::relative_difference(actual[o], expected[o]), 1e-5) << "output " << o;
}

TEST(DeviceOption, ANetworkGivesTheResultsOfTheCpu) {
  const Model model = digits();
  const Predictor on_cpu(model, on_device("cpu")), on_cuda(model, on_device("cuda:0"));
  for (const std::int64_t batch : {1, 3}) {
    const Tensor data = images(batch);
    const auto expected = on_cpu.predict({data});
    // The third call replays what the second one recorded.
    for (int call = 0; call < 4; ++call) expect_same(expected, on_cuda.predict({data}));
  }
}

TEST(DeviceOption, ExplainNamesTheDevice) {
  const Predictor predictor(digits(), on_device("cuda"));
  const PlanInfo plan = predictor.explain({{"data", {2, 1, 32, 32}}});
  EXPECT_EQ(plan.device, "cuda:0");
  EXPECT_EQ(plan.steps_on_cpu, 0);
  EXPECT_GT(plan.device_bytes, 0u);
  EXPECT_NE(to_string(plan).find("device cuda:0, "), std::string::npos);
  EXPECT_NE(to_string(plan).find("; 0 steps compute on the CPU"), std::string::npos);
}

TEST(DeviceOption, AnyNumberOfThreadsCallAtTheSameTime) {
  const Model model = digits();
  const Predictor on_cpu(model, on_device("cpu")), on_cuda(model, on_device("cuda:0"));
  const Tensor data = images(2);
  const auto expected = on_cpu.predict({data});
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int call = 0; call < 3; ++call) expect_same(expected, on_cuda.predict({data}));
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(DeviceOption, AsynchronousCallsGiveTheSame) {
  const Model model = digits();
  const Predictor on_cpu(model, on_device("cpu")), on_cuda(model, on_device("cuda:0"));
  const Tensor data = images(1);
  const auto expected = on_cpu.predict({data});
  std::vector<Prediction<std::vector<Tensor>>> pending;
  for (int i = 0; i < 6; ++i) pending.push_back(on_cuda.predict_async({data}));
  for (auto& prediction : pending) expect_same(expected, prediction.get());
}

TEST(DeviceOption, NamesThatAreNoDevice) {
  const Model model = digits();
  for (const char* name : {"tpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda0", "cpu:1"}) {
    EXPECT_MXINFER_ERROR(Predictor(model, on_device(name)), ErrorCode::invalid_argument,
                         {"Options::device (--device) is \"", "give cpu, or a GPU: cuda:0"});
  }
}

TEST(DeviceOption, OtherSpellingsAreTheSameDevice) {
  for (const char* name : {"gpu", "gpu:0", "GPU(0)", "CUDA:0"})
    EXPECT_EQ(Predictor(digits(), on_device(name)).explain().device, "cuda:0") << name;
  EXPECT_EQ(Predictor(digits(), on_device("cpu:0")).explain().device, "cpu");
}

TEST(DeviceOption, AGpuThatIsNotThere) {
  EXPECT_MXINFER_ERROR(Predictor(digits(), on_device("cuda:97")), ErrorCode::device,
                       {"'cuda:97' does not exist", "this process sees", "CUDA_VISIBLE_DEVICES"});
  EXPECT_NO_THROW(Predictor(digits(), on_device("cuda:0")).predict({images(1)}));
}

TEST(DeviceOption, PrecisionsOfGpusAreRefusedByTheCpu) {
  Options options = on_device("cpu");
  for (const Precision precision : {Precision::tf32, Precision::float16}) {
    options.precision = precision;
    EXPECT_MXINFER_ERROR(Predictor(digits(), options), ErrorCode::unsupported,
                         {"which only CUDA devices have", "give float32 or bfloat16"});
  }
}

TEST(DeviceOption, WithoutFallbackAMissingKernelIsAnError) {
  test::GraphBuilder b;
  const graph::Value x = b.input("data");
  b.head(b.op("_linalg_det", {}, {x}, "determinant"));
  plan::PlanOptions options = test::cuda_plan_options();
  plan::WeightStore weights;
  const std::vector<ops::TensorType> types{{DType::float32, {2, 3, 3}}};
  EXPECT_EQ(plan::make_plan(b.graph(), types, options, weights)->info.steps_on_cpu, 1);
  options.cpu_fallback = false;
  EXPECT_MXINFER_ERROR(plan::make_plan(b.graph(), types, options, weights), ErrorCode::unsupported,
                       {"cuda:0 has no kernel for a node", "determinant", "Options::cpu_fallback"});
}

TEST(DeviceOption, NaNsPass) {
  Tensor data = images(2);
  data.data<float>()[32 * 32 + 5] = std::numeric_limits<float>::quiet_NaN();
  const Predictor predictor(digits(), on_device("cuda:0"));
  const auto outputs = predictor.predict({data});
  const std::int64_t classes = outputs[0].elements() / 2;
  EXPECT_FALSE(std::isnan(outputs[0].data<float>()[0]));
  EXPECT_TRUE(std::isnan(outputs[0].data<float>()[classes]));
}

TEST(DeviceOption, AnEmptyBatchIsAsOnTheCpu) {
  const Model model = digits();
  const Predictor on_cpu(model, on_device("cpu")), on_cuda(model, on_device("cuda:0"));
  const Tensor none(DType::float32, {0, 1, 32, 32});
  EXPECT_EQ(on_cpu.predict({none})[0].shape(), on_cuda.predict({none})[0].shape());
}

TEST(DeviceOption, WithoutMemoryACallIsAnErrorAndTheNextOneWorks) {
  const Predictor predictor(digits(), on_device("cuda:0"));
  const auto before = predictor.predict({images(1)});
  // Of 2^40 bytes and more, which no GPU has.
  const auto device = device::CudaDevice::open(0);
  EXPECT_MXINFER_ERROR(device->allocate(std::size_t{1} << 44), ErrorCode::out_of_memory,
                       {"cuda:0 has no memory for allocating 17592186044416 bytes", "are free"});
  expect_same(before, predictor.predict({images(1)}));
}

// In the middle of a warm-up: some batches have their plans, a large one finds no room.
TEST(DeviceOption, MemoryThatEndsInAWarmUp) {
  const Predictor predictor(digits(), on_device("cuda:0"));
  const Tensor one = images(1);
  const std::vector<Tensor> before = predictor.predict({one});
  const auto warm_up = [&](std::int64_t batch) { predictor.warmup({{"data", {batch, 1, 32, 32}}}); };
  if (!test::set_emulator("memory=4000000")) GTEST_SKIP() << "a GPU has the memory that it has";
  EXPECT_NO_THROW(warm_up(2));
  EXPECT_MXINFER_ERROR(
      warm_up(64), ErrorCode::out_of_memory,
      {"cuda:0 has no memory for allocating", "of its 4000000 bytes", "give smaller batches"});
  EXPECT_MXINFER_ERROR(predictor.predict({images(64)}), ErrorCode::out_of_memory, {"cuda:0 has no memory"});
  expect_same(before, predictor.predict({one}));
  test::set_emulator("memory=8000000000");
  const Tensor many = images(64);
  expect_same(Predictor(digits(), on_device("cpu")).predict({many}), predictor.predict({many}));
}

TEST(DeviceOption, ALibraryThatIsNotThere) {
  // The library of this process is open already; a child that begins anew finds none.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const test::EnvironmentVariable variable("MXINFER_CUDA_LIBRARY", "/nowhere/libmxinfer_cuda.so");
        try {
          Predictor(digits(), on_device("cuda:0"));
        } catch (const Error& e) {
          const std::string text = e.what();
          const bool says = e.code() == ErrorCode::device && text.find("MXINFER_CUDA_LIBRARY") != text.npos &&
                            text.find("/nowhere/libmxinfer_cuda.so") != text.npos;
          std::_Exit(says ? 7 : 1);
        }
        std::_Exit(2);
      },
      testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace mxinfer

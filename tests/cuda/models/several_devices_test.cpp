// Options::device with several GPUs, and GPUs that are lost. Without the emulator there may be one GPU only:
// these tests are then skipped.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/vision/image_classifier.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "api/core/predictor_call.h"
#include "cuda/support.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

// A lost device stays so until the process ends: tests that lose one use one of their own.
class SeveralDevices : public testing::Test {
 protected:
  void SetUp() override {
    device::CudaDevice::open(0);  // the library is there from now on
    if (!test::set_emulator("devices=12,lost=0")) GTEST_SKIP() << "the emulator has as many GPUs as needed";
  }
  // The model's weights are released later.
  void TearDown() override { test::set_emulator("devices=12,lost=0"); }

  static Options on(const std::string& device) {
    Options options;
    options.threads = 1;
    options.device = device;
    return options;
  }
  static int calls(int device) { return device::CudaDevice::open(device)->calls(); }
  /// As if another call ran there.
  struct Busy {
    explicit Busy(int d) : device(d) { ++device::CudaDevice::open(device)->calls(); }
    ~Busy() { --device::CudaDevice::open(device)->calls(); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    int device;
  };
  void expect_right(const std::vector<Tensor>& outputs) {
    ASSERT_EQ(outputs.size(), expected.size());
    EXPECT_LE(test::relative_difference(outputs[0], expected[0]), 1e-5);
  }
  static std::size_t plans(const Predictor& predictor) { return predictor.stats().plans; }

  Model model = Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits", {.load_transforms = false});
  Tensor data = test::random_tensor({2, 1, 32, 32}, 3, 0.0f, 1.0f);
  std::vector<Tensor> expected = Predictor(model, on("cpu")).predict({data});
};

TEST_F(SeveralDevices, ACallGoesToTheLeastBusy) {
  const Predictor predictor(model, on("cuda:0,cuda:1"));
  expect_right(predictor.predict({data}));
  EXPECT_EQ(plans(predictor), 1u);
  {
    const Busy zero(0);
    for (int i = 0; i < 3; ++i) expect_right(predictor.predict({data}));
    EXPECT_EQ(plans(predictor), 2u);  // one is for cuda:1
  }
  EXPECT_EQ(calls(0), 0);
  EXPECT_EQ(calls(1), 0);
}

TEST_F(SeveralDevices, SpellingsOfSeveral) {
  EXPECT_EQ(Predictor(model, on("gpu:1, GPU(0)")).explain().devices,
            (std::vector<std::string>{"cuda:1", "cuda:0"}));
  test::set_emulator("devices=2");
  EXPECT_EQ(Predictor(model, on("cuda:all")).explain().devices,
            (std::vector<std::string>{"cuda:0", "cuda:1"}));
  test::set_emulator("devices=1");
  EXPECT_EQ(Predictor(model, on("gpu:all")).explain().devices, std::vector<std::string>{"cuda:0"});
  for (const char* wrong :
       {"cuda:0,cuda:0", "cuda:0,cpu", "cuda:0,", ",cuda:0", "cuda:all,cuda:1", "cpu:all"}) {
    EXPECT_MXINFER_ERROR(Predictor(model, on(wrong)), ErrorCode::invalid_argument,
                         {"Options::device (--device) is \"", "several different GPUs: cuda:0,cuda:1"});
  }
}

TEST_F(SeveralDevices, ExplainShowsThePlanOfOne) {
  const PlanInfo plan = Predictor(model, on("cuda:1,cuda:0")).explain();
  EXPECT_EQ(plan.device, "cuda:1");
  EXPECT_NE(
      to_string(plan).find("devices cuda:1 cuda:0: each call runs on the one with the fewest calls; this "
                           "is the plan for cuda:1"),
      std::string::npos);
}

TEST_F(SeveralDevices, AWarmUpIsOfAll) {
  const Predictor predictor(model, on("cuda:0,cuda:1,cuda:2"));
  predictor.warmup({{"data", data.shape()}});
  EXPECT_EQ(plans(predictor), 3u);
  EXPECT_EQ(predictor.stats().plan_misses, 3u);
  const Busy zero(0);
  expect_right(predictor.predict({data}));
  EXPECT_EQ(predictor.stats().plan_misses, 3u);
}

TEST_F(SeveralDevices, TheLimitOfPlansIsThatOfEachDevice) {
  Options options = on("cuda:0,cuda:1");
  options.max_plans = 2;
  const Predictor predictor(model, options);
  for (const std::int64_t batch : {1, 2}) predictor.warmup({{"data", {batch, 1, 32, 32}}});
  EXPECT_EQ(plans(predictor), 4u);
  predictor.warmup({{"data", {3, 1, 32, 32}}});
  EXPECT_EQ(plans(predictor), 4u);
}

TEST_F(SeveralDevices, CallsOfAllKindsAtOnce) {
  const Predictor predictor(model, on("cuda:0,cuda:1"));
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int call = 0; call < 4; ++call) expect_right(predictor.predict({data}));
    });
  }
  std::vector<Prediction<std::vector<Tensor>>> pending;
  for (int i = 0; i < 8; ++i) pending.push_back(predictor.predict_async({data}));
  for (auto& prediction : pending) expect_right(prediction.get());
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(plans(predictor), 2u);
  EXPECT_EQ(calls(0) + calls(1), 0);
}

TEST_F(SeveralDevices, ImagesGoToTheLeastBusy) {
  const std::string folder = std::string(MXINFER_SOURCE_DIR) + "/models/digits";
  const Image image = read_image(std::string(MXINFER_SOURCE_DIR) + "/examples/images/seven.jpg");
  const auto classifier = [&](const char* device) {
    ImageOptions options;
    options.options = on(device);
    return ImageClassifier(folder, options);
  };
  const ImageClassifier several = classifier("cuda:0,cuda:1");
  const auto classes = classifier("cpu").classify(image, 1);
  EXPECT_EQ(several.classify(image, 1)[0].index, classes[0].index);
  const Busy zero(0);
  EXPECT_EQ(several.classify(image, 1)[0].index, classes[0].index);
}

TEST_F(SeveralDevices, MemoryOfAGpuChoosesIt) {
  const Predictor predictor(model, on("cuda:0,cuda:1"));
  for (const int index : {1, 0}) {
    const auto gpu = device::CudaDevice::open(index);
    const auto stream = gpu->new_stream();
    const auto from = gpu->allocate(data.bytes()), to = gpu->allocate(expected[0].bytes());
    stream->copy_to_device(from->data(), data.raw(), data.bytes());
    const Device device{DeviceType::cuda, index};
    predictor.predict_on_device({TensorView(DType::float32, data.shape(), from->data(), device)},
                                {MutableTensorView(DType::float32, expected[0].shape(), to->data(), device)},
                                static_cast<const device::CudaStream&>(*stream).native().handle);
    std::vector<Tensor> outputs;
    outputs.emplace_back(DType::float32, expected[0].shape());
    stream->copy_to_host(outputs[0].raw(), to->data(), outputs[0].bytes());
    stream->synchronize();
    expect_right(outputs);
  }
}

TEST_F(SeveralDevices, MemoryOfAnotherGpuIsRefused) {
  const Predictor predictor(model, on("cuda:0,cuda:1"));
  const auto call = [&](Device of_input, Device of_output) {
    predictor.predict_on_device(
        {TensorView(DType::float32, data.shape(), data.raw(), of_input)},
        {MutableTensorView(DType::float32, expected[0].shape(), data.raw(), of_output)});
  };
  const auto cuda = [](int index) { return Device{DeviceType::cuda, index}; };
  EXPECT_MXINFER_ERROR(call(cuda(2), cuda(2)), ErrorCode::invalid_argument,
                       {"'data' is in the memory of cuda:2", "devices are cuda:0 and cuda:1"});
  EXPECT_MXINFER_ERROR(call(cuda(1), cuda(0)), ErrorCode::invalid_argument,
                       {"is in the memory of cuda:0, but the first input is in that of cuda:1"});
  EXPECT_MXINFER_ERROR(call(cuda(kAllDevices), cuda(0)), ErrorCode::invalid_argument,
                       {"'data' does not say which GPU", "cuda:0 and cuda:1"});
}

TEST_F(SeveralDevices, OfALostOneOnlyTheCallsInFlightFail) {
  const Predictor predictor(model, on("cuda:3,cuda:0"));
  predictor.warmup({{"data", data.shape()}});
  expect_right(predictor.predict({data}));
  test::set_emulator("lost=8");
  EXPECT_MXINFER_ERROR(predictor.predict({data}), ErrorCode::device,
                       {"cuda:3 is lost: it failed at", "unspecified launch failure",
                        "calls on it fail until the process is restarted"});
  for (int call = 0; call < 3; ++call) expect_right(predictor.predict({data}));
  expect_right(predictor.predict_async({data}).get());
  EXPECT_EQ(plans(predictor), 1u);
  EXPECT_EQ(calls(3), 0);
  EXPECT_NO_THROW(predictor.warmup({{"data", data.shape()}}));
  EXPECT_EQ(predictor.explain({{"data", data.shape()}}).device, "cuda:0");
}

TEST_F(SeveralDevices, OfALostOneAsynchronousCallsFailToo) {
  const Predictor predictor(model, on("cuda:4,cuda:0"));
  predictor.warmup({{"data", data.shape()}});
  test::set_emulator("lost=16");
  auto pending = predictor.predict_async({data});
  EXPECT_MXINFER_ERROR(pending.get(), ErrorCode::device, {"cuda:4 is lost: it failed at"});
  for (int call = 0; call < 3; ++call) expect_right(predictor.predict_async({data}).get());
}

TEST_F(SeveralDevices, LostWhileManyCall) {
  const Predictor predictor(model, on("cuda:5,cuda:0,cuda:1"));
  predictor.warmup({{"data", data.shape()}});
  std::atomic<int> failed{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int call = 0; call < 12; ++call) {
        try {
          expect_right(call % 2 == 0 ? predictor.predict({data}) : predictor.predict_async({data}).get());
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::device) << error.what();
          EXPECT_NE(std::string(error.what()).find("cuda:5 is lost"), std::string::npos) << error.what();
          ++failed;
        }
      }
    });
  }
  test::set_emulator("lost=32");
  for (std::thread& caller : callers) caller.join();
  EXPECT_GE(failed, 1);
  EXPECT_LE(failed, 4);
  expect_right(predictor.predict({data}));
}

TEST_F(SeveralDevices, AllLost) {
  const Predictor predictor(model, on("cuda:6,cuda:7"));
  expect_right(predictor.predict({data}));
  test::set_emulator("lost=192");
  for (const char* lost : {"cuda:6 is lost: it failed at", "cuda:7 is lost: it failed at"})
    EXPECT_MXINFER_ERROR(predictor.predict({data}), ErrorCode::device, {lost});
  const auto expect_lost = [](const auto& call) {
    EXPECT_MXINFER_ERROR(call(), ErrorCode::device,
                         {"cuda:6 and cuda:7 are all lost (cuda:6: failed at", "; cuda:7: failed at",
                          "restart the process to use them again"});
  };
  expect_lost([&] { return predictor.predict({data}); });
  expect_lost([&] { return predictor.predict_async({data}).get(); });
  expect_lost([&] { predictor.warmup({{"data", data.shape()}}); });
  EXPECT_MXINFER_ERROR(Predictor(model, on("cuda:6")).predict({data}), ErrorCode::device,
                       {"cuda:6 is lost (cuda:6: failed at", "restart the process to use it again"});
}

// Whatever holds memory of a lost device can be destroyed.
TEST_F(SeveralDevices, APredictorOfALostDeviceCanGo) {
  auto predictor = std::make_unique<Predictor>(model, on("cuda:8"));
  expect_right(predictor->predict({data}));
  test::set_emulator("lost=256");
  EXPECT_NO_THROW(predictor->trim());
  EXPECT_NO_THROW(predictor.reset());
}

}  // namespace
}  // namespace mxinfer

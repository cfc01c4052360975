// Requests with images on a GPU, or on its emulator: no worker waits for the device.
#include <gtest/gtest.h>
#include <mxinfer/vision/image_classifier.h>
#include <mxinfer/vision/object_detector.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cuda/support.h"
#include "support/expect_error.h"
#include "support/gate.h"

namespace mxinfer {
namespace {

using namespace std::chrono_literals;

const std::string kRoot = MXINFER_SOURCE_DIR;
const std::string kSeven = kRoot + "/examples/images/seven.jpg";
const std::string kSsd = kRoot + "/tests/golden/ssd/ssd";

Options requests_on(const std::string& name) {
  Options options;
  options.threads = 1;
  options.device = name;
  options.async.workers = 1;
  return options;
}

ImageClassifier classifier_on(const std::string& device, const std::string& uri) {
  ImageOptions options;
  options.options = requests_on(device);
  return ImageClassifier(uri, options);
}

ObjectDetector detector_on(const std::string& device) {
  DetectorOptions options;
  options.options = requests_on(device);
  options.height = options.width = 48;
  return ObjectDetector(kSsd, options);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Image grey_seven() {
  DecodeOptions options;
  options.color = false;
  return decode_image(ByteSpan(bytes_of(kSeven)), options);
}

/// Holds what the device says of work that has ended: its functions of the host run one after another.
class HeldDevice {
 public:
  HeldDevice() {
    stream_->call_behind([](void* gate) { static_cast<test::Gate*>(gate)->hold()(); }, &gate_);
    gate_.wait_until_entered(1);
  }
  ~HeldDevice() { release(); }
  HeldDevice(const HeldDevice&) = delete;
  HeldDevice& operator=(const HeldDevice&) = delete;

  void release() {
    if (is_held_) gate_.open();
    is_held_ = false;
    stream_->synchronize();
  }

 private:
  test::Gate gate_;
  bool is_held_ = true;
  std::unique_ptr<device::Stream> stream_ = device::CudaDevice::open(0)->new_stream();
};

/// Of one worker: what was submitted before is on its way, for it has come to the next. A worker that stays
/// with one of them until the device has ended never does; that is a hang, which the time is a guard against.
void expect_the_worker_goes_on(const Predictor& predictor) {
  EXPECT_TRUE(predictor.queue().submit([] {}).wait_for(10min)) << "the worker waits for the device";
}

void expect_same(const std::vector<Classification>& actual, const std::vector<Classification>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].label, expected[i].label);
    EXPECT_NEAR(actual[i].score, expected[i].score, 1e-4);
  }
}

void expect_same(const std::vector<Detection>& actual, const std::vector<Detection>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].index, expected[i].index);
    EXPECT_NEAR(actual[i].score, expected[i].score, 1e-4);
    EXPECT_NEAR(actual[i].box.left, expected[i].box.left, 1e-2);
    EXPECT_NEAR(actual[i].box.bottom, expected[i].box.bottom, 1e-2);
  }
}

// A network alone, whose images are preprocessed here, and one that takes images of any size.
TEST(ImageRequests, OneWorkerHasAllImagesOnTheirWay) {
  for (const char* uri : {"/models/digits/digits", "/models/digits.mxz"}) {
    SCOPED_TRACE(uri);
    const ImageClassifier on_cpu = classifier_on("cpu", kRoot + uri);
    const ImageClassifier on_cuda = classifier_on("cuda:0", kRoot + uri);
    const std::vector<Classification> expected = on_cpu.classify_file(kSeven, 3);
    expect_same(on_cuda.classify_file(kSeven, 3), expected);
    for (int round = 0; round < 2; ++round) {
      std::vector<Prediction<std::vector<Classification>>> pending;
      HeldDevice held;
      pending.push_back(on_cuda.classify_async(grey_seven(), 3));
      pending.push_back(on_cuda.classify_file_async(kSeven, 3));
      pending.push_back(on_cuda.classify_bytes_async(bytes_of(kSeven), 3));
      pending.push_back(on_cuda.classify_file_async(kSeven, 3));
      expect_the_worker_goes_on(on_cuda);
      for (const auto& prediction : pending) EXPECT_FALSE(prediction.ready());
      held.release();
      for (auto& prediction : pending) expect_same(prediction.get(), expected);
    }
  }
}

// More of them would make and release a workspace each: a worker stays with the others.
TEST(ImageRequests, AsManyGoOnAsWorkspacesAreKept) {
  ImageOptions options;
  options.options = requests_on("cuda:0");
  options.options.max_idle_executors = 2;
  const ImageClassifier classifier(kRoot + "/models/digits.mxz", options);
  const std::vector<Classification> expected = classifier.classify_file(kSeven, 3);
  std::vector<Prediction<std::vector<Classification>>> pending;
  HeldDevice held;
  for (int i = 0; i < 5; ++i) pending.push_back(classifier.classify_file_async(kSeven, 3));
  for (std::size_t i = 2; i < pending.size(); ++i) expect_same(pending[i].get(), expected);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_FALSE(pending[i].ready()) << i;
  held.release();
  for (std::size_t i = 0; i < 2; ++i) expect_same(pending[i].get(), expected);
}

TEST(ImageRequests, OneWorkerHasAllDetectionsOnTheirWay) {
  const ObjectDetector on_cpu = detector_on("cpu"), on_cuda = detector_on("cuda:0");
  DetectOptions options;
  options.score_threshold = 0;
  options.max_detections = 5;
  const std::vector<Detection> expected = on_cpu.detect_file(kSeven, options);
  ASSERT_FALSE(expected.empty());
  expect_same(on_cuda.detect_file(kSeven, options), expected);
  std::vector<Prediction<std::vector<Detection>>> pending;
  HeldDevice held;
  pending.push_back(on_cuda.detect_async(decode_image(ByteSpan(bytes_of(kSeven))), options));
  pending.push_back(on_cuda.detect_file_async(kSeven, options));
  pending.push_back(on_cuda.detect_bytes_async(bytes_of(kSeven), options));
  expect_the_worker_goes_on(on_cuda);
  for (const auto& prediction : pending) EXPECT_FALSE(prediction.ready());
  held.release();
  for (auto& prediction : pending) expect_same(prediction.get(), expected);
}

TEST(ImageRequests, WhatIsWrongEndsAlone) {
  const ImageClassifier on_cuda = classifier_on("cuda:0", kRoot + "/models/digits.mxz");
  auto missing = on_cuda.classify_file_async("nowhere.png", 1);
  auto damaged = on_cuda.classify_bytes_async(std::string("no image"), 1);
  auto none = on_cuda.classify_file_async(kSeven, 0);
  auto good = on_cuda.classify_file_async(kSeven, 1);
  EXPECT_MXINFER_ERROR(missing.get(), ErrorCode::not_found, {"nowhere.png"});
  EXPECT_MXINFER_ERROR(damaged.get(), ErrorCode::malformed, {"JPEG"});
  EXPECT_MXINFER_ERROR(none.get(), ErrorCode::invalid_argument, {"top_k"});
  EXPECT_EQ(good.get()[0].label, "seven");
  const ObjectDetector detector = detector_on("cuda:0");
  DetectOptions options;
  options.max_detections = 0;
  EXPECT_MXINFER_ERROR(detector.detect_file_async(kSeven, options).get(), ErrorCode::invalid_argument,
                       {"max_detections"});
}

// One of its steps needs the CPU, so that the worker stays.
TEST(ImageRequests, WhatTheDeviceCannotDoAloneRunsOnAWorker) {
  const std::string symbol = R"json({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "Flatten", "name": "flat", "inputs": [[0, 0, 0]]},
      {"op": "Reshape", "name": "square", "attrs": {"shape": "(-1, 4, 4)"}, "inputs": [[1, 0, 0]]},
      {"op": "_linalg_det", "name": "determinant", "inputs": [[2, 0, 0]]},
      {"op": "Reshape", "name": "scores", "attrs": {"shape": "(-1, 3)"}, "inputs": [[3, 0, 0]]}],
      "arg_nodes": [0], "heads": [[4, 0, 0]]})json";
  LoadOptions load;
  load.inputs = {{"data", {-1, 3, 4, 4}}};
  const Model model = Model::load_memory(symbol, {}, load);
  ImageOptions options;
  options.options = requests_on("cuda:0");
  const ImageClassifier on_cuda(model, options);
  ASSERT_GT(on_cuda.explain().steps_on_cpu, 0);
  options.options = requests_on("cpu");
  const ImageClassifier on_cpu(model, options);
  std::vector<Prediction<std::vector<Classification>>> pending;
  for (int i = 0; i < 3; ++i) pending.push_back(on_cuda.classify_file_async(kSeven, 3));
  for (auto& prediction : pending) expect_same(prediction.get(), on_cpu.classify_file(kSeven, 3));
}

}  // namespace
}  // namespace mxinfer

// mxinfer_predictor_predict_on_device: arrays in the memory of a GPU, work in a stream of the program.
#include "c_api/c_api_support.h"
#include "device_memory/device_memory.h"

namespace mxinfer_c_tests {
namespace {

constexpr std::int32_t kCuda = 2;
const std::vector<std::int64_t> kImages = {2, 1, 32, 32};
const std::vector<std::int64_t> kScores = {2, 10};

/// Floats in the memory of cuda:0.
class DeviceFloats {
 public:
  explicit DeviceFloats(std::size_t count)
      : count_(count), memory_(device_memory_allocate(count * sizeof(float))) {}
  explicit DeviceFloats(const std::vector<float>& values) : DeviceFloats(values.size()) {
    EXPECT_EQ(device_memory_upload(memory_, values.data(), count_ * sizeof(float)), 0);
  }
  ~DeviceFloats() { device_memory_free(memory_); }
  DeviceFloats(const DeviceFloats&) = delete;
  DeviceFloats& operator=(const DeviceFloats&) = delete;

  [[nodiscard]] mxinfer_tensor tensor(const std::vector<std::int64_t>& shape,
                                      const char* name = nullptr) const {
    mxinfer_tensor tensor = tensor_of(static_cast<const float*>(memory_), shape, name);
    tensor.device_type = kCuda;
    return tensor;
  }
  [[nodiscard]] std::vector<float> values() const {
    std::vector<float> result(count_);
    EXPECT_EQ(device_memory_download(result.data(), memory_, count_ * sizeof(float)), 0);
    return result;
  }

 private:
  std::size_t count_;
  void* memory_;
};

class CPredictOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i % 17) / 17;
    predictor = digits_on("cuda:0");
    ASSERT_NE(predictor, nullptr);
    ASSERT_NE(stream, nullptr);
  }
  void TearDown() override { device_stream_destroy(stream); }

  static Predictor digits_on(const char* device) {
    const Options options = make_options({{"device", device}, {"load_transforms", "false"}});
    Predictor made;
    EXPECT_C_OK(mxinfer_predictor_open(digits().c_str(), options.get(), Out(made)));
    return made;
  }
  std::vector<float> expected() const {
    const Predictor on_cpu = digits_on("cpu");
    const mxinfer_tensor input = tensor_of(pixels.data(), kImages);
    Tensors outputs;
    EXPECT_C_OK(mxinfer_predictor_predict(on_cpu.get(), &input, 1, Out(outputs)));
    return floats_of(tensor_at(outputs, 0));
  }
  mxinfer_status predict(const mxinfer_tensor& input, const mxinfer_tensor& output) const {
    return mxinfer_predictor_predict_on_device(predictor.get(), &input, 1, &output, 1, stream);
  }

  std::vector<float> pixels = std::vector<float>(std::size_t{2} * 32 * 32);
  Predictor predictor;
  void* stream = device_stream_create();
};

void expect_near(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-4) << i;
}

TEST_F(CPredictOnDevice, GivesTheResultsOfTheCpu) {
  const DeviceFloats from(pixels), to(20);
  ASSERT_C_OK(predict(from.tensor(kImages), to.tensor(kScores)));
  ASSERT_EQ(device_stream_synchronize(stream), 0);
  expect_near(to.values(), expected());
}

TEST_F(CPredictOnDevice, TakesArraysByNameAndTheDefaultStream) {
  auto desc = sized<mxinfer_desc>();
  Model model;
  ASSERT_C_OK(mxinfer_predictor_model(predictor.get(), Out(model)));
  ASSERT_C_OK(mxinfer_descs_get(mxinfer_model_outputs(model.get()), 0, &desc));
  const DeviceFloats from(pixels), to(20);
  const mxinfer_tensor input = from.tensor(kImages, "data"), output = to.tensor(kScores, desc.name);
  ASSERT_C_OK(mxinfer_predictor_predict_on_device(predictor.get(), &input, 1, &output, 1, nullptr));
  ASSERT_EQ(device_stream_synchronize(nullptr), 0);
  expect_near(to.values(), expected());
}

TEST_F(CPredictOnDevice, MemoryOfAnotherDeviceIsRefused) {
  const DeviceFloats from(pixels), to(20);
  mxinfer_tensor input = from.tensor(kImages), output = to.tensor(kScores);
  input.device_type = 1;
  EXPECT_C_ERROR(predict(input, output), MXINFER_INVALID_ARGUMENT, "input 'data' is in the memory of cpu",
                 "the predictor's device is cuda:0");
  input.device_type = kCuda;
  output.device_index = 1;
  EXPECT_C_ERROR(predict(input, output), MXINFER_INVALID_ARGUMENT, "in the memory of cuda:1", "cuda:0");
  output.device_index = -1;
  EXPECT_C_ERROR(predict(input, output), MXINFER_INVALID_ARGUMENT, "device type 2, index -1");
  output.device_index = 0;
  output.device_type = 9;
  EXPECT_C_ERROR(predict(input, output), MXINFER_INVALID_ARGUMENT, "device type 9");
}

TEST_F(CPredictOnDevice, ArraysMustFit) {
  const DeviceFloats from(pixels), to(20);
  const mxinfer_tensor input = from.tensor(kImages), output = to.tensor(kScores);
  mxinfer_tensor wrong = output;
  const std::vector<std::int64_t> nine = {2, 9};
  wrong.shape = nine.data();
  EXPECT_C_ERROR(predict(input, wrong), MXINFER_INVALID_ARGUMENT, "(2, 9)", "(2, 10)");
  wrong = output;
  wrong.dtype = MXINFER_INT32;
  EXPECT_C_ERROR(predict(input, wrong), MXINFER_INVALID_ARGUMENT, "int32", "float32");
  wrong = output;
  wrong.data = nullptr;
  EXPECT_C_ERROR(predict(input, wrong), MXINFER_INVALID_ARGUMENT, "memory to write to");
  wrong = input;
  wrong.dtype = MXINFER_INT32;
  EXPECT_C_ERROR(predict(wrong, output), MXINFER_UNSUPPORTED, "data is int32", "float32");
  wrong = input;
  wrong.data = nullptr;
  EXPECT_C_ERROR(predict(wrong, output), MXINFER_INVALID_ARGUMENT, "NULL");
  wrong.rank = 0;  // left out
  EXPECT_C_ERROR(predict(wrong, output), MXINFER_INVALID_ARGUMENT, "input 'data' has no memory");
  EXPECT_C_ERROR(mxinfer_predictor_predict_on_device(predictor.get(), &input, 1, &output, 0, stream),
                 MXINFER_INVALID_ARGUMENT, "output");
  EXPECT_C_ERROR(mxinfer_predictor_predict_on_device(predictor.get(), nullptr, 1, &output, 1, stream),
                 MXINFER_INVALID_ARGUMENT, "'inputs' is NULL");
  EXPECT_C_ERROR(mxinfer_predictor_predict_on_device(nullptr, &input, 1, &output, 1, stream),
                 MXINFER_INVALID_ARGUMENT, "'predictor' is NULL");
}

TEST_F(CPredictOnDevice, APredictorOfTheCpuHasNone) {
  predictor = digits_on("cpu");
  const DeviceFloats from(pixels), to(20);
  EXPECT_C_ERROR(predict(from.tensor(kImages), to.tensor(kScores)), MXINFER_UNSUPPORTED,
                 "the predictor runs on the CPU");
}

TEST_F(CPredictOnDevice, OtherFunctionsSayWhichOneTakesIt) {
  const DeviceFloats from(pixels);
  const mxinfer_tensor input = from.tensor(kImages);
  Tensors outputs;
  EXPECT_C_ERROR(mxinfer_predictor_predict(predictor.get(), &input, 1, Out(outputs)), MXINFER_UNSUPPORTED,
                 "device type 2", "mxinfer_predictor_predict_on_device");
}

}  // namespace
}  // namespace mxinfer_c_tests

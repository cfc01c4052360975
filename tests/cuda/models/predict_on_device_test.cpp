// Predictor::predict_on_device: operands in the memory of the GPU, work in a stream of the caller's.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <vector>

#include "cuda/support.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

constexpr Device kGpu{DeviceType::cuda, 0};

class PredictOnDevice : public testing::Test {
 protected:
  static Options on(const char* device) {
    Options options;
    options.threads = 1;
    options.device = device;
    return options;
  }

  std::unique_ptr<device::Buffer> upload(const Tensor& tensor) {
    auto memory = gpu->allocate(tensor.bytes());
    stream->copy_to_device(memory->data(), tensor.raw(), tensor.bytes());
    return memory;
  }
  Tensor download(const device::Buffer& memory, const Shape& shape) {
    Tensor tensor(DType::float32, shape);
    stream->copy_to_host(tensor.raw(), memory.data(), tensor.bytes());
    stream->synchronize();
    return tensor;
  }
  void* native() const { return static_cast<const device::CudaStream&>(*stream).native().handle; }

  std::shared_ptr<device::CudaDevice> gpu = device::CudaDevice::open(0);
  std::unique_ptr<device::Stream> stream = gpu->new_stream();
  Model model = Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits", {.load_transforms = false});
  Predictor predictor{model, on("cuda:0")};
};

TEST_F(PredictOnDevice, GivesTheResultsOfTheCpuInTheCallersStream) {
  const Predictor on_cpu(model, on("cpu"));
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Tensor data = test::random_tensor({2, 1, 32, 32}, seed, 0, 1);
    const std::vector<Tensor> expected = on_cpu.predict({data});
    const auto from = upload(data), to = gpu->allocate(expected[0].bytes());
    const TensorView input(DType::float32, data.shape(), from->data(), kGpu);
    const MutableTensorView output(DType::float32, expected[0].shape(), to->data(), kGpu);
    predictor.predict_on_device({input}, {output}, native());
    EXPECT_LE(test::relative_difference(download(*to, expected[0].shape()), expected[0]), 1e-5);
  }
}

// The second call uses the memory of the first, which may be on its way in another stream.
TEST_F(PredictOnDevice, CallsInTwoStreamsDoNotDisturbEachOther) {
  const Predictor on_cpu(model, on("cpu"));
  const auto other = gpu->new_stream();
  const Tensor first = test::random_tensor({1, 1, 32, 32}, 1, 0, 1);
  const Tensor second = test::random_tensor({1, 1, 32, 32}, 2, 0, 1);
  const Shape shape = on_cpu.predict({first})[0].shape();
  const auto first_in = upload(first), second_in = upload(second);
  stream->synchronize();
  const std::size_t bytes = static_cast<std::size_t>(shape.elements()) * sizeof(float);
  const auto first_out = gpu->allocate(bytes), second_out = gpu->allocate(bytes);
  const auto call = [&](const device::Buffer& from, const device::Buffer& to, const device::Stream& in) {
    predictor.predict_on_device({TensorView(DType::float32, first.shape(), from.data(), kGpu)},
                                {MutableTensorView(DType::float32, shape, to.data(), kGpu)},
                                static_cast<const device::CudaStream&>(in).native().handle);
  };
  call(*first_in, *first_out, *stream);
  call(*second_in, *second_out, *other);
  other->synchronize();
  EXPECT_LE(test::relative_difference(download(*first_out, shape), on_cpu.predict({first})[0]), 1e-5);
  EXPECT_LE(test::relative_difference(download(*second_out, shape), on_cpu.predict({second})[0]), 1e-5);
}

TEST_F(PredictOnDevice, MemoryOfTheProcessIsRefused) {
  const Tensor data = test::random_tensor({1, 1, 32, 32}, 1);
  Tensor scores(DType::float32, {1, 10});
  EXPECT_MXINFER_ERROR(predictor.predict_on_device({data}, {scores}), ErrorCode::invalid_argument,
                       {"input 'data' is in the memory of cpu", "the predictor's device is cuda:0"});
}

TEST_F(PredictOnDevice, NothingCanBeLeftOut) {
  const auto memory = gpu->allocate(32 * 32 * sizeof(float));
  const TensorView data(DType::float32, {1, 1, 32, 32}, memory->data(), kGpu);
  const MutableTensorView scores(DType::float32, {1, 10}, memory->data(), kGpu);
  EXPECT_MXINFER_ERROR(predictor.predict_on_device({TensorView()}, {scores}), ErrorCode::invalid_argument,
                       {"input 'data' has no memory", "cuda:0"});
  const MutableTensorView nowhere(DType::float32, {1, 10}, nullptr, kGpu);
  EXPECT_MXINFER_ERROR(predictor.predict_on_device({data}, {nowhere}), ErrorCode::invalid_argument,
                       {"output", "has no memory", "address is null"});
}

TEST_F(PredictOnDevice, MemoryOfAGpuIsRefusedByPredict) {
  const auto memory = gpu->allocate(32 * 32 * sizeof(float));
  const TensorView view(DType::float32, {1, 1, 32, 32}, memory->data(), kGpu);
  EXPECT_MXINFER_ERROR((void)predictor.predict({view}), ErrorCode::invalid_argument,
                       {"in the memory of cuda:0", "predict_on_device"});
}

TEST_F(PredictOnDevice, APredictorOfTheCpuHasNone) {
  const Predictor on_cpu(model, on("cpu"));
  const Tensor data = test::random_tensor({1, 1, 32, 32}, 1);
  Tensor scores(DType::float32, {1, 10});
  EXPECT_MXINFER_ERROR(on_cpu.predict_on_device({data}, {scores}), ErrorCode::unsupported,
                       {"the predictor runs on the CPU", "Options::device"});
}

TEST_F(PredictOnDevice, OutputsMustFit) {
  const auto memory = gpu->allocate(32 * 32 * sizeof(float));
  const TensorView view(DType::float32, {1, 1, 32, 32}, memory->data(), kGpu);
  const MutableTensorView wrong(DType::float32, {1, 9}, memory->data(), kGpu);
  EXPECT_MXINFER_ERROR(predictor.predict_on_device({view}, {wrong}), ErrorCode::invalid_argument,
                       {"(1, 9)", "(1, 10)"});
}

}  // namespace
}  // namespace mxinfer

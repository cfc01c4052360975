// Tensor::pinned: pinned memory for callers, on a GPU or on its emulator.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "cuda/support.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

bool is_pinned(const Tensor& tensor) {
  return test::cuda_plan_options().device->is_staging(tensor.raw());
}

TEST(PinnedTensors, AreInputsAndOutputs) {
  const Model model =
      Model::load(std::string(MXINFER_SOURCE_DIR) + "/models/digits", {.load_transforms = false});
  Options options;
  options.device = "cuda:0";
  const Predictor predictor(model, options);
  const Tensor images = test::random_tensor({3, 1, 32, 32}, 3, 0.0f, 1.0f);
  const std::vector<Tensor> expected = predictor.predict({images});
  Tensor input = Tensor::pinned(DType::float32, images.shape(), options.device);
  Tensor scores = Tensor::pinned(DType::float32, expected[0].shape(), options.device);
  EXPECT_TRUE(is_pinned(input) && is_pinned(scores));
  EXPECT_FALSE(is_pinned(images));
  std::copy_n(images.data<float>(), images.elements(), input.data<float>());
  for (int call = 0; call < 3; ++call) {
    std::fill_n(scores.data<float>(), scores.elements(), 0.0f);
    predictor.predict_into({input}, {scores});
    EXPECT_TRUE(std::equal(scores.data<float>(), scores.data<float>() + scores.elements(),
                           expected[0].data<float>()));
  }
}

TEST(PinnedTensors, MoveWithTheirMemory) {
  Tensor first = Tensor::pinned(DType::int32, {2, 5}, "gpu");
  const void* const memory = first.raw();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
  Tensor second = std::move(first);
  EXPECT_EQ(second.raw(), memory);
  EXPECT_TRUE(is_pinned(second));
  EXPECT_EQ(first.elements(), 0);  // NOLINT(bugprone-use-after-move): what is promised
  first = Tensor(DType::float32, {4});
  first = std::move(second);
  EXPECT_EQ(first.raw(), memory);
  EXPECT_FALSE(is_pinned(first.clone()));
  const TensorView freed = first.view();
  first = Tensor(DType::float32, {4});
  EXPECT_FALSE(test::cuda_plan_options().device->is_staging(freed.raw()));
}

TEST(PinnedTensors, MayBeEmpty) {
  const Tensor empty = Tensor::pinned(DType::float32, {0, 3}, "cuda:0");
  EXPECT_EQ(empty.bytes(), 0u);
  EXPECT_NE(empty.raw(), nullptr);
}

TEST(PinnedTensors, AreOrdinaryMemoryForTheCpu) {
  for (const char* device : {"cpu", ""}) {
    Tensor tensor = Tensor::pinned(DType::float32, {2}, device);
    EXPECT_FALSE(is_pinned(tensor));
    tensor.data<float>()[1] = 1;
  }
}

TEST(PinnedTensors, Errors) {
  EXPECT_MXINFER_ERROR(Tensor::pinned(DType::float32, {2}, "tpu"), ErrorCode::invalid_argument,
                       {"pinned memory", "\"tpu\"", "cpu, or a GPU: cuda:0"});
  EXPECT_MXINFER_ERROR(Tensor::pinned(DType::float32, {2}, "cuda:9"), ErrorCode::device,
                       {"'cuda:9' does not exist"});
  EXPECT_MXINFER_ERROR(Tensor::pinned(DType::float32, {-2}, "cuda:0"), ErrorCode::invalid_argument, {"-2"});
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_MXINFER_ERROR(Tensor::pinned(DType::float32, {kMost}, "cuda:0"), ErrorCode::invalid_argument, {});
}

}  // namespace
}  // namespace mxinfer

// mxinfer_tensors_create_pinned: arrays in pinned memory, on a GPU or on its emulator.
#include <algorithm>

#include "c_api/c_api_support.h"
#include "device_memory/device_memory.h"

namespace mxinfer_c_tests {
namespace {

const std::vector<std::int64_t> kPinnedShape = {3, 4};

Tensors pinned(const std::vector<mxinfer_tensor>& like, const char* device = "cuda:0") {
  Tensors made;
  EXPECT_C_OK(mxinfer_tensors_create_pinned(like.data(), like.size(), device, Out(made)));
  return made;
}

Predictor sums_on(const char* device) {
  Predictor predictor;
  EXPECT_C_OK(
      mxinfer_predictor_create(add_model().get(), make_options({{"device", device}}).get(), Out(predictor)));
  return predictor;
}

void fill(const mxinfer_tensor& tensor, float value) {
  std::fill_n(static_cast<float*>(tensor.data), 12, value);
}

TEST(CPinned, InputsAndOutputsOfPredictorsOnTheGpu) {
  const mxinfer_tensor like = tensor_of(nullptr, kPinnedShape);
  const Tensors arrays = pinned({like, like, like, like});
  std::vector<mxinfer_tensor> all;
  for (std::size_t i = 0; i < 4; ++i) {
    all.push_back(tensor_at(arrays, i));
    EXPECT_EQ(device_memory_is_pinned(all.back().data), 1);
    EXPECT_EQ(shape_of(all.back()), kPinnedShape);
    EXPECT_EQ(all.back().name, nullptr);
  }
  fill(all[0], 2);
  fill(all[1], 3);
  const Predictor predictor = sums_on("cuda:0");
  for (int call = 0; call < 3; ++call) {
    fill(all[2], 0);
    ASSERT_C_OK(mxinfer_predictor_predict_into(predictor.get(), all.data(), 2, all.data() + 2, 2));
    EXPECT_EQ(floats_of(all[2]), std::vector<float>(12, 5));
    EXPECT_EQ(floats_of(all[3]), std::vector<float>(12, 9));
  }
}

TEST(CPinned, KeepsNamesAndDtypes) {
  mxinfer_tensor b = tensor_of(nullptr, kPinnedShape, "b"), a = tensor_of(nullptr, kPinnedShape, "a");
  Tensors inputs = pinned({b, a});
  const std::vector<mxinfer_tensor> given = {tensor_at(inputs, 0), tensor_at(inputs, 1)};
  EXPECT_STREQ(given[0].name, "b");
  fill(given[0], 3);
  fill(given[1], 4);
  Tensors outputs;
  const Predictor predictor = sums_on("cuda:0");
  ASSERT_C_OK(mxinfer_predictor_predict(predictor.get(), given.data(), 2, Out(outputs)));
  EXPECT_EQ(floats_of(tensor_at(outputs, 1)), std::vector<float>(12, 9));
  a.dtype = MXINFER_UINT8;
  EXPECT_EQ(tensor_at(pinned({a}), 0).dtype, MXINFER_UINT8);
}

TEST(CPinned, IsOrdinaryMemoryForTheCpu) {
  const Tensors arrays = pinned({tensor_of(nullptr, kPinnedShape)}, "cpu");
  EXPECT_EQ(device_memory_is_pinned(tensor_at(arrays, 0).data), 0);
  EXPECT_EQ(mxinfer_tensors_count(pinned({}).get()), 0u);
}

TEST(CPinned, Errors) {
  mxinfer_tensor like = tensor_of(nullptr, kPinnedShape, "a");
  Tensors made;
  EXPECT_C_ERROR(mxinfer_tensors_create_pinned(&like, 1, "tpu", Out(made)), MXINFER_INVALID_ARGUMENT, "tpu",
                 "cuda:0");
  EXPECT_C_ERROR(mxinfer_tensors_create_pinned(&like, 1, "cuda:9", Out(made)), MXINFER_DEVICE, "cuda:9");
  EXPECT_C_ERROR(mxinfer_tensors_create_pinned(&like, 1, nullptr, Out(made)), MXINFER_INVALID_ARGUMENT,
                 "'device' is NULL");
  EXPECT_C_ERROR(mxinfer_tensors_create_pinned(nullptr, 1, "cuda:0", Out(made)), MXINFER_INVALID_ARGUMENT,
                 "'like' is NULL");
  EXPECT_C_ERROR(mxinfer_tensors_create_pinned(&like, 1, "cuda:0", nullptr), MXINFER_INVALID_ARGUMENT,
                 "'out' is NULL");
  const mxinfer_tensor mixed[] = {like, tensor_of(nullptr, kPinnedShape)};
  EXPECT_C_ERROR(mxinfer_tensors_create_pinned(mixed, 2, "cuda:0", Out(made)), MXINFER_INVALID_ARGUMENT,
                 "1 of 2 tensors have names");
  const std::vector<std::int64_t> negative = {3, -4};
  like.shape = negative.data();
  EXPECT_C_ERROR(mxinfer_tensors_create_pinned(&like, 1, "cuda:0", Out(made)), MXINFER_INVALID_ARGUMENT,
                 "-4");
  like.shape = kPinnedShape.data();
  like.dtype = 99;
  EXPECT_C_ERROR(mxinfer_tensors_create_pinned(&like, 1, "cuda:0", Out(made)), MXINFER_INVALID_ARGUMENT,
                 "99");
  EXPECT_EQ(made, nullptr);
}

}  // namespace
}  // namespace mxinfer_c_tests

#include <gtest/gtest.h>
#include <mxinfer/byte_span.h>
#include <mxinfer/tensor.h>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "support/expect_error.h"

namespace mxinfer {
namespace {

std::vector<Shape> shapes_of(const TensorViews& views) {
  std::vector<Shape> shapes;
  for (const TensorView& view : views) shapes.push_back(view.shape());
  EXPECT_EQ(views.size(), shapes.size());
  EXPECT_EQ(views.span().size(), shapes.size());
  return shapes;
}

TEST(ViewList, OfWhateverMakesViews) {
  std::vector<Tensor> tensors;
  for (std::int64_t i = 1; i <= 6; ++i) tensors.emplace_back(DType::float32, Shape{i});
  const std::vector<Shape> wanted = {{1}, {2}, {3}, {4}, {5}, {6}};
  EXPECT_EQ(shapes_of(tensors), wanted);
  const std::vector<TensorView> views(tensors.begin(), tensors.end());
  EXPECT_EQ(shapes_of(views), wanted);
  EXPECT_EQ(shapes_of({tensors[1], tensors[0]}), (std::vector<Shape>{{2}, {1}}));
  const TensorView array[] = {views[2], views[3]};
  EXPECT_EQ(shapes_of(array), (std::vector<Shape>{{3}, {4}}));
  EXPECT_EQ(shapes_of(Span<const TensorView>(views).subspan(4, 2)), (std::vector<Shape>{{5}, {6}}));
  EXPECT_TRUE(shapes_of({}).empty());
}

TEST(ViewList, OfViewsSideBySideCopiesNone) {
  const std::vector<TensorView> views(9);
  EXPECT_EQ(TensorViews(views).data(), views.data());
}

TEST(ViewList, OfMutableViews) {
  std::vector<Tensor> tensors;
  tensors.emplace_back(DType::float32, Shape{2});
  const MutableTensorViews views(tensors);
  views[0].data<float>()[1] = 3;
  EXPECT_EQ(tensors[0].data<float>()[1], 3);
  EXPECT_FALSE((std::is_convertible_v<const std::vector<Tensor>&, MutableTensorViews>));
  EXPECT_MXINFER_ERROR(views[0].data<double>(), ErrorCode::invalid_argument, {"float32", "float64"});
  const TensorView read = views[0];
  EXPECT_EQ(read.raw(), tensors[0].raw());
}

TEST(ViewList, OfFlatArrays) {
  const auto sizes = [](const ViewList<Span<const float>>& arrays) {
    std::vector<std::size_t> all;
    for (const auto& array : arrays) all.push_back(array.size());
    return all;
  };
  const std::vector<std::vector<float>> nested = {{1, 2}, {3}};
  EXPECT_EQ(sizes(nested), (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(sizes({nested[1], nested[0]}), (std::vector<std::size_t>{1, 2}));
}

TEST(Device, IsTheCpu) {
  const TensorView view(DType::int8, {1}, nullptr);
  EXPECT_EQ(view.device(), Device());
  EXPECT_EQ(to_string(view.device()), "cpu");
  EXPECT_NE(view.device(), (Device{DeviceType::cpu, 1}));
}

}  // namespace
}  // namespace mxinfer

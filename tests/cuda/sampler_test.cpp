// Images read at computed places on a GPU: grids, BilinearSampler, SpatialTransformer. Correlation of images.
#include <cmath>
#include <limits>

#include "cuda/halves.h"

namespace mxinfer {
namespace {

using test::kSameBits;
using Attributes = std::map<std::string, std::string>;
using FloatLimits = std::numeric_limits<float>;

Attributes affine(const char* shape) {
  return {{"transform_type", "affine"}, {"target_shape", shape}};
}

/// Near the identity, so that places fall inside and outside.
Tensor transformations(std::int64_t count) {
  Tensor theta = test::random_tensor({count, 6}, 7, -0.6f, 0.6f);
  for (std::int64_t i = 0; i < count; ++i) {
    theta.data<float>()[i * 6] += 1;
    theta.data<float>()[i * 6 + 4] += 1;
  }
  return theta;
}

TEST(SamplerOnCuda, AffineGrids) {
  Tensor theta = transformations(5);
  theta.data<float>()[3] = FloatLimits::quiet_NaN();
  theta.data<float>()[8] = FloatLimits::infinity();
  for (const char* shape : {"(1, 1)", "(1, 4)", "(3, 1)", "(5, 7)", "(2, 300)"})
    test::expect_as_on_cpu("GridGenerator", affine(shape), {&theta}, kSameBits);
}

TEST(SamplerOnCuda, GridsMovedByAFlow) {
  for (const Shape& shape : {Shape{1, 2, 1, 1}, Shape{2, 2, 1, 5}, Shape{2, 2, 6, 1}, Shape{3, 2, 17, 33}}) {
    const Tensor flow = test::random_tensor(shape, 3, -3, 3);
    test::expect_as_on_cpu("GridGenerator", {{"transform_type", "warp"}}, {&flow}, kSameBits);
  }
}

TEST(SamplerOnCuda, PlacesInsideAndOutside) {
  for (const std::int64_t channels : {1, 3, 4, 9}) {
    for (const auto& [height, width] :
         {std::pair<std::int64_t, std::int64_t>{1, 1}, {1, 6}, {7, 1}, {6, 5}}) {
      const Tensor data = test::random_tensor({3, channels, height, width}, 1);
      for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {5, 3}, {9, 40}}) {
        const Tensor near = test::random_tensor({3, 2, rows, columns}, 2, -1.3f, 1.3f),
                     far = test::random_tensor({3, 2, rows, columns}, 3, -5, 5);
        test::expect_as_on_cpu("BilinearSampler", {}, {&data, &near}, kSameBits);
        test::expect_as_on_cpu("BilinearSampler", {}, {&data, &far}, kSameBits);
      }
    }
  }
}

TEST(SamplerOnCuda, PlacesOnTheEdgeAndNowhere) {
  Tensor data = test::random_tensor({1, 2, 4, 5}, 1);
  const std::vector<float> places{-1,
                                  1,
                                  0,
                                  -1.5f,
                                  1.5f,
                                  -1.25f,
                                  1.25f,
                                  -5.0f / 3,
                                  5.0f / 3,
                                  1e9f,
                                  -1e9f,
                                  1e30f,
                                  3e38f,
                                  FloatLimits::infinity(),
                                  -FloatLimits::infinity(),
                                  FloatLimits::quiet_NaN()};
  const auto count = static_cast<std::int64_t>(places.size());
  Tensor grid(DType::float32, {1, 2, count, count});
  for (std::int64_t i = 0; i < count * count; ++i) {
    grid.data<float>()[i] = places[static_cast<std::size_t>(i % count)];
    grid.data<float>()[count * count + i] = places[static_cast<std::size_t>(i / count)];
  }
  test::expect_as_on_cpu("BilinearSampler", {}, {&data, &grid}, kSameBits);
  data.data<float>()[3] = FloatLimits::quiet_NaN();
  data.data<float>()[27] = FloatLimits::infinity();
  test::expect_as_on_cpu("BilinearSampler", {}, {&data, &grid}, kSameBits);
}

TEST(SamplerOnCuda, SpatialTransformers) {
  for (const std::int64_t channels : {1, 4, 6}) {
    const Tensor data = test::random_tensor({4, channels, 7, 6}, 1), theta = transformations(4);
    for (const char* shape : {"(1, 1)", "(1, 5)", "(7, 6)", "(3, 2)", "(9, 33)"}) {
      Attributes attrs = affine(shape);
      attrs.emplace("sampler_type", "bilinear");
      test::expect_as_on_cpu("SpatialTransformer", attrs, {&data, &theta}, kSameBits);
    }
  }
}

TEST(SamplerOnCuda, ImagesInHalves) {
  const Tensor data = test::random_tensor({2, 6, 7, 6}, 1), theta = transformations(2),
               grid = test::random_tensor({2, 2, 5, 9}, 2, -1.2f, 1.2f);
  test::expect_in_halves("BilinearSampler", {}, {&data, &grid});
  Attributes attrs = affine("(5, 9)");
  attrs.emplace("sampler_type", "bilinear");
  test::expect_in_halves("SpatialTransformer", attrs, {&data, &theta});
}

Attributes displaced(const char* kernel, const char* most, const char* stride1, const char* stride2,
                     const char* pad) {
  return {{"kernel_size", kernel},
          {"max_displacement", most},
          {"stride1", stride1},
          {"stride2", stride2},
          {"pad_size", pad}};
}

TEST(CorrelationOnCuda, DisplacementsStridesAndKernels) {
  // One displacement, as many as a thread has, more; windows within the maps and in the padding.
  const std::vector<Attributes> all{displaced("1", "0", "1", "1", "0"), displaced("1", "1", "1", "1", "1"),
                                    displaced("1", "3", "1", "2", "3"), displaced("3", "2", "1", "1", "3"),
                                    displaced("3", "2", "2", "2", "2"), displaced("1", "4", "3", "1", "9"),
                                    displaced("5", "1", "1", "1", "3")};
  for (const Shape& shape : {Shape{1, 1, 9, 9}, Shape{2, 3, 6, 11}, Shape{2, 4, 7, 6}, Shape{1, 9, 8, 40}}) {
    const Tensor a = test::random_tensor(shape, 1), b = test::random_tensor(shape, 2);
    for (Attributes attrs : all) {
      SCOPED_TRACE(testing::Message() << "kernel " << attrs["kernel_size"] << ", "
                                      << attrs["max_displacement"] << " pixels, pad " << attrs["pad_size"]);
      for (const char* multiply : {"True", "False"}) {
        attrs["is_multiply"] = multiply;
        test::expect_as_on_cpu("Correlation", attrs, {&a, &b});
      }
    }
  }
}

// The time does not grow with the padding.
TEST(CorrelationOnCuda, KernelsThatAreLargerThanTheMaps) {
  const Tensor a = test::random_tensor({1, 1, 3, 3}, 1), b = test::random_tensor({1, 1, 3, 3}, 2);
  test::expect_as_on_cpu("Correlation", displaced("2000001", "1", "1", "1", "1000000"), {&a, &b});
}

TEST(CorrelationOnCuda, MapsInHalves) {
  const Tensor a = test::random_tensor({2, 6, 7, 9}, 1), b = test::random_tensor({2, 6, 7, 9}, 2);
  for (const char* multiply : {"True", "False"}) {
    Attributes attrs = displaced("1", "3", "1", "1", "3");
    attrs["is_multiply"] = multiply;
    test::expect_in_halves("Correlation", attrs, {&a, &b}, {.data = {0, 1}});
  }
}

}  // namespace
}  // namespace mxinfer

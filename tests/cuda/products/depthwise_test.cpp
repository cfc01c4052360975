// Depthwise convolutions by tiles, on values of each type.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/products/conv_run.h"
#include "cuda/support.h"

namespace mxinfer::test {
namespace {

using kernels::Activation;
using kernels::DirectKind;
using kernels::FloatType;

constexpr FloatType kTypes[] = {FloatType::float32, FloatType::float16, FloatType::bfloat16};

ConvProblem depthwise(std::int64_t channels, std::int64_t height, std::int64_t width, std::int64_t kernel,
                      std::int64_t stride) {
  ConvProblem problem = conv2d(channels, channels, height, width, kernel, stride, kernel / 2);
  problem.groups = channels;
  return problem;
}

void expect_tiles(const ConvRun& run) {
  run.expect_direct(DirectKind::depthwise_tiles, 1);
}

// Tiles have 8 rows of 8 or 16 outputs, in runs of 4, or of 2 with stride 2, and pairs of rows.
TEST(CudaDepthwise, SizesAtTheBoundsOfTiles) {
  for (const FloatType type : kTypes) {
    for (const std::int64_t kernel : {3, 5}) {
      for (const std::int64_t stride : {1, 2}) {
        for (const std::int64_t width : {1, 2, 5, 7, 8, 9, 16, 17, 18}) {
          for (const std::int64_t height : {1, 2, 3, 9}) {
            ConvRun run(completed(depthwise(8, height * stride, width * stride, kernel, stride)));
            run.type = type;
            expect_tiles(run);
          }
        }
      }
    }
  }
}

// A tile has 32 channels.
TEST(CudaDepthwise, ChannelsImagesAndBorders) {
  for (const FloatType type : kTypes) {
    for (const std::int64_t channels : {8, 24, 32, 40, 72}) {
      for (const std::int64_t stride : {1, 2}) {
        ConvProblem problem = depthwise(channels, 11, 19, channels == 24 ? 5 : 3, stride);
        problem.batch = 3;
        ConvRun run(completed(problem));
        run.type = type;
        run.bias = run.residual = true;
        run.border = stride == 2 || channels == 32;
        run.post_ops = {Activation::relu};
        expect_tiles(run);
      }
    }
  }
}

TEST(CudaDepthwise, PaddingOfAnyWidth) {
  for (const std::int64_t pad : {0, 1, 3, 6}) {
    for (const std::int64_t stride : {1, 2}) {
      ConvProblem problem = depthwise(8, 9, 12, 5, stride);
      problem.pad = {0, pad, pad == 0 ? 2 : 0};
      ConvRun run(completed(problem));
      run.border = pad == 3;
      expect_tiles(run);
    }
  }
}

TEST(CudaDepthwise, EveryActivation) {
  for (const FloatType type : kTypes) {
    for (int a = 0; a <= static_cast<int>(Activation::prelu); ++a) {
      ConvRun run(completed(depthwise(16, 5, 6, a % 2 == 0 ? 3 : 5, 1 + a % 2)));
      run.type = type;
      run.bias = run.residual = true;
      run.post_ops = {static_cast<Activation>(a), -0.25f, 0.75f};
      SCOPED_TRACE(testing::Message() << "activation " << a);
      expect_tiles(run);
    }
  }
}

// Rows of channels that are no whole vectors, and addresses between them, are read one by one.
TEST(CudaDepthwise, RowsThatLieApart) {
  for (const FloatType type : kTypes) {
    for (const std::int64_t gap : {1, 8, 16}) {
      ConvRun run(completed(depthwise(16, 9, 10, 3, 1)));
      run.type = type;
      run.gap = gap;
      run.bias = true;
      expect_tiles(run);
    }
    ConvRun shifted(completed(depthwise(16, 9, 10, 3, 1)));
    shifted.type = type;
    shifted.shift = 1;
    expect_tiles(shifted);
  }
}

TEST(CudaDepthwise, NanAndInfinityPass) {
  ConvRun run(completed(depthwise(8, 9, 18, 3, 1)));
  run.src()[7] = std::numeric_limits<float>::quiet_NaN();
  run.src()[run.src().size() - 1] = std::numeric_limits<float>::infinity();
  expect_tiles(run);
}

TEST(CudaDepthwise, OtherFiltersHaveNoTiles) {
  const auto kind_of = [](const ConvProblem& problem) {
    const auto conv = kernels::device_conv(completed(problem), kernels::Direction::forward,
                                           kernels::SrcLayout::nhwc, FloatType::float16);
    return kernels::direct_conv(conv, 132).kind;
  };
  EXPECT_EQ(kind_of(depthwise(16, 9, 9, 3, 1)), DirectKind::depthwise_tiles);
  EXPECT_EQ(kind_of(depthwise(16, 9, 9, 7, 1)), DirectKind::depthwise_vectors);
  EXPECT_EQ(kind_of(depthwise(16, 9, 9, 3, 3)), DirectKind::depthwise_vectors);
  EXPECT_EQ(kind_of(depthwise(12, 9, 9, 3, 1)), DirectKind::scalar);
  ConvProblem dilated = depthwise(16, 9, 9, 3, 1);
  dilated.dilate = {1, 1, 2};
  EXPECT_EQ(kind_of(dilated), DirectKind::depthwise_vectors);
  ConvProblem line = depthwise(16, 9, 9, 3, 1);
  line.kernel = {1, 1, 3};
  EXPECT_EQ(kind_of(line), DirectKind::depthwise_vectors);
}

}  // namespace
}  // namespace mxinfer::test

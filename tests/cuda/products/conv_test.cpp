// The convolution kernels by themselves, with each tile that they have.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuda/products/conv_run.h"
#include "cuda/support.h"

namespace mxinfer::test {
namespace {

using kernels::Activation;
using kernels::DirectKind;
using kernels::GemmTile;
using kernels::Precision;
using kernels::SrcLayout;

constexpr GemmTile kTiles[] = {GemmTile::tile_128x128, GemmTile::tile_128x64, GemmTile::tile_128x32,
                               GemmTile::tile_64x64};

TEST(CudaConvolution, RowsAndFiltersAtTheBoundsOfTiles) {
  for (const GemmTile tile : kTiles) {
    for (const std::int64_t rows : {1, 63, 64, 65, 127, 128, 129})
      ConvRun(completed(conv2d(8, 36, 1, rows, 1))).expect_gemm(tile, 1);
    for (const std::int64_t filters : {1, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 132})
      ConvRun(completed(conv2d(8, filters, 3, 3, 1))).expect_gemm(tile, 1);
  }
}

TEST(CudaConvolution, SumsOfOneStepAndOfMoreThanThePipelineHasStages) {
  for (const GemmTile tile : kTiles) {
    for (const std::int64_t channels : {4, 8, 12, 16, 20, 24, 28, 32, 80}) {
      for (const int splits : {1, 2, 3, 7}) {
        ConvRun run(completed(conv2d(channels, 12, 3, 5, 1)));
        run.bias = true;
        run.expect_gemm(tile, splits);
      }
    }
  }
}

TEST(CudaConvolution, FiltersThatReachOverTheBorder) {
  for (const GemmTile tile : kTiles) {
    for (const std::int64_t channels : {1, 3, 4, 5, 8, 20, 63}) {
      for (const std::int64_t stride : {1, 2}) {
        for (const bool border : {false, true}) {
          ConvRun run(completed(conv2d(channels, 20, 9, 8, 3, stride, 2)));
          run.border = border;
          run.expect_gemm(tile, static_cast<int>(1 + channels % 3));
        }
      }
    }
  }
}

TEST(CudaConvolution, DilatedInOneAndThreeDimensions) {
  ConvProblem line = conv2d(5, 6, 1, 50, 1);
  line.kernel = {1, 1, 5};
  line.pad = {0, 0, 6};
  line.dilate = {1, 1, 3};
  ConvProblem volume = conv2d(4, 6, 6, 7, 3, 2, 1);
  volume.input[0] = 5;
  volume.kernel[0] = 3;
  volume.pad[0] = 2;
  volume.dilate = {2, 1, 2};
  volume.batch = 2;
  for (const GemmTile tile : kTiles) {
    ConvRun(completed(line)).expect_gemm(tile, 1);
    ConvRun(completed(volume)).expect_gemm(tile, 2);
  }
}

TEST(CudaConvolution, GroupsAndLayouts) {
  for (const GemmTile tile : kTiles) {
    for (const std::int64_t channels : {10, 16}) {
      ConvProblem problem = conv2d(channels, 24, 7, 6, 3, 1, 1);
      problem.groups = 2;
      problem.batch = 3;
      for (const SrcLayout src : {SrcLayout::nhwc, SrcLayout::nchw}) {
        for (const SrcLayout dst : {SrcLayout::nhwc, SrcLayout::nchw}) {
          for (const int splits : {1, 4}) {
            problem.src_layout = src;
            ConvRun run(completed(problem));
            run.dst_layout = dst;
            run.bias = run.residual = run.border = true;
            run.post_ops.activation = Activation::relu;
            run.expect_gemm(tile, splits);
          }
        }
      }
    }
  }
}

TEST(CudaConvolution, TheFirstLayerOfImages) {
  ConvProblem problem = conv2d(3, 64, 20, 21, 7, 2, 3);
  problem.src_layout = SrcLayout::nchw;
  for (const GemmTile tile : kTiles) {
    ConvRun run(completed(problem));
    run.bias = true;
    run.expect_gemm(tile, 1);
  }
}

TEST(CudaConvolution, EveryActivation) {
  for (int a = 0; a <= static_cast<int>(Activation::prelu); ++a) {
    for (const std::int64_t filters : {5, 8}) {
      for (const int splits : {1, 2}) {
        ConvRun run(completed(conv2d(12, filters, 5, 5, 3, 1, 1)));
        run.bias = run.residual = true;
        run.post_ops = {static_cast<Activation>(a), -0.25f, 0.75f};
        SCOPED_TRACE(testing::Message() << "activation " << a);
        run.expect_gemm(kTiles[a % 4], splits);
      }
    }
    ConvProblem depthwise = conv2d(8, 8, 5, 5, 3, 1, 1);
    depthwise.groups = 8;
    ConvRun run(completed(depthwise));
    run.bias = run.residual = true;
    run.post_ops = {static_cast<Activation>(a), -0.25f, 0.75f};
    run.expect_direct(DirectKind::depthwise_vectors, a % 2 == 0 ? 1 : 4);
  }
}

// A weight of 0 times infinity is NaN: they must stay in their own rows, and padding must not meet them.
TEST(CudaConvolution, NanAndInfinityPass) {
  for (const std::int64_t channels : {3, 8}) {
    for (const GemmTile tile : kTiles) {
      ConvRun run(completed(conv2d(channels, 7, 6, 6, 3, 1, 1)));
      run.src()[7] = std::numeric_limits<float>::quiet_NaN();
      run.src()[run.src().size() - 1] = std::numeric_limits<float>::infinity();
      run.post_ops.activation = Activation::relu;
      run.expect_gemm(tile, 1);
      run.expect_gemm(tile, 2);
    }
  }
}

// The last step of a sum has weights of 0 behind the last tap, and they must not meet what is there in src.
TEST(CudaConvolution, NothingIsReadBehindTheLastTap) {
  for (const std::int64_t channels : {4, 5}) {
    ConvProblem problem = conv2d(channels, 7, 2, 2, 1);
    problem.input[0] = 6;
    problem.kernel[0] = 3;
    ConvRun run(completed(problem));
    run.src().back() = std::numeric_limits<float>::quiet_NaN();
    for (const GemmTile tile : kTiles) run.expect_gemm(tile, 1);
    for (const Precision precision : lower_precisions()) run.expect_gemm(GemmTile::tile_64x32, 1, precision);
  }
}

// Planes of one position are channels-last as well, but for the place of an image.
TEST(CudaConvolution, ImagesOfOnePosition) {
  ConvProblem problem = conv2d(8, 12, 1, 1, 1);
  problem.batch = 3;
  for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
    ConvRun run(completed(problem));
    run.dst_layout = layout;
    run.bias = run.residual = true;
    for (const GemmTile tile : kTiles) run.expect_gemm(tile, 1);
    for (const Precision precision : lower_precisions()) run.expect_gemm(GemmTile::tile_64x32, 1, precision);
  }
  problem.channels = problem.filters = problem.groups = 9;
  ConvRun scalar(completed(problem));
  scalar.dst_layout = SrcLayout::nchw;
  scalar.expect_direct(DirectKind::scalar, 1);
}

// As parts of wider values; what lies between the rows is neither read nor written.
TEST(CudaConvolution, RowsThatLieApart) {
  for (const std::int64_t gap : {1, 4, 12}) {
    for (const std::int64_t channels : {3, 8}) {
      ConvRun run(completed(conv2d(channels, 12, 7, 6, 3, 1, 1)));
      run.gap = gap;
      run.bias = true;
      run.post_ops = {Activation::tanh};
      for (const GemmTile tile : kTiles) {
        for (const int splits : {1, 3}) run.expect_gemm(tile, splits);
      }
      for (const Precision precision : lower_precisions()) {
        for (const int splits : {1, 3}) run.expect_gemm(GemmTile::tile_64x32, splits, precision);
      }
    }
    ConvProblem depthwise = conv2d(12, 12, 7, 6, 3, 1, 1);
    depthwise.groups = 12;
    depthwise.batch = 2;
    ConvRun run(completed(depthwise));
    run.gap = gap;
    for (const int positions : {1, 4}) run.expect_direct(DirectKind::depthwise_vectors, positions);
    ConvProblem odd = conv2d(9, 9, 7, 6, 3, 1, 1);
    odd.groups = 9;
    ConvRun scalar(completed(odd));
    scalar.gap = gap;
    scalar.expect_direct(DirectKind::scalar, 1);
  }
}

TEST(CudaConvolution, AddressesThatAreNoMultipleOf16) {
  for (const std::size_t shift : {1, 2}) {
    ConvRun run(completed(conv2d(8, 8, 6, 6, 3, 1, 1)));
    run.shift = shift;
    run.bias = run.residual = true;
    for (const GemmTile tile : kTiles) {
      run.expect_gemm(tile, 1);
      run.expect_gemm(tile, 3);
    }
    ConvProblem depthwise = conv2d(8, 8, 5, 5, 3, 1, 1);
    depthwise.groups = 8;
    ConvRun of_channels(completed(depthwise));
    of_channels.shift = shift;
    of_channels.expect_direct(DirectKind::depthwise_vectors, 1);
  }
}

TEST(CudaConvolution, Depthwise) {
  for (const std::int64_t channels : {4, 12, 32}) {
    for (const std::int64_t width : {4, 5, 9}) {
      for (const std::int64_t stride : {1, 2}) {
        ConvProblem problem = conv2d(channels, channels, 5, width * stride, 3, stride, 1);
        problem.groups = channels;
        problem.batch = 2;
        problem.dilate = {1, 1, 1};
        for (const int row_positions : {1, 4}) {
          for (const bool border : {false, true}) {
            ConvRun run(completed(problem));
            run.bias = true;
            run.border = border;
            run.post_ops = {Activation::clip, -0.5f, 0.5f};
            run.expect_direct(DirectKind::depthwise_vectors, row_positions);
          }
        }
      }
    }
  }
}

TEST(CudaConvolution, SmallGroups) {
  for (const std::int64_t channels : {2, 4, 5}) {
    for (const std::int64_t filters : {3, 4}) {
      ConvProblem problem = conv2d(4 * channels, 4 * filters, 5, 6, 3, 1, 1);
      problem.groups = 4;
      problem.input[0] = 2;
      problem.kernel[0] = 2;
      problem.pad[0] = 1;
      problem.dilate = {1, 2, 1};
      ConvRun run(completed(problem));
      run.residual = true;
      run.border = channels == 4;
      if (filters == 3) {
        run.expect_direct(DirectKind::scalar, 1);
        run.dst_layout = SrcLayout::nchw;
        run.expect_direct(DirectKind::scalar, 1);
      } else {
        run.expect_direct(DirectKind::group_vectors, 1);
        run.expect_direct(DirectKind::group_vectors, 4);
      }
    }
  }
}

TEST(CudaTensorConvolution, RowsAndFiltersAtTheBoundsOfTiles) {
  for (const Precision precision : lower_precisions()) {
    for (const GemmTile tile : tensor_tiles(precision)) {
      for (const std::int64_t rows : {1, 63, 64, 65, 127, 128, 129})
        ConvRun(completed(conv2d(8, 36, 1, rows, 1))).expect_gemm(tile, 1, precision);
      for (const std::int64_t filters : {1, 3, 63, 64, 65, 127, 128, 129, 132})
        ConvRun(completed(conv2d(8, filters, 3, 3, 1))).expect_gemm(tile, 1, precision);
    }
  }
}

TEST(CudaTensorConvolution, SumsOfOneStepAndOfMore) {
  for (const Precision precision : lower_precisions()) {
    for (const GemmTile tile : tensor_tiles(precision)) {
      for (const std::int64_t channels : {3, 4, 16, 20, 32, 36, 63, 64, 132}) {
        for (const int splits : {1, 2, 3}) {
          ConvRun run(completed(conv2d(channels, 12, 3, 5, 1)));
          run.bias = true;
          run.expect_gemm(tile, splits, precision);
        }
      }
    }
  }
}

TEST(CudaTensorConvolution, FiltersThatReachOverTheBorder) {
  for (const Precision precision : lower_precisions()) {
    for (const GemmTile tile : tensor_tiles(precision)) {
      for (const std::int64_t channels : {1, 3, 4, 12, 63}) {
        ConvRun run(completed(conv2d(channels, 20, 9, 8, 3, 1 + channels % 2, 2)));
        run.border = channels % 3 == 0;
        run.residual = true;
        run.post_ops = {channels > 4 ? Activation::swish : Activation::leaky, 0.1f};
        run.expect_gemm(tile, 1 + static_cast<int>(channels % 3), precision);
      }
    }
  }
}

TEST(CudaTensorConvolution, GroupsAndLayouts) {
  for (const Precision precision : lower_precisions()) {
    ConvProblem problem = conv2d(16, 24, 7, 6, 3, 1, 1);
    problem.groups = 2;
    problem.batch = 3;
    for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
      problem.src_layout = layout;
      ConvRun run(completed(problem));
      run.dst_layout = layout;
      run.bias = run.residual = true;
      for (const int splits : {1, 3}) run.expect_gemm(GemmTile::tile_64x32, splits, precision);
    }
  }
}

TEST(CudaTensorConvolution, NanAndInfinityPass) {
  for (const Precision precision : lower_precisions()) {
    for (const std::int64_t channels : {3, 8}) {
      ConvRun run(completed(conv2d(channels, 7, 6, 6, 3, 1, 1)));
      run.src()[7] = std::numeric_limits<float>::quiet_NaN();
      run.src()[run.src().size() - 1] = std::numeric_limits<float>::infinity();
      run.expect_gemm(GemmTile::tile_64x32, 1, precision);
    }
  }
}

// Small integers are exact in each precision; 1 + 2^-12 is 1 in each.
TEST(CudaTensorConvolution, OperandsAreRounded) {
  for (const Precision precision : lower_precisions()) {
    ConvRun integers(completed(conv2d(8, 4, 2, 2, 1)));
    for (float& x : integers.src()) x = std::round(8 * x);
    for (float& w : integers.weight()) w = std::round(8 * w);
    integers.is_exact = true;
    integers.expect_gemm(GemmTile::tile_64x32, 1, precision);
    ConvRun fractions(completed(conv2d(8, 4, 2, 2, 1)));
    for (float& x : fractions.src()) x = 1.0f + 0x1p-12f;
    for (float& w : fractions.weight()) w = 1.0f + 0x1p-12f;
    fractions.is_exact = true;
    fractions.right.assign(16, 8.0f);
    fractions.expect_gemm(GemmTile::tile_64x32, 1, precision);
  }
}

kernels::ImplicitGemm chosen(const ConvProblem& problem, int multiprocessors) {
  kernels::ImplicitGemm gemm = kernels::implicit_gemm(
      kernels::device_conv(completed(problem), kernels::Direction::forward, SrcLayout::nhwc));
  kernels::choose_tiles(&gemm, multiprocessors);
  return gemm;
}

TEST(CudaConvolutionTiles, FewRowsAreSplit) {
  const kernels::ImplicitGemm gemm = chosen(conv2d(512, 512, 7, 7, 3, 1, 1), 108);
  EXPECT_GE(gemm.splits, 8);
  EXPECT_GE(gemm.steps_per_split * gemm.splits, gemm.steps);
  EXPECT_LT(gemm.steps_per_split * (gemm.splits - 1), gemm.steps);
  EXPECT_EQ(gemm.partial_bytes(), static_cast<std::size_t>(gemm.splits) * 49 * 512 * sizeof(float));
}

TEST(CudaConvolutionTiles, ManyRowsAreNot) {
  ConvProblem problem = conv2d(256, 512, 14, 14, 3, 1, 1);
  problem.batch = 256;
  const kernels::ImplicitGemm gemm = chosen(problem, 108);
  EXPECT_EQ(gemm.splits, 1);
  EXPECT_EQ(gemm.partial_bytes(), 0u);
}

TEST(CudaConvolutionTiles, FewFiltersHaveANarrowTile) {
  ConvProblem problem = conv2d(32, 24, 56, 56, 1);
  problem.batch = 64;
  EXPECT_EQ(chosen(problem, 108).tile, GemmTile::tile_128x32);
}

}  // namespace
}  // namespace mxinfer::test

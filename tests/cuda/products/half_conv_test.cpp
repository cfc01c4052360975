// The convolution kernels on values of 16-bit floats, with each tile that they have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cuda/products/conv_run.h"
#include "cuda/support.h"

namespace mxinfer::test {
namespace {

using kernels::Activation;
using kernels::DirectKind;
using kernels::FloatType;
using kernels::GemmTile;
using kernels::Precision;
using kernels::SrcLayout;

ConvRun half_run(const ConvProblem& problem, FloatType type) {
  ConvRun run(completed(problem));
  run.type = type;
  return run;
}

TEST(CudaHalfConvolution, RowsAndFiltersAtTheBoundsOfTiles) {
  for (const FloatType type : half_types()) {
    for (const GemmTile tile : tensor_tiles()) {
      for (const std::int64_t rows : {1, 63, 64, 65, 127, 128, 129})
        half_run(conv2d(8, 36, 1, rows, 1), type).expect_gemm(tile, 1);
      for (const std::int64_t filters : {1, 3, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 136, 255, 257})
        half_run(conv2d(8, filters, 3, 3, 1), type).expect_gemm(tile, 1);
    }
  }
}

// A step has 64 elements of the sum, stages are up to 4 steps.
TEST(CudaHalfConvolution, SumsOfOneStepAndOfMoreThanThePipelineHasStages) {
  for (const FloatType type : half_types()) {
    for (const GemmTile tile : tensor_tiles()) {
      for (const std::int64_t channels : {8, 24, 56, 64, 72, 128, 200, 520}) {
        for (const int splits : {1, 2, 3}) {
          ConvRun run = half_run(conv2d(channels, 16, 3, 5, 1), type);
          run.bias = true;
          run.expect_gemm(tile, splits);
        }
      }
    }
  }
}

TEST(CudaHalfConvolution, FiltersThatReachOverTheBorder) {
  for (const FloatType type : half_types()) {
    for (const GemmTile tile : tensor_tiles()) {
      for (const std::int64_t channels : {1, 3, 5, 8, 24, 63, 64}) {
        for (const bool border : {false, true}) {
          ConvRun run = half_run(conv2d(channels, 24, 9, 8, 3, 1 + channels % 2, 2), type);
          run.border = border;
          run.residual = channels > 4;
          run.expect_gemm(tile, 1 + static_cast<int>(channels % 3));
        }
      }
    }
  }
}

TEST(CudaHalfConvolution, DilatedInOneAndThreeDimensions) {
  ConvProblem line = conv2d(8, 6, 1, 50, 1);
  line.kernel = {1, 1, 5};
  line.pad = {0, 0, 6};
  line.dilate = {1, 1, 3};
  ConvProblem volume = conv2d(8, 16, 6, 7, 3, 2, 1);
  volume.input[0] = 5;
  volume.kernel[0] = 3;
  volume.pad[0] = 2;
  volume.dilate = {2, 1, 2};
  volume.batch = 2;
  for (const FloatType type : half_types()) {
    for (const GemmTile tile : tensor_tiles()) {
      half_run(line, type).expect_gemm(tile, 1);
      half_run(volume, type).expect_gemm(tile, 2);
    }
    line.channels = volume.channels = 3;
    half_run(line, type).expect_gemm(GemmTile::tile_64x32, 1);
    half_run(volume, type).expect_gemm(GemmTile::tile_64x32, 2);
  }
}

TEST(CudaHalfConvolution, GroupsAndLayouts) {
  for (const FloatType type : half_types()) {
    for (const std::int64_t channels : {10, 16, 32}) {
      ConvProblem problem = conv2d(channels, 48, 7, 6, 3, 1, 1);
      problem.groups = 2;
      problem.batch = 3;
      for (const SrcLayout src : {SrcLayout::nhwc, SrcLayout::nchw}) {
        for (const SrcLayout dst : {SrcLayout::nhwc, SrcLayout::nchw}) {
          for (const int splits : {1, 2}) {
            problem.src_layout = src;
            ConvRun run = half_run(problem, type);
            run.dst_layout = dst;
            run.bias = run.residual = run.border = true;
            run.post_ops.activation = Activation::relu;
            run.expect_gemm(GemmTile::tile_64x32, splits);
          }
        }
      }
    }
  }
}

/// As images come: rows of 3 channels, or planes.
TEST(CudaHalfConvolution, TheFirstLayerOfImages) {
  for (const FloatType type : half_types()) {
    for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
      for (const std::int64_t kernel : {2, 3, 7}) {
        for (const std::int64_t channels : {1, 3, 4}) {
          ConvProblem problem = conv2d(channels, 40, 20, 21, kernel, 2, kernel / 2);
          problem.src_layout = layout;
          problem.batch = 2;
          for (const GemmTile tile : tensor_tiles()) {
            ConvRun run = half_run(problem, type);
            run.bias = true;
            run.border = channels == 3;
            run.expect_gemm(tile, 1 + static_cast<int>(kernel) / 4);
          }
        }
      }
    }
  }
}

TEST(CudaHalfConvolution, EveryActivation) {
  for (const FloatType type : half_types()) {
    for (int a = 0; a <= static_cast<int>(Activation::prelu); ++a) {
      for (const std::int64_t filters : {5, 16}) {
        for (const int splits : {1, 2}) {
          ConvRun run = half_run(conv2d(16, filters, 5, 5, 3, 1, 1), type);
          run.bias = run.residual = true;
          run.post_ops = {static_cast<Activation>(a), -0.25f, 0.75f};
          SCOPED_TRACE(testing::Message() << "activation " << a);
          run.expect_gemm(GemmTile::tile_64x32, splits);
        }
      }
    }
  }
}

TEST(CudaHalfConvolution, RowsThatLieApart) {
  for (const FloatType type : half_types()) {
    for (const std::int64_t gap : {1, 8, 12}) {
      for (const std::int64_t channels : {8, 9}) {
        ConvRun run = half_run(conv2d(channels, 16, 7, 6, 3, 1, 1), type);
        run.gap = gap;
        run.bias = true;
        run.post_ops = {Activation::tanh};
        for (const int splits : {1, 2}) run.expect_gemm(GemmTile::tile_64x32, splits);
      }
    }
  }
}

TEST(CudaHalfConvolution, AddressesThatAreNoMultipleOf16) {
  for (const FloatType type : half_types()) {
    for (const std::size_t shift : {1, 4}) {
      ConvRun run = half_run(conv2d(16, 8, 6, 6, 3, 1, 1), type);
      run.shift = shift;
      run.bias = run.residual = true;
      run.expect_gemm(GemmTile::tile_64x32, 1);
      run.expect_gemm(GemmTile::tile_64x32, 3);
    }
  }
}

TEST(CudaHalfConvolution, NanAndInfinityPass) {
  for (const FloatType type : half_types()) {
    for (const std::int64_t channels : {3, 8}) {
      ConvRun run = half_run(conv2d(channels, 7, 6, 6, 3, 1, 1), type);
      run.src()[7] = std::numeric_limits<float>::quiet_NaN();
      run.src()[run.src().size() - 1] = std::numeric_limits<float>::infinity();
      run.expect_gemm(GemmTile::tile_64x32, 1);
    }
  }
}

TEST(CudaHalfConvolution, Depthwise) {
  for (const FloatType type : half_types()) {
    for (const std::int64_t channels : {8, 24}) {
      for (const std::int64_t stride : {1, 2}) {
        ConvProblem problem = conv2d(channels, channels, 5, 9 * stride, 3, stride, 1);
        problem.groups = channels;
        problem.batch = 2;
        for (const int row_positions : {1, 4}) {
          ConvRun run = half_run(problem, type);
          run.bias = run.residual = true;
          run.border = stride == 2;
          run.post_ops = {stride == 1 ? Activation::clip : Activation::swish, -0.5f, 0.5f};
          run.expect_direct(DirectKind::depthwise_vectors, row_positions);
        }
      }
    }
  }
}

TEST(CudaHalfConvolution, SmallGroups) {
  for (const FloatType type : half_types()) {
    ConvProblem problem = conv2d(20, 12, 5, 6, 3, 1, 1);
    problem.groups = 4;
    ConvRun run = half_run(problem, type);
    run.residual = true;
    run.expect_direct(DirectKind::scalar, 1);
    run.dst_layout = SrcLayout::nchw;
    run.expect_direct(DirectKind::scalar, 1);
    problem.filters = 16;
    ConvRun vectors = half_run(problem, type);
    vectors.border = true;
    for (const int row_positions : {1, 4}) vectors.expect_direct(DirectKind::group_vectors, row_positions);
  }
}

/// Runs a problem of the kernel of patches in each type of values and each precision.
template <typename Set>
void expect_patches(const ConvProblem& problem, const Set& set) {
  for (const FloatType type : half_types()) {
    ConvRun run = half_run(problem, type);
    set(run);
    run.expect_patches(Precision::float32);
  }
  for (const Precision precision : lower_precisions()) {
    ConvRun run(completed(problem));
    set(run);
    if (kernels::implicit_gemm(run.sizes(), precision).patches || precision != Precision::tf32)
      run.expect_patches(precision);
  }
}

/// The kernel of patches: 16 x 16 positions to a block, 32 or 64 filters.
TEST(CudaPatches, SizesAndLayouts) {
  for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
    for (const std::int64_t stride : {1, 2}) {
      for (const std::int64_t kernel : {2, 3, 5, 7}) {
        for (const std::int64_t channels : {1, 3, 4}) {
          if (channels * kernel > 24) continue;
          ConvProblem problem =
              conv2d(channels, 8 * kernel, 12 * kernel, 11 * kernel, kernel, stride, kernel / 2);
          problem.src_layout = layout;
          problem.batch = 2;
          expect_patches(problem, [&](ConvRun& run) {
            run.bias = true;
            run.border = channels == 3;
            run.residual = kernel == 5;
          });
        }
      }
    }
  }
}

/// Rows that are whole 16 bytes are read by vectors, which begin before what a patch sees.
TEST(CudaPatches, RowsOfWholeVectors) {
  for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
    for (const std::int64_t stride : {1, 2}) {
      for (const std::int64_t kernel : {3, 4, 7}) {
        for (const std::int64_t pad : {0, 1, 2, 3}) {
          ConvProblem problem = conv2d(3, 64, 19, 40, kernel, stride, pad);
          problem.src_layout = layout;
          problem.batch = 2;
          expect_patches(problem, [&](ConvRun& run) {
            run.bias = true;
            run.border = pad == 2;
          });
        }
      }
    }
  }
}

TEST(CudaPatches, ShiftedArrays) {
  for (const std::size_t shift : {1, 2, 4}) {
    expect_patches(conv2d(3, 16, 19, 40, 3, 1, 1), [&](ConvRun& run) { run.shift = shift; });
  }
}

TEST(CudaPatches, FiltersAndValues) {
  for (const std::int64_t filters : {1, 6, 31, 32, 33, 64, 65, 72, 130}) {
    for (const SrcLayout dst : {SrcLayout::nhwc, SrcLayout::nchw}) {
      for (const FloatType type : half_types()) {
        ConvRun run = half_run(conv2d(3, filters, 9, 40, 3, 1, 1), type);
        run.dst_layout = dst;
        run.bias = run.residual = true;
        run.post_ops = {Activation::relu};
        run.expect_patches(Precision::float32);
      }
      for (const Precision precision : lower_precisions()) {
        ConvRun run(completed(conv2d(3, filters, 9, 40, 3, 1, 1)));
        run.dst_layout = dst;
        run.expect_patches(precision);
      }
    }
  }
}

TEST(CudaPatches, StridesAndPadding) {
  for (const std::int64_t channels : {1, 2, 3, 4, 6}) {
    for (const std::int64_t stride : {1, 2, 3, 4}) {
      if (channels * stride * stride > 18) continue;  // too large a patch
      for (const std::int64_t pad : {0, 1, 4}) {
        for (const std::int64_t width : {37, 48}) {
          ConvProblem problem = conv2d(channels, 12, 21, width, 3, stride, pad);
          half_run(problem, FloatType::float16).expect_patches(Precision::float32);
        }
      }
    }
  }
}

TEST(CudaPatches, EveryActivation) {
  for (int a = 0; a <= static_cast<int>(Activation::prelu); ++a) {
    ConvRun run = half_run(conv2d(3, 16, 9, 9, 3, 2, 1), FloatType::float16);
    run.bias = run.residual = true;
    run.post_ops = {static_cast<Activation>(a), -0.25f, 0.75f};
    SCOPED_TRACE(testing::Message() << "activation " << a);
    run.expect_patches(Precision::float32);
  }
}

/// Padding of a run has weights of 0, and must not meet what lies there in a patch.
TEST(CudaPatches, NanAndInfinityPass) {
  for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
    for (const std::int64_t stride : {1, 2}) {
      ConvProblem problem = conv2d(3, 7, 12, 12, 3, stride, 1);
      problem.src_layout = layout;
      expect_patches(problem, [](ConvRun& run) {
        run.src()[100] = std::numeric_limits<float>::quiet_NaN();
        run.src()[run.src().size() - 1] = std::numeric_limits<float>::infinity();
      });
    }
  }
}

TEST(CudaPatches, OtherConvolutionsHaveNone) {
  const auto has_patches = [](ConvProblem problem, FloatType type = FloatType::float16,
                              Precision precision = Precision::float32, SrcLayout layout = SrcLayout::nhwc) {
    problem.src_layout = layout;
    return kernels::implicit_gemm(
               kernels::device_conv(completed(problem), kernels::Direction::forward, SrcLayout::nhwc, type),
               precision)
        .patches;
  };
  const ConvProblem resnet = conv2d(3, 64, 224, 224, 7, 2, 3), mobilenet = conv2d(3, 32, 224, 224, 3, 2, 1),
                    vgg = conv2d(3, 64, 224, 224, 3, 1, 1), cifar = conv2d(3, 16, 32, 32, 3, 1, 1);
  for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
    for (const ConvProblem& problem : {resnet, mobilenet, vgg, cifar}) {
      EXPECT_TRUE(has_patches(problem, FloatType::float16, Precision::float32, layout));
      EXPECT_TRUE(has_patches(problem, FloatType::float32, Precision::float16, layout));
      EXPECT_TRUE(has_patches(problem, FloatType::float32, Precision::tf32, layout));
      EXPECT_FALSE(has_patches(problem, FloatType::float32, Precision::float32, layout));
    }
  }
  EXPECT_FALSE(has_patches(conv2d(8, 64, 224, 224, 3, 2, 1)));   // whole chunks
  EXPECT_FALSE(has_patches(conv2d(3, 64, 224, 224, 11, 4, 2)));  // too large
}

/// tf32 of few channels: what a row of a filter sees is one run, as of 16-bit floats.
TEST(CudaTensorConvolution, TheFirstLayerOfImages) {
  for (const Precision precision : lower_precisions()) {
    for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
      ConvProblem problem = conv2d(3, 40, 12, 13, 7, 2, 3);
      problem.src_layout = layout;
      for (const GemmTile tile : tensor_tiles()) {
        ConvRun run(completed(problem));
        run.bias = true;
        run.expect_gemm(tile, 1, precision);
        run.expect_gemm(tile, 2, precision);
      }
    }
  }
}

TEST(CudaTensorTiles, FewRowsAreSplit) {
  kernels::ImplicitGemm gemm = kernels::implicit_gemm(
      kernels::device_conv(completed(conv2d(512, 512, 7, 7, 3, 1, 1)), kernels::Direction::forward,
                           SrcLayout::nhwc, FloatType::float16));
  const kernels::cuda::GemmGpu h200{132, std::size_t{227} << 10, 9, 0};
  const auto choices = kernels::tensor_choices(gemm, h200);
  ASSERT_EQ(choices.size(), std::size(kernels::cuda::kTensorTiles));
  for (const kernels::cuda::TensorChoice& choice : choices) {
    EXPECT_GT(choice.splits, 1);
    EXPECT_GE(choice.splits * choice.steps_per_split, gemm.steps);
  }
}

/// Rows that are gathered: 253 us with tiles of 64 rows, 524 us with 128. Patches gather nothing.
TEST(CudaTensorTiles, GatheredRowsHaveLowTiles) {
  const kernels::cuda::GemmGpu h200{132, std::size_t{227} << 10, 9, 0};
  ConvProblem problem = conv2d(3, 64, 224, 224, 3, 1, 1);
  problem.batch = 32;
  const kernels::ImplicitGemm gemm = kernels::implicit_gemm(kernels::device_conv(
      completed(problem), kernels::Direction::forward, SrcLayout::nhwc, FloatType::float16));
  const auto choices = kernels::tensor_choices(gemm, h200);
  const auto best = std::min_element(choices.begin(), choices.end(),
                                     [](const auto& a, const auto& b) { return a.clocks < b.clocks; });
  EXPECT_EQ(best->tile, GemmTile::tile_64x64);
  ASSERT_TRUE(gemm.patches);
  EXPECT_LT(kernels::patch_clocks(gemm, h200), best->clocks);
}

/// The tiles that took least time on an H200 at batch 32, or within 8 % of it.
TEST(CudaTensorTiles, OfAnH200) {
  const kernels::cuda::GemmGpu h200{132, std::size_t{227} << 10, 9, 0};
  const auto best = [&](std::int64_t rows, std::int64_t columns, std::int64_t depth, double row_reuse) {
    const kernels::cuda::TensorWork work{
        .rows = rows, .columns = columns, .steps = depth / 64, .row_reuse = row_reuse};
    return kernels::cuda::choose_tensor_tile(work, h200).tile;
  };
  EXPECT_EQ(best(4096, 3072, 768, 1), GemmTile::group_128x128);
  EXPECT_EQ(best(4096, 768, 3072, 1), GemmTile::group_64x128);
  EXPECT_EQ(best(128, 3072, 768, 1), GemmTile::group_64x64);
  // 3 x 3 filters of ResNet-50.
  EXPECT_EQ(best(100352, 64, 576, 9), GemmTile::group_128x64);
  EXPECT_EQ(best(25088, 128, 1152, 9), GemmTile::group_64x128);
  EXPECT_EQ(best(6272, 256, 2304, 9), GemmTile::group_128x128);
}

}  // namespace
}  // namespace mxinfer::test

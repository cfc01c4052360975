// Winograd's algorithm on a GPU: the kernels by themselves, and when plans choose them.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "cuda/products/conv_run.h"
#include "cuda/products/gemm_gpus.h"
#include "kernels/conv/implicit_gemm/implicit_gemm.h"

namespace mxinfer::test {
namespace {

using kernels::Activation;
using kernels::DeviceConv;
using kernels::DeviceWinograd;
using kernels::Direction;
using kernels::SrcLayout;
using kernels::cuda::GemmGpu;

constexpr GemmGpu kL4{58, std::size_t{99} << 10}, kH100{132, std::size_t{227} << 10};
constexpr int kTileOutputs[] = {4, 2};

ConvProblem conv3x3(std::int64_t channels, std::int64_t filters, std::int64_t height, std::int64_t width,
                    std::int64_t pad = 1, std::int64_t batch = 1) {
  ConvProblem problem = conv2d(channels, filters, height, width, 3, 1, pad);
  problem.batch = batch;
  return completed(problem);
}

TEST(CudaWinograd, ImagesOfEverySize) {
  for (const int outputs : kTileOutputs) {
    for (const std::int64_t height : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14}) {
      for (const std::int64_t width : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14}) {
        const std::int64_t odd = (height + width) % 2;
        ConvRun run(conv3x3(4 - odd, 8 - odd, height, width, 1, 1 + (height * width) % 3));
        run.bias = true;
        run.expect_winograd(outputs);
      }
    }
  }
}

TEST(CudaWinograd, EveryPadding) {
  for (const int outputs : kTileOutputs) {
    for (const std::int64_t pad_height : {0, 1, 2, 3}) {
      for (const std::int64_t pad_width : {0, 1, 2, 5}) {
        ConvProblem problem = conv3x3(4, 4, 6, 5, 0, 2);
        problem.pad = {0, pad_height, pad_width};
        for (const bool border : {false, true}) {
          ConvRun run(completed(problem));
          run.border = border;
          run.expect_winograd(outputs);
        }
      }
    }
  }
}

// As where there is more padding behind the image than in front of it.
TEST(CudaWinograd, OutputsThatReachFurtherBehindTheImage) {
  for (const int outputs : kTileOutputs) {
    for (const std::int64_t more : {1, 2, 4}) {
      ConvProblem problem = conv3x3(5, 6, 7, 8, 0, 2);
      problem.output[1] += more;
      problem.output[2] += 2 * more;
      ConvRun run(problem);
      run.border = true;
      run.expect_winograd(outputs);
    }
  }
}

TEST(CudaWinograd, ChannelsAndFiltersThatAreNoWholeVectorsAndTiles) {
  for (const int outputs : kTileOutputs) {
    for (const std::int64_t channels : {1, 3, 4, 63, 64, 65}) {
      for (const std::int64_t filters : {1, 3, 4, 63, 64, 65}) {
        ConvRun run(conv3x3(channels, filters, 6, 9, 1, 2));
        run.bias = run.residual = run.border = true;
        run.expect_winograd(outputs);
      }
    }
  }
}

TEST(CudaWinograd, EveryActivation) {
  for (int a = 0; a <= static_cast<int>(Activation::prelu); ++a) {
    for (const std::int64_t filters : {5, 8}) {
      for (const SrcLayout layout : {SrcLayout::nhwc, SrcLayout::nchw}) {
        ConvRun run(conv3x3(12, filters, 5, 7, 1, 2));
        run.bias = run.residual = true;
        run.dst_layout = layout;
        run.post_ops = {static_cast<Activation>(a), -0.25f, 0.75f};
        SCOPED_TRACE(testing::Message() << "activation " << a);
        run.expect_winograd(kTileOutputs[a % 2]);
      }
    }
  }
}

TEST(CudaWinograd, RowsThatLieApart) {
  for (const int outputs : kTileOutputs) {
    for (const std::int64_t gap : {1, 4}) {
      ConvRun run(conv3x3(8, 12, 7, 9, 1, 2));
      run.gap = gap;
      run.bias = true;
      run.post_ops = {Activation::tanh};
      run.expect_winograd(outputs);
    }
  }
}

TEST(CudaWinograd, AddressesThatAreNoMultipleOf16) {
  for (const int outputs : kTileOutputs) {
    ConvRun run(conv3x3(8, 8, 6, 6));
    run.shift = 1;
    run.bias = run.residual = true;
    run.expect_winograd(outputs);
  }
}

// Few tiles of many channels: the GEMM adds pieces of its depth behind the transformed values.
TEST(CudaWinograd, SumsInPieces) {
  for (const int outputs : kTileOutputs) {
    ConvRun run(conv3x3(512, 12, 9, 9));
    const DeviceWinograd winograd = device_winograd(run.sizes(), outputs, kA100);
    EXPECT_GT(winograd.gemm.splits, 1);
    run.expect_winograd(outputs);
  }
}

// Slices begin and end within images, and the last is shorter.
TEST(CudaWinograd, Slices) {
  for (const int outputs : kTileOutputs) {
    ConvRun run(conv3x3(8, 12, 9, 10, 1, 3));
    run.bias = run.residual = true;
    run.post_ops.activation = Activation::tanh;
    const std::size_t tile_bytes = outputs == 4 ? 36 * 20 * sizeof(float) : 16 * 20 * sizeof(float);
    for (const std::size_t tiles : {1, 5, 7, 26}) {
      const DeviceWinograd winograd = device_winograd(run.sizes(), outputs, kA100, tiles * tile_bytes);
      EXPECT_LT(winograd.slice, winograd.tiles());
      EXPECT_LE(winograd.slice, static_cast<std::int64_t>(tiles));
      run.expect_winograd(outputs, kA100, tiles * tile_bytes);
    }
  }
}

/// Whether an output at `at` is NaN if the input at `bad` is, along one dimension, with padding of 1: one at
/// an end of a tile's inputs reaches the output there alone, one between them all of the tile.
bool is_reached(std::int64_t at, std::int64_t bad, std::int64_t outputs) {
  const std::int64_t first = at / outputs * outputs, within = bad - (first - 1);
  if (within < 0 || within > outputs + 1) return false;
  if (within == 0) return at == first;
  if (within == outputs + 1) return at == first + outputs - 1;
  return true;
}

TEST(CudaWinograd, NanStaysInTheTilesThatReadIt) {
  constexpr std::int64_t kSide = 16, kFilters = 4;
  for (const std::int64_t outputs : kTileOutputs) {
    for (const std::int64_t bad_row : {0, 6, 7, 8, 15}) {
      for (const std::int64_t bad_column : {0, 9, 11, 12}) {
        ConvRun run(conv3x3(4, kFilters, kSide, kSide));
        run.right = run.expected();
        for (std::int64_t i = 0; i < kSide * kSide * kFilters; ++i) {
          const std::int64_t row = i / kFilters / kSide, column = i / kFilters % kSide;
          if (is_reached(row, bad_row, outputs) && is_reached(column, bad_column, outputs))
            run.right[static_cast<std::size_t>(i)] = std::numeric_limits<float>::quiet_NaN();
        }
        run.src()[static_cast<std::size_t>((bad_row * kSide + bad_column) * 4 + 2)] =
            std::numeric_limits<float>::quiet_NaN();
        run.expect_winograd(static_cast<int>(outputs));
      }
    }
  }
}

// ---- The choice.

DeviceConv sizes_of(const ConvProblem& problem, Direction direction = Direction::forward) {
  return kernels::device_conv(problem, direction, SrcLayout::nhwc);
}

TEST(CudaWinogradChoice, RejectsWhatItDoesNotCompute) {
  EXPECT_EQ(device_winograd_rejects(sizes_of(conv3x3(8, 8, 5, 5))), nullptr);
  const auto rejects = [](const ConvProblem& problem, Direction direction = Direction::forward) {
    return device_winograd_rejects(sizes_of(completed(problem), direction)) != nullptr;
  };
  EXPECT_TRUE(rejects(conv2d(8, 8, 9, 9, 1)));
  EXPECT_TRUE(rejects(conv2d(8, 8, 9, 9, 5)));
  EXPECT_TRUE(rejects(conv2d(8, 8, 9, 9, 3, 2, 1)));
  EXPECT_TRUE(rejects(conv2d(8, 8, 9, 9, 3), Direction::transposed));
  ConvProblem problem = conv2d(8, 8, 9, 9, 3);
  problem.dilate = {1, 2, 1};
  EXPECT_TRUE(rejects(problem));
  problem = conv2d(8, 8, 9, 9, 3);
  problem.groups = 2;
  EXPECT_TRUE(rejects(problem));
  problem = conv2d(8, 8, 9, 9, 3);
  problem.src_layout = SrcLayout::nchw;
  EXPECT_TRUE(rejects(problem));
  problem = conv2d(8, 8, 9, 9, 3);
  problem.input[0] = 2;
  EXPECT_TRUE(rejects(problem));
}

TEST(CudaWinogradChoice, ScratchMemoryIsBounded) {
  const DeviceConv sizes = sizes_of(conv3x3(128, 128, 112, 112, 1, 256));
  for (const int outputs : kTileOutputs) {
    const DeviceWinograd winograd = device_winograd(sizes, outputs, kA100);
    EXPECT_LE(winograd.scratch_bytes(), kernels::kMostWinogradScratch);
    EXPECT_GT(winograd.scratch_bytes(), kernels::kMostWinogradScratch / 2);
    EXPECT_EQ(winograd.slice % 128, 0);
  }
}

/// How long tiles of so many outputs take, as a part of the implicit GEMM's time.
double part_of_time(const ConvProblem& problem, int outputs, const GemmGpu& gpu, int major, int minor) {
  kernels::ImplicitGemm gemm = kernels::implicit_gemm(sizes_of(problem));
  kernels::choose_tiles(&gemm, gpu.multiprocessors);
  return estimated_products(device_winograd(sizes_of(problem), outputs, gpu), gpu.multiprocessors, major,
                            minor) /
         estimated_products(gemm, gpu.multiprocessors);
}

TEST(CudaWinogradChoice, PaysForManyChannelsAndPositions) {
  const ConvProblem large = conv3x3(256, 256, 56, 56, 1, 8);
  EXPECT_LT(part_of_time(large, 4, kT4, 7, 5), 0.6);
  EXPECT_LT(part_of_time(large, 4, kA100, 8, 0), 0.6);
  EXPECT_LT(part_of_time(large, 4, kL4, 8, 9), 1.0);
  EXPECT_LT(part_of_time(large, 4, kH100, 9, 0), 0.6);
  EXPECT_GT(part_of_time(large, 2, kH100, 9, 0), part_of_time(large, 4, kH100, 9, 0));
}

TEST(CudaWinogradChoice, DoesNotPayForFew) {
  EXPECT_GT(part_of_time(conv3x3(32, 32, 56, 56), 4, kH100, 9, 0), 1.0);
  EXPECT_GT(part_of_time(conv3x3(512, 512, 7, 7), 2, kH100, 9, 0), 1.0);
  // Little memory bandwidth for much arithmetic.
  EXPECT_GT(part_of_time(conv3x3(64, 64, 56, 56, 1, 32), 4, kL4, 8, 9), 1.0);
}

TEST(CudaWinogradChoice, SmallTilesForSmallImagesOfManyChannels) {
  const ConvProblem small = conv3x3(512, 512, 14, 14);
  EXPECT_LT(part_of_time(small, 2, kH100, 9, 0), 1.0);
  EXPECT_LT(part_of_time(small, 2, kH100, 9, 0), part_of_time(small, 4, kH100, 9, 0));
}

/// The step of a layer of 128 filters on 128 channels.
StepInfo step_of(bool weights_of_model, const plan::PlanOptions& options) {
  const Tensor data = random_tensor({1, 40, 40, 128}, 1), weight = random_tensor({128, 128, 3, 3}, 2);
  OnCudaOptions compared;
  if (weights_of_model) compared.parameters = {1};
  const OneOperator layer =
      one_operator("_mxinfer_convolution_nhwc",
                   {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "128"}, {"no_bias", "True"}},
                   {&data, &weight}, compared);
  std::vector<ops::TensorType> types;
  for (const Tensor* input : layer.inputs) types.push_back({input->dtype(), input->shape()});
  plan::WeightStore weights;
  const auto plan = plan::make_plan(layer.graph, types, options, weights);
  const auto& steps = plan->info.steps;
  return *std::find_if(steps.begin(), steps.end(), [](const StepInfo& step) { return step.node == "test"; });
}

bool is_implicit_gemm(const StepInfo& step) {
  return step.kernel.rfind("implicit_gemm_", 0) == 0 && step.device == "cuda:0";
}

TEST(CudaWinogradChoice, ComputedWeightsAreNotTransformed) {
  const StepInfo step = step_of(false, cuda_plan_options());
  EXPECT_TRUE(is_implicit_gemm(step)) << step.kernel;
  ASSERT_FALSE(step.rejected.empty());
  EXPECT_NE(step.rejected[0].reason.find("weights are computed"), std::string::npos);
}

TEST(CudaWinogradChoice, OnlyFloat32) {
  plan::PlanOptions options = cuda_plan_options();
  options.precision = kernels::Precision::float16;
  EXPECT_TRUE(is_implicit_gemm(step_of(true, options)));
}

TEST(CudaWinogradChoice, OptionsBoundTheMemoryOfWeights) {
  plan::PlanOptions options = cuda_plan_options();
  const auto& gpu = device::CudaDevice::open(0)->properties();
  if (gpu.major == 8 && gpu.minor > 0) GTEST_SKIP() << "little bandwidth for its arithmetic";
  EXPECT_EQ(step_of(true, options).kernel, "winograd_4x4_3x3_f32 [cuda:0]");
  options.max_winograd_bytes = 128 * 128 * 36 * sizeof(float);
  EXPECT_EQ(step_of(true, options).kernel, "winograd_4x4_3x3_f32 [cuda:0]");
  options.max_winograd_bytes = 0;
  const StepInfo step = step_of(true, options);
  EXPECT_TRUE(is_implicit_gemm(step)) << step.kernel;
  EXPECT_NE(step.reason.find("max_winograd_bytes"), std::string::npos) << step.reason;
}

}  // namespace
}  // namespace mxinfer::test

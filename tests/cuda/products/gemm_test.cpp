// The GEMM kernels by themselves, with each plan that they have, and the operators that are made of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <ostream>
#include <vector>

#include "cuda/device_values.h"
#include "cuda/products/gemm_gpus.h"
#include "cuda/support.h"
#include "kernels/gemm/gemm_cuda.h"
#include "support/run_op.h"

namespace mxinfer::test {
namespace {

namespace cuda = kernels::cuda;
using cuda::GemmKernel;
using kernels::Activation;

/// Values on the device and in the process.
class TestArray {
 public:
  TestArray(device::CudaDevice& device, std::size_t count, kernels::FloatType type)
      : host(count, std::numeric_limits<float>::quiet_NaN()),
        type_(type),
        bytes_(count * kernels::bytes_of(type)),
        memory_(device.allocate(std::max<std::size_t>(bytes_, 1))) {}
  void* data() const { return memory_->data(); }
  float* floats() const { return static_cast<float*>(data()); }
  void send(device::Stream& stream) const {
    if (host.empty()) return;
    const std::vector<std::byte> bytes = stored_bytes(host, type_);
    stream.copy_to_device(memory_->data(), bytes.data(), bytes_);
    stream.synchronize();
  }
  void fetch(device::Stream& stream) {
    std::vector<std::byte> bytes(bytes_);
    stream.copy_to_host(bytes.data(), memory_->data(), bytes_);
    stream.synchronize();
    host = floats_of_bytes(bytes, type_);
  }
  std::vector<float> host;

 private:
  kernels::FloatType type_;
  std::size_t bytes_;
  std::unique_ptr<device::Buffer> memory_;
};

struct Problem {
  GemmKernel kernel = GemmKernel::tile_64;
  kernels::GemmTile tile = kernels::GemmTile::tile_64x64;  ///< of tensor_tile
  kernels::FloatType type = kernels::FloatType::float32;
  std::int64_t rows = 1, columns = 1, depth = 1;
  bool a_rows = false, b_rows = false;  ///< whether rows lie innermost, instead of the depth
  std::int64_t pad = 0;                 ///< elements behind each innermost run
  std::int64_t outer = 1, inner = 1;
  int splits = 1;
  bool block_per_column = false, swapped = false;
  bool bias = false, residual = false;
  Activation activation = Activation::none;
  kernels::Precision precision = kernels::Precision::float32;
};

std::ostream& operator<<(std::ostream& os, const Problem& p) {
  return os << "kernel " << static_cast<int>(p.kernel) << ", tile " << kernels::size_of(p.tile) << ", type "
            << kernels::short_name(p.type) << ", " << p.rows << " x " << p.columns << " x " << p.depth
            << ", a_rows " << p.a_rows << ", b_rows " << p.b_rows << ", pad " << p.pad << ", matrices "
            << p.outer << " x " << p.inner << ", splits " << p.splits << ", block_per_column "
            << p.block_per_column << ", swapped " << p.swapped;
}

/// The strides of an operand of so many rows, and how many elements all its matrices take: inner matrices lie
/// behind all outer ones.
std::size_t lay_out(cuda::GemmSide& side, const Problem& p, std::int64_t rows, bool along_rows) {
  const std::int64_t run = (along_rows ? rows : p.depth) + p.pad;
  side.row = along_rows ? 1 : run;
  side.depth = along_rows ? run : 1;
  const std::int64_t matrix = (along_rows ? p.depth : rows) * run;
  side.outer = matrix;
  side.inner = p.outer * matrix;
  return static_cast<std::size_t>(p.outer * p.inner * matrix);
}

std::int64_t ceil_of(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

class GemmRun {
 public:
  explicit GemmRun(const Problem& p)
      : problem_(p), device_(device::CudaDevice::open(0)), stream_(device_->new_stream()) {
    args_.rows = p.rows;
    args_.columns = p.columns;
    args_.depth = p.depth;
    args_.outer = p.outer;
    args_.inner = p.inner;
    args_.scale = 0.5f;
    args_.residual_scale = 2.0f;
    args_.post_ops.activation = p.activation;
    args_.post_ops.alpha = -1.0f;
    args_.post_ops.beta = 1.5f;
    args_.precision = p.precision;
    args_.type = p.type;
    a_ = filled(lay_out(args_.a, p, p.rows, p.a_rows), 1);
    b_ = filled(lay_out(args_.b, p, p.columns, p.b_rows), 2);
    args_.dst_row = p.columns + p.pad;
    args_.dst_outer = p.rows * args_.dst_row;
    args_.dst_inner = p.outer * args_.dst_outer;
    const auto elements = static_cast<std::size_t>(p.outer * p.inner * args_.dst_outer);
    dst_ = std::make_unique<TestArray>(*device_, elements, p.type);
    if (p.bias) bias_ = filled(static_cast<std::size_t>(p.columns), 3, kernels::FloatType::float32);
    if (p.residual) residual_ = filled(elements, 4);
    args_.a.data = a_->data();
    args_.b.data = b_->data();
    args_.dst = dst_->data();
    if (bias_) args_.bias = bias_->floats();
    if (residual_) args_.residual = residual_->data();
  }

  cuda::GemmPlan plan() const {
    cuda::GemmPlan plan;
    plan.kernel = problem_.kernel;
    plan.tile = problem_.tile;
    plan.swapped = problem_.swapped;
    plan.block_per_column = problem_.block_per_column;
    plan.split_depth = ceil_of(ceil_of(std::max<std::int64_t>(1, problem_.depth), problem_.splits), 32) * 32;
    plan.splits = static_cast<int>(ceil_of(std::max<std::int64_t>(1, problem_.depth), plan.split_depth));
    plan.scratch_bytes =
        static_cast<std::size_t>(plan.splits * args_.matrices() * args_.rows * args_.columns) * sizeof(float);
    return plan;
  }

  cuda::GemmPlan chosen(int multiprocessors) const {
    return cuda::plan_gemm(args_, {multiprocessors, kT4.shared_bytes});
  }

  void run(const cuda::GemmPlan& plan) {
    const TestArray scratch(*device_, plan.scratch_bytes / sizeof(float), kernels::FloatType::float32);
    dst_->host.assign(dst_->host.size(), kUntouched);
    for (const auto* floats : {a_.get(), b_.get(), bias_.get(), residual_.get(), dst_.get()})
      if (floats != nullptr) floats->send(*stream_);
    const auto& stream = static_cast<const device::CudaStream&>(*stream_).native();
    device_->check(device_->kernels().gemm(args_, plan, scratch.floats(), stream), "gemm");
    dst_->fetch(*stream_);
  }

  /// Rows of a: an infinity, the NaN that a GPU makes, neither; b is positive.
  void expect_special_values() {
    for (float& value : b_->host) value = std::abs(value) + 0.5f;
    a_->host[1] = std::numeric_limits<float>::infinity();
    const std::uint32_t bits = 0x7fffffff;
    std::memcpy(&a_->host[static_cast<std::size_t>(args_.a.row)], &bits, sizeof bits);
    run(plan());
    for (std::int64_t j = 0; j < args_.columns; ++j) {
      EXPECT_EQ(dst_->host[dst_at(0, 0, 0, j)], std::numeric_limits<float>::infinity());
      EXPECT_TRUE(std::isnan(dst_->host[dst_at(0, 0, 1, j)]));
      EXPECT_TRUE(std::isfinite(dst_->host[dst_at(0, 0, 2, j)]));
    }
  }

  void expect_right(double tolerance) const {
    double most = 0, largest = 1;
    std::size_t next = 0;
    for (std::int64_t o = 0; o < args_.outer; ++o) {
      for (std::int64_t n = 0; n < args_.inner; ++n) {
        for (std::int64_t i = 0; i < args_.rows; ++i) {
          for (std::int64_t j = 0; j < args_.columns; ++j) {
            if (next == expected_.size()) expected_.push_back(element(o, n, i, j));
            const double expected = expected_[next++];
            const double actual = dst_->host[dst_at(o, n, i, j)];
            largest = std::max(largest, std::abs(expected));
            most = std::isnan(actual) ? std::numeric_limits<double>::infinity()
                                      : std::max(most, std::abs(actual - expected));
          }
          for (std::int64_t j = args_.columns; j < args_.dst_row; ++j)
            ASSERT_EQ(dst_->host[dst_at(o, n, i, j)], kUntouched) << "behind row " << i;
        }
      }
    }
    EXPECT_LE(most / largest, tolerance);
  }

 private:
  static constexpr float kUntouched = -12288.0f;  // in every type

  std::unique_ptr<TestArray> filled(std::size_t count, unsigned seed) {
    return filled(count, seed, problem_.type);
  }
  std::unique_ptr<TestArray> filled(std::size_t count, unsigned seed, kernels::FloatType type) {
    auto array = std::make_unique<TestArray>(*device_, count, type);
    const Tensor values = random_tensor(Shape{static_cast<std::int64_t>(count)}, seed);
    array->host = rounded_to({values.data<float>(), values.data<float>() + count}, type);
    return array;
  }

  std::size_t dst_at(std::int64_t o, std::int64_t n, std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(o * args_.dst_outer + n * args_.dst_inner + i * args_.dst_row + j);
  }
  static double at(const TestArray& floats, const cuda::GemmSide& side, std::int64_t o, std::int64_t n,
                   std::int64_t row, std::int64_t k) {
    return floats
        .host[static_cast<std::size_t>(o * side.outer + n * side.inner + row * side.row + k * side.depth)];
  }

  double element(std::int64_t o, std::int64_t n, std::int64_t i, std::int64_t j) const {
    double sum = 0;
    for (std::int64_t k = 0; k < args_.depth; ++k)
      sum += at(*a_, args_.a, o, n, i, k) * at(*b_, args_.b, o, n, j, k);
    sum *= args_.scale;
    if (bias_) sum += bias_->host[static_cast<std::size_t>(j)];
    if (residual_) sum += args_.residual_scale * residual_->host[dst_at(o, n, i, j)];
    return kernels::activate(args_.post_ops, sum);
  }

  Problem problem_;
  std::shared_ptr<device::CudaDevice> device_;
  std::unique_ptr<device::Stream> stream_;
  cuda::GemmArgs args_;
  std::unique_ptr<TestArray> a_, b_, bias_, residual_, dst_;
  mutable std::vector<double> expected_;  ///< as far as it was asked for
};

void expect_product(const Problem& problem, double tolerance = 2e-6) {
  SCOPED_TRACE(::testing::Message() << problem);
  GemmRun run(problem);
  for_each_schedule([&] {
    run.run(run.plan());
    run.expect_right(tolerance);
  });
}

/// A tile's sizes, one less and one more; depths of one stage, of several, and of more than the pipeline has.
std::vector<Problem> sizes_of(GemmKernel kernel, std::int64_t rows, std::int64_t columns) {
  std::vector<Problem> problems;
  const std::int64_t sizes[][3] = {{1, 1, 1},
                                   {rows, columns, 8},
                                   {rows - 1, columns + 1, 7},
                                   {rows + 1, columns - 1, 17},
                                   {rows + 3, columns + 5, 100}};
  for (const auto& size : sizes) {
    Problem p;
    p.kernel = kernel;
    p.rows = size[0];
    p.columns = size[1];
    p.depth = size[2];
    problems.push_back(p);
  }
  return problems;
}

struct TileSizes {
  GemmKernel kernel;
  std::int64_t rows, columns;
};
constexpr TileSizes kTileSizes[] = {
    {GemmKernel::tile_32, 32, 64}, {GemmKernel::tile_64, 64, 64}, {GemmKernel::tile_128, 128, 128}};

TEST(CudaGemm, TilesOfOperandsThatLieAnyWay) {
  for (const TileSizes& tile : kTileSizes) {
    for (Problem p : sizes_of(tile.kernel, tile.rows, tile.columns)) {
      for (int lie = 0; lie < 4; ++lie) {
        p.a_rows = lie % 2 != 0;
        p.b_rows = lie / 2 != 0;
        p.pad = lie == 3 ? 3 : 0;
        expect_product(p);
      }
    }
  }
}

TEST(CudaGemm, TilesReadWholeVectorsWhereTheyMay) {
  for (const TileSizes& tile : kTileSizes) {
    Problem p;
    p.kernel = tile.kernel;
    p.a_rows = p.b_rows = true;
    p.pad = 2;
    for (const std::int64_t more : {-2, 2, 6}) {  // all strides are multiples of 4
      p.rows = tile.rows + more;
      p.columns = tile.columns + more;
      p.depth = 36;
      expect_product(p);
    }
  }
}

TEST(CudaGemm, PiecesOfTheDepthAreAddedUp) {
  for (const TileSizes& tile : kTileSizes) {
    Problem p;
    p.kernel = tile.kernel;
    p.rows = tile.rows + 2;
    p.columns = 9;
    p.depth = 333;
    p.splits = 4;
    p.inner = 2;
    p.bias = p.residual = true;
    p.activation = Activation::relu;
    expect_product(p);
    p.activation = Activation::tanh;
    expect_product(p);
  }
}

TEST(CudaGemm, StacksOfTwoLevels) {
  for (const TileSizes& tile : kTileSizes) {
    Problem p;
    p.kernel = tile.kernel;
    p.rows = 7;
    p.columns = 11;
    p.depth = 19;
    p.outer = 3;
    p.inner = 2;
    p.pad = 1;
    p.b_rows = true;
    expect_product(p);
  }
}

TEST(CudaGemm, WhatFollowsASum) {
  for (const Activation activation :
       {Activation::relu, Activation::clip, Activation::leaky, Activation::sigmoid, Activation::gelu_erf}) {
    for (const GemmKernel kernel : {GemmKernel::tile_64, GemmKernel::vector_depth, GemmKernel::vector_rows}) {
      Problem p;
      p.kernel = kernel;
      p.rows = 3;
      p.columns = 70;
      p.depth = 20;
      p.pad = 1;
      p.bias = p.residual = true;
      p.activation = activation;
      expect_product(p);
    }
  }
}

TEST(CudaGemm, NoDepthLeavesWhatIsAdded) {
  for (const GemmKernel kernel : {GemmKernel::tile_32, GemmKernel::tile_64, GemmKernel::tile_128,
                                  GemmKernel::vector_depth, GemmKernel::vector_rows}) {
    Problem p;
    p.kernel = kernel;
    p.rows = 2;
    p.columns = 5;
    p.depth = 0;
    p.pad = 1;
    p.bias = true;
    expect_product(p);
  }
}

TEST(CudaGemm, VectorsWithAMatrix) {
  for (std::int64_t rows = 1; rows <= 4; ++rows) {
    for (const std::int64_t depth : {1, 31, 128, 133, 1100}) {
      for (const std::int64_t pad : {0, 1}) {
        Problem p;
        p.rows = rows;
        p.columns = 37;
        p.depth = depth;
        p.pad = pad;
        p.bias = true;
        p.kernel = GemmKernel::vector_depth;
        expect_product(p);
        p.block_per_column = true;
        expect_product(p);
        p.block_per_column = false;
        p.kernel = GemmKernel::vector_rows;
        p.b_rows = true;
        expect_product(p);
        p.splits = 3;
        expect_product(p);
      }
    }
  }
}

TEST(CudaGemm, AMatrixWithVectors) {
  for (const bool a_rows : {false, true}) {
    Problem p;
    p.kernel = a_rows ? GemmKernel::vector_rows : GemmKernel::vector_depth;
    p.swapped = true;
    p.rows = 45;
    p.columns = 3;
    p.depth = 70;
    p.outer = 2;
    p.a_rows = a_rows;
    p.bias = p.residual = true;
    p.pad = 2;
    expect_product(p);
  }
}

/// Rounding errors of operands are far below those of a wrong fragment, which are near 1.
TEST(CudaGemm, TensorTilesOfEachPrecision) {
  for (const kernels::Precision precision : lower_precisions()) {
    const double tolerance = rounding_tolerance(precision);
    for (Problem p : sizes_of(GemmKernel::tensor_tile, 128, 128)) {
      p.precision = precision;
      for (int lie = 0; lie < 4; ++lie) {
        p.a_rows = lie % 2 != 0;
        p.b_rows = lie / 2 != 0;
        p.pad = lie == 2 ? 3 : 0;
        expect_product(p, tolerance);
      }
      p.inner = 2;
      p.splits = 3;
      p.bias = p.residual = true;
      p.activation = Activation::tanh;
      expect_product(p, tolerance);
    }
  }
}

TEST(CudaGemm, TensorTilesKeepInfinitiesAndNan) {
  for (const kernels::Precision precision : lower_precisions()) {
    Problem p;
    p.kernel = GemmKernel::tensor_tile;
    p.precision = precision;
    p.rows = 3;
    p.columns = 2;
    p.depth = 5;
    GemmRun run(p);
    run.expect_special_values();
  }
}

/// The tiles by tensor instructions that cuda:0 has.
std::vector<cuda::TensorTile> tensor_tiles_of_device() {
  const cuda::GemmGpu gpu = gpu_of_tests();
  std::vector<cuda::TensorTile> tiles;
  for (const cuda::TensorTile& tile : cuda::kTensorTiles) {
    if (cuda::holds_tensor_tile(tile, gpu)) tiles.push_back(tile);
  }
  return tiles;
}

/// What is stored is rounded; products of 16-bit floats are exact in float32, those of tf32 are of rounded
/// ones.
double type_tolerance(kernels::FloatType type) {
  return type == kernels::FloatType::float32 ? rounding_tolerance(kernels::Precision::tf32)
                                             : 2e-6 + storing_error(type);
}

/// 16-bit floats and, where there are instructions for it, float32 as tf32.
std::vector<kernels::FloatType> tensor_types() {
  std::vector<kernels::FloatType> types = half_types();
  if (device::CudaDevice::open(0)->has_precision(kernels::Precision::tf32))
    types.push_back(kernels::FloatType::float32);
  return types;
}

/// Whether the kernels have the tile for operands that lie so.
bool has_tile(kernels::FloatType type, kernels::GemmTile tile, bool a_rows, bool b_rows) {
  if (tile == kernels::GemmTile::tile_128x128 && type == kernels::FloatType::float32) return false;
  if (a_rows) return tile == kernels::GemmTile::tile_64x64;
  return !b_rows || tile == kernels::GemmTile::tile_64x64 || tile == kernels::GemmTile::tile_64x128;
}

Problem tensor_problem(kernels::FloatType type, const cuda::TensorTile& tile) {
  Problem p;
  p.kernel = GemmKernel::tensor_tile;
  p.tile = tile.tile;
  p.type = type;
  if (type == kernels::FloatType::float32) p.precision = kernels::Precision::tf32;
  return p;
}

TEST(CudaGemm, TensorTilesOfOperandsAsTheyLie) {
  for (const kernels::FloatType type : tensor_types()) {
    const std::int64_t seven_steps = type == kernels::FloatType::float32 ? 200 : 392;
    for (const cuda::TensorTile& tile : tensor_tiles_of_device()) {
      // Depths of one step, of several, and of more than there are stages; what is no multiple of 16 bytes.
      const std::int64_t sizes[][3] = {{1, 1, 1},
                                       {tile.rows - 1, tile.columns + 8, 72},
                                       {tile.rows + 8, tile.columns - 3, seven_steps},
                                       {9, tile.columns + 5, 333}};
      for (int lie = 0; lie < 4; ++lie) {
        Problem p = tensor_problem(type, tile);
        p.a_rows = lie % 2 != 0;
        p.b_rows = lie / 2 != 0;
        if (!has_tile(type, tile.tile, p.a_rows, p.b_rows)) continue;
        for (const auto& size : sizes) {
          p.rows = size[0], p.columns = size[1], p.depth = size[2];
          p.bias = p.residual = size[2] > 64;
          p.activation = size[2] == seven_steps ? Activation::gelu_erf : Activation::relu;
          p.splits = size[2] == 333 ? 3 : 1;
          p.inner = size[2] == 333 ? 2 : 1;
          expect_product(p, type_tolerance(type));
        }
      }
    }
  }
}

/// Runs of whole vectors with something behind them, as the heads of one projection have.
TEST(CudaGemm, TensorTilesOfRowsThatLieApart) {
  for (const kernels::FloatType type : tensor_types()) {
    for (int lie = 0; lie < 4; ++lie) {
      for (const std::int64_t pad : {3, 8}) {
        Problem p = tensor_problem(type, cuda::tensor_tile(kernels::GemmTile::tile_64x64));
        p.rows = 72, p.columns = 40, p.depth = 136;
        p.outer = 2, p.inner = 3;
        p.a_rows = lie % 2 != 0;
        p.b_rows = lie / 2 != 0;
        p.pad = pad;
        expect_product(p, type_tolerance(type));
      }
    }
  }
}

TEST(CudaGemm, VectorsOfHalvesWithAMatrix) {
  for (const kernels::FloatType type : half_types()) {
    for (std::int64_t rows = 1; rows <= 4; ++rows) {
      for (const std::int64_t depth : {1, 31, 128, 133, 1100}) {
        Problem p;
        p.type = type;
        p.rows = rows;
        p.columns = 37;
        p.depth = depth;
        p.bias = p.residual = true;
        p.activation = Activation::sigmoid;
        p.kernel = GemmKernel::vector_depth;
        p.block_per_column = rows % 2 == 0;
        expect_product(p, type_tolerance(type));
        p.kernel = GemmKernel::vector_rows;
        p.b_rows = true;
        p.splits = static_cast<int>(rows);
        expect_product(p, type_tolerance(type));
      }
    }
  }
}

TEST(CudaGemm, TensorTilesOfHalvesKeepInfinitiesAndNan) {
  for (const kernels::FloatType type : half_types()) {
    Problem p = tensor_problem(type, cuda::tensor_tile(kernels::GemmTile::tile_64x32));
    p.rows = 3;
    p.columns = 2;
    p.depth = 5;
    GemmRun run(p);
    run.expect_special_values();
  }
}

/// The kernels that plan_gemm() chooses, whatever they are.
TEST(CudaGemm, PlansOfAllSizes) {
  const std::int64_t sizes[][3] = {{1, 10, 2000}, {4, 100, 64},   {5, 5, 5},      {300, 3, 40},
                                   {40, 30, 900}, {130, 257, 65}, {256, 256, 256}};
  for (const auto& size : sizes) {
    for (int lie = 0; lie < 4; ++lie) {
      Problem p;
      p.rows = size[0];
      p.columns = size[1];
      p.depth = size[2];
      p.a_rows = lie % 2 != 0;
      p.b_rows = lie / 2 != 0;
      SCOPED_TRACE(::testing::Message() << p);
      GemmRun run(p);
      for (const int multiprocessors : {1, 40, 132}) {
        run.run(run.chosen(multiprocessors));
        run.expect_right(2e-6);
      }
    }
  }
}

TEST(CudaGemmPlan, SplitsLongDepthsOfFewTiles) {
  cuda::GemmArgs args;
  args.rows = 49;
  args.columns = 512;
  args.depth = args.a.row = args.b.row = 4608;
  const cuda::GemmPlan few = cuda::plan_gemm(args, kA100);
  EXPECT_GT(few.splits, 4);
  EXPECT_EQ(few.scratch_bytes, static_cast<std::size_t>(few.splits) * 49 * 512 * sizeof(float));
  EXPECT_GE(few.split_depth * few.splits, args.depth);
  args.rows = args.columns = 16384;
  const cuda::GemmPlan many = cuda::plan_gemm(args, kA100);
  EXPECT_EQ(many.kernel, GemmKernel::tile_128);
  EXPECT_EQ(many.splits, 1);
  EXPECT_EQ(many.scratch_bytes, 0u);
}

// Tiles of 64 start more often, which several of them on a multiprocessor hide; so many it must have room
// for.
TEST(CudaGemmPlan, CountsTheBlocksThatAMultiprocessorHolds) {
  cuda::GemmArgs args;
  args.rows = args.columns = 2048;
  args.depth = args.a.row = args.b.row = 64;
  EXPECT_EQ(cuda::plan_gemm(args, kA100).kernel, GemmKernel::tile_64);
  EXPECT_EQ(cuda::plan_gemm(args, {kA100.multiprocessors, kT4.shared_bytes}).kernel, GemmKernel::tile_128);
}

TEST(CudaGemmPlan, OneVectorIsNotATile) {
  cuda::GemmArgs args;
  args.rows = 1;
  args.columns = 1000;
  args.depth = args.a.row = args.b.row = 512;
  EXPECT_EQ(cuda::plan_gemm(args, kA100).kernel, GemmKernel::vector_depth);
  args.b.row = 1;
  args.b.depth = 1000;
  EXPECT_EQ(cuda::plan_gemm(args, kA100).kernel, GemmKernel::vector_rows);
}

// ---- Operators.

TEST(CudaProducts, FullyConnected) {
  for (const std::int64_t rows : {1, 5, 66}) {
    const Tensor data = random_tensor({rows, 3, 11}, 1), weight = random_tensor({70, 33}, 2);
    const Tensor bias = random_tensor({70}, 3), residual = random_tensor({rows, 70}, 4);
    expect_as_on_cpu("FullyConnected", {{"num_hidden", "70"}}, {&data, &weight, &bias},
                     {.parameters = {1, 2}});
    expect_as_on_cpu("FullyConnected", {{"num_hidden", "70"}, {"no_bias", "True"}}, {&data, &weight});
    OnCudaOptions fused{.parameters = {1, 2}};
    fused.post_ops.activation = Activation::relu;
    fused.post_ops.residual = true;
    expect_as_on_cpu("FullyConnected", {{"num_hidden", "70"}}, {&data, &weight, &bias, &residual}, fused);
    fused.post_ops.activation = Activation::gelu_erf;
    expect_as_on_cpu("FullyConnected", {{"num_hidden", "70"}}, {&data, &weight, &bias, &residual}, fused);
  }
}

TEST(CudaProducts, FullyConnectedThatDoesNotFlatten) {
  const Tensor data = random_tensor({2, 3, 11}, 1), weight = random_tensor({7, 11}, 2),
               bias = random_tensor({7}, 3);
  expect_as_on_cpu("FullyConnected", {{"num_hidden", "7"}, {"flatten", "False"}}, {&data, &weight, &bias},
                   {.parameters = {1, 2}});
}

/// lhs and rhs of a stack whose product is rows x columns.
void expect_dots(const std::string& op, const Shape& stack, std::int64_t rows, std::int64_t columns,
                 std::int64_t depth) {
  for (int lie = 0; lie < 4; ++lie) {
    const bool ta = lie % 2 != 0, tb = lie / 2 != 0;
    Shape l = stack, r = stack;
    l.push_back(ta ? depth : rows);
    l.push_back(ta ? rows : depth);
    r.push_back(tb ? columns : depth);
    r.push_back(tb ? depth : columns);
    const Tensor lhs = random_tensor(l, 1), rhs = random_tensor(r, 2);
    expect_as_on_cpu(op, {{"transpose_a", ta ? "True" : "False"}, {"transpose_b", tb ? "True" : "False"}},
                     {&lhs, &rhs});
  }
}

TEST(CudaProducts, Dot) {
  expect_dots("dot", {}, 1, 40, 70);
  expect_dots("dot", {}, 33, 3, 70);
  expect_dots("dot", {}, 35, 67, 300);
  const Tensor vector = random_tensor({30}, 3), other = random_tensor({30}, 4);
  expect_as_on_cpu("dot", {}, {&vector, &other});
  const Tensor lhs = random_tensor({3, 4, 30}, 5), rhs = random_tensor({30, 2, 5}, 6);
  expect_as_on_cpu("dot", {}, {&lhs, &rhs});
}

TEST(CudaProducts, BatchDot) {
  expect_dots("batch_dot", {3}, 1, 9, 20);
  expect_dots("batch_dot", {5}, 17, 33, 12);
  expect_dots("batch_dot", {2, 3}, 6, 5, 7);
}

TEST(CudaProducts, NumpyMatmulBroadcasts) {
  for (const std::int64_t rows : {1, 7, 40}) {
    const Tensor a = random_tensor({2, 3, rows, 33}, 1), b = random_tensor({2, 3, 33, 20}, 2),
                 one = random_tensor({2, 1, 33, 20}, 3), matrix = random_tensor({33, 20}, 4),
                 left = random_tensor({rows, 33}, 5), vector = random_tensor({33}, 6);
    for (const Tensor* right : {&b, &one, &matrix, &vector}) expect_as_on_cpu("_npi_matmul", {}, {&a, right});
    expect_as_on_cpu("_npi_matmul", {}, {&left, &b});
    expect_as_on_cpu("_npi_matmul", {}, {&a, &matrix}, {.parameters = {1}});
  }
}

TEST(CudaProducts, EinsumReadsAndWritesWhereElementsLie) {
  const Tensor q = random_tensor({2, 9, 3, 16}, 1), k = random_tensor({2, 11, 3, 16}, 2),
               weights = random_tensor({2, 3, 9, 11}, 3);
  const auto einsum = [](const char* subscripts) {
    return std::map<std::string, std::string>{{"num_args", "2"}, {"subscripts", subscripts}};
  };
  expect_as_on_cpu("_npi_einsum", einsum("bqhd,bkhd->bhqk"), {&q, &k});
  expect_as_on_cpu("_npi_einsum", einsum("bqhd,bkhd->bhkq"), {&q, &k});
  expect_as_on_cpu("_npi_einsum", einsum("bhqk,bkhd->bqhd"), {&weights, &k});
}

TEST(CudaProducts, LinalgGemm) {
  for (int lie = 0; lie < 4; ++lie) {
    const bool ta = lie % 2 != 0, tb = lie / 2 != 0;
    const Tensor a = random_tensor(ta ? Shape{2, 9, 6} : Shape{2, 6, 9}, 1);
    const Tensor b = random_tensor(tb ? Shape{2, 8, 9} : Shape{2, 9, 8}, 2), c = random_tensor({2, 6, 8}, 3);
    std::map<std::string, std::string> attrs{
        {"transpose_a", ta ? "True" : "False"}, {"transpose_b", tb ? "True" : "False"}, {"alpha", "0.5"}};
    expect_as_on_cpu("_linalg_gemm2", attrs, {&a, &b});
    attrs["beta"] = "3";
    expect_as_on_cpu("_linalg_gemm", attrs, {&a, &b, &c});
  }
}

TEST(CudaProducts, LinalgGemmOfRowsAlongAnotherAxis) {
  const Tensor a = random_tensor({2, 5, 3, 7}, 1), b = random_tensor({2, 7, 3, 6}, 2);
  expect_as_on_cpu("_linalg_gemm2", {{"axis", "1"}}, {&a, &b});
}

TEST(CudaProducts, LinalgGemmWithoutBetaDoesNotReadC) {
  const Tensor a = random_tensor({4, 3}, 1), b = random_tensor({3, 5}, 2);
  Tensor c = random_tensor({4, 5}, 3);
  c.data<float>()[2] = std::numeric_limits<float>::quiet_NaN();
  expect_as_on_cpu("_linalg_gemm", {{"beta", "0"}}, {&a, &b, &c});
}

TEST(CudaProducts, LinalgSyrk) {
  const Tensor a = random_tensor({2, 5, 9}, 1);
  for (const char* transpose : {"False", "True"})
    expect_as_on_cpu("_linalg_syrk", {{"transpose", transpose}, {"alpha", "2"}}, {&a});
}

TEST(CudaAttention, OfOneProjection) {
  const Tensor qkv = random_tensor({13, 2, 3 * 4 * 10}, 1), attention = random_tensor({8, 13, 13}, 2);
  expect_as_on_cpu("_contrib_interleaved_matmul_selfatt_qk", {{"heads", "4"}}, {&qkv});
  expect_as_on_cpu("_contrib_interleaved_matmul_selfatt_valatt", {{"heads", "4"}}, {&qkv, &attention});
}

TEST(CudaAttention, OfTwoProjections) {
  for (const std::int64_t queries : {1, 9}) {
    const Tensor q = random_tensor({queries, 2, 4 * 10}, 1), kv = random_tensor({17, 2, 2 * 4 * 10}, 2);
    const Tensor attention = random_tensor({8, queries, 17}, 3);
    expect_as_on_cpu("_contrib_interleaved_matmul_encdec_qk", {{"heads", "4"}}, {&q, &kv});
    expect_as_on_cpu("_contrib_interleaved_matmul_encdec_valatt", {{"heads", "4"}}, {&kv, &attention});
  }
}

}  // namespace
}  // namespace mxinfer::test

// The kernels of gemm_nt against the reference, with sizes around every block size.
#include "kernels/gemm/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "support/run_op.h"

namespace mxinfer {
namespace {

using kernels::GemmNtArgs;
using kernels::GemmNtKernel;
using kernels::Target;

std::vector<float> run_gemm(const GemmNtKernel<float>& kernel, GemmNtArgs<float> args,
                            bool backwards = false) {
  std::vector<float> dst(static_cast<std::size_t>(args.rows * args.columns), NAN);
  args.dst = dst.data();
  const std::int64_t tasks = kernel.tasks(args);
  if (!backwards) {
    kernel.run(args, 0, tasks);
  } else {
    for (std::int64_t t = tasks - 1; t >= 0; --t) kernel.run(args, t, t + 1);
  }
  return dst;
}

void check_gemm(std::int64_t rows, std::int64_t columns, std::int64_t depth, bool fused,
                kernels::PostOps post_ops = {}) {
  const Tensor a = test::random_tensor({rows, depth}, 1), b = test::random_tensor({columns, depth}, 2);
  const Tensor bias = test::random_tensor({columns}, 3), residual = test::random_tensor({rows, columns}, 4);
  GemmNtArgs<float> args;
  args.rows = rows;
  args.columns = columns;
  args.depth = depth;
  args.post_ops = post_ops;
  args.a = a.data<float>();
  args.b = b.data<float>();
  if (fused) {
    args.bias = bias.data<float>();
    args.residual = residual.data<float>();
  }
  const auto expected = run_gemm(kernels::gemm_nt_ref<float>(), args);
  // Partial sums of products of numbers in [-1, 1) grow to sqrt(depth) / 3, each addition errs by half an
  // epsilon of one, and the errors add up like a random walk: epsilon * depth / 8 or so. Four times that
  // covers its tail.
  const double tolerance = 1e-6 + 6e-8 * static_cast<double>(depth);
  for (Target target : test::targets()) {
    SCOPED_TRACE(::testing::Message()
                 << rows << " x " << columns << " x " << depth << " on " << to_string(target));
    const GemmNtKernel<float>& kernel = kernels::select_gemm_nt(target);
    const auto out = run_gemm(kernel, args);
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], tolerance) << "at " << i;
    const auto again = run_gemm(kernel, args, true);
    EXPECT_EQ(std::memcmp(out.data(), again.data(), out.size() * sizeof(float)), 0);
    // Each row alone gives the same bits.
    GemmNtArgs<float> one = args;
    one.rows = 1;
    for (std::int64_t i = 0; i < rows; ++i) {
      one.a = args.a + i * depth;
      if (fused) one.residual = args.residual + i * columns;
      const auto row = run_gemm(kernel, one);
      ASSERT_EQ(std::memcmp(row.data(), out.data() + i * columns, row.size() * sizeof(float)), 0)
          << "row " << i;
    }
  }
}

TEST(GemmNt, IsExactAroundEveryBlockSize) {
  for (std::int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 13, 95, 96, 97}) check_gemm(rows, 10, 37, rows % 2 == 0);
  for (std::int64_t columns : {1, 2, 3, 7, 8, 9, 23, 24, 25, 47, 49, 100})
    check_gemm(5, columns, 50, columns % 2 == 0);
  for (std::int64_t depth : {0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 63, 65, 1023, 1024, 1025, 2048, 3000}) {
    check_gemm(1, 11, depth, true);
    check_gemm(10, 11, depth, false);
  }
  check_gemm(3, 700, 200, true);
}

/// Copies a dense matrix into one with `step` elements from row to row, NaN between them.
std::vector<float> spread(const Tensor& matrix, std::int64_t step) {
  const std::int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  std::vector<float> strided(static_cast<std::size_t>(rows * step), NAN);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::copy_n(matrix.data<float>() + i * columns, columns, strided.data() + i * step);
  }
  return strided;
}

TEST(GemmNt, MatricesInsideOfWiderOnesGiveTheSameBits) {
  const Tensor a = test::random_tensor({13, 37}, 1), b = test::random_tensor({50, 37}, 2);
  const std::vector<float> wide_a = spread(a, 41), wide_b = spread(b, 90);
  for (Target target : test::targets()) {
    const GemmNtKernel<float>& kernel = kernels::select_gemm_nt(target);
    GemmNtArgs<float> args;
    args.rows = 13;
    args.columns = 50;
    args.depth = 37;
    args.scale = 0.5f;
    args.a = a.data<float>();
    args.b = b.data<float>();
    const std::vector<float> expected = run_gemm(kernel, args);
    args.a = wide_a.data();
    args.b = wide_b.data();
    args.a_stride = 41;
    args.b_stride = 90;
    args.dst_stride = 64;
    std::vector<float> dst(13 * 64, 7.0f);
    args.dst = dst.data();
    kernel.run(args, 0, kernel.tasks(args));
    for (std::size_t i = 0; i < dst.size(); ++i) {
      const float here = i % 64 < 50 ? expected[i / 64 * 50 + i % 64] : 7.0f;
      ASSERT_EQ(dst[i], here) << "at " << i << " on " << to_string(target);
    }
    args.scale = 1.0f;
    kernel.run(args, 0, kernel.tasks(args));
    EXPECT_EQ(0.5f * dst[0], expected[0]) << "the scale on " << to_string(target);
  }
}

TEST(GemmNt, EveryActivationFollowsBiasAndResidual) {
  for (int activation = 0; activation <= static_cast<int>(kernels::Activation::swish); ++activation) {
    check_gemm(3, 21, 40, true, {static_cast<kernels::Activation>(activation), -0.25f, 0.5f});
  }
}

// float64 against the reference within its own rounding, on strided matrices, across the borders of its
// tasks.
TEST(GemmNt, Float64AgreesWithTheReference) {
  const std::int64_t sizes[][3] = {{1, 1, 1},      {3, 5, 0},     {1, 300, 70},
                                   {129, 257, 33}, {300, 2, 500}, {0, 4, 4}};
  for (const auto& [rows, columns, depth] : sizes) {
    const std::int64_t a_step = depth + 3, b_step = depth + 1;
    std::vector<double> a(static_cast<std::size_t>(rows * a_step)),
        b(static_cast<std::size_t>(columns * b_step));
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<double>(i));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(static_cast<double>(i));
    const std::vector<double> bias(static_cast<std::size_t>(columns), 0.25),
        residual(static_cast<std::size_t>(rows * columns), -0.5);
    GemmNtArgs<double> args;
    args.rows = rows;
    args.columns = columns;
    args.depth = depth;
    args.a_stride = a_step;
    args.b_stride = b_step;
    args.scale = 0.5;
    args.a = a.data();
    args.b = b.data();
    for (const bool fused : {false, true}) {
      if (fused) {
        args.bias = bias.data();
        args.residual = residual.data();
        args.post_ops.activation = kernels::Activation::relu;
      }
      std::vector<double> expected(static_cast<std::size_t>(rows * columns), NAN), out = expected;
      args.dst = expected.data();
      kernels::gemm_nt_ref<double>().run(args, 0, kernels::gemm_nt_ref<double>().tasks(args));
      args.dst = out.data();
      kernels::gemm_nt_f64().run(args, 0, kernels::gemm_nt_f64().tasks(args));
      for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], 1e-12) << "at " << i;
    }
  }
}

TEST(GemmNt, TheNameSaysWhichRowRuns) {
  EXPECT_STREQ(kernels::select_gemm_nt(Target::ref).name, "gemm_nt_ref_f32");
  EXPECT_STREQ(kernels::select_gemm_nt(Target::baseline).name, "gemm_nt_dot_f32");
}

}  // namespace
}  // namespace mxinfer

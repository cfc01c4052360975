// The kernels of gemm_packed against the formula, with sizes around every block size.
#include "kernels/gemm/gemm_packed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "support/run_op.h"

namespace mxinfer {
namespace {

using kernels::GemmPackedArgs;
using kernels::GemmPackedKernel;
using kernels::Target;

struct Gemm {
  std::int64_t rows, columns, depth;
  bool transposed = true;
  bool fused = false;
  float scale = 1.0f;
  kernels::PostOps post_ops{};
  /// Padding between the rows of every matrix, in elements.
  std::int64_t gap = 0;
};

/// The operands of a GEMM, all strided.
struct Operands {
  explicit Operands(const Gemm& p)
      : a(test::random_tensor({p.rows, p.depth + p.gap}, 1)),
        b(p.transposed ? test::random_tensor({p.columns, p.depth + p.gap}, 2)
                       : test::random_tensor({p.depth, p.columns + p.gap}, 2)),
        bias(test::random_tensor({p.columns}, 3)),
        row_bias(test::random_tensor({p.rows}, 5)),
        residual(test::random_tensor({p.rows, p.columns + p.gap}, 4)) {}
  Tensor a, b, bias, row_bias, residual;
};

std::vector<float> panels_of(const GemmPackedKernel& kernel, const Gemm& p, const Operands& operands) {
  std::vector<float> panels(static_cast<std::size_t>(kernel.panel_elements(p.columns, p.depth)), NAN);
  kernels::PackPanelsArgs pack;
  pack.columns = p.columns;
  pack.depth = p.depth;
  pack.transposed = p.transposed;
  pack.stride = (p.transposed ? p.depth : p.columns) + p.gap;
  pack.scale = p.scale;
  pack.b = operands.b.data<float>();
  pack.dst = panels.data();
  kernel.pack(pack, 0, kernel.panels(p.columns));
  return panels;
}

GemmPackedArgs args_of(const Gemm& p, const Operands& operands) {
  GemmPackedArgs args;
  args.rows = p.rows;
  args.columns = p.columns;
  args.depth = p.depth;
  args.a_stride = p.depth + p.gap;
  args.dst_stride = args.residual_stride = p.columns + p.gap;
  args.post_ops = p.post_ops;
  args.a = operands.a.data<float>();
  if (p.fused) {
    args.bias = operands.bias.data<float>();
    args.row_bias = operands.row_bias.data<float>();
    args.residual = operands.residual.data<float>();
  }
  return args;
}

std::vector<float> run_packed(const GemmPackedKernel& kernel, GemmPackedArgs args, bool backwards = false) {
  std::vector<float> dst(static_cast<std::size_t>(args.rows * args.dst_stride), 7.0f);
  args.dst = dst.data();
  const std::int64_t tasks = kernel.tasks(args);
  if (!backwards) {
    kernel.run(args, 0, tasks);
  } else {
    for (std::int64_t t = tasks - 1; t >= 0; --t) kernel.run(args, t, t + 1);
  }
  return dst;
}

/// The GEMM by its formula.
std::vector<float> expected_of(const Gemm& p, const Operands& operands) {
  std::vector<float> dst(static_cast<std::size_t>(p.rows * (p.columns + p.gap)), 7.0f);
  const std::int64_t a_stride = p.depth + p.gap, columns = p.columns + p.gap;
  for (std::int64_t i = 0; i < p.rows; ++i) {
    for (std::int64_t j = 0; j < p.columns; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < p.depth; ++k) {
        const double b = operands.b.data<float>()[p.transposed ? j * a_stride + k : k * columns + j];
        sum += static_cast<double>(operands.a.data<float>()[i * a_stride + k]) * b * p.scale;
      }
      if (p.fused) {
        sum += operands.bias.data<float>()[j] + operands.row_bias.data<float>()[i] +
               operands.residual.data<float>()[i * columns + j];
      }
      dst[static_cast<std::size_t>(i * columns + j)] = activate(p.post_ops, static_cast<float>(sum));
    }
  }
  return dst;
}

/// Bitwise; memcmp does not take the null address of an empty array.
bool same_bits(const float* a, const float* b, std::size_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(float)) == 0;
}

void check_packed(const Gemm& p) {
  const Operands operands(p);
  const std::vector<float> expected = expected_of(p, operands);
  // As in the test of gemm_nt: four times what a random walk of rounding errors gives.
  const double tolerance = 1e-6 + 6e-8 * static_cast<double>(p.depth);
  for (Target target : test::targets()) {
    SCOPED_TRACE(::testing::Message()
                 << p.rows << " x " << p.columns << " x " << p.depth << " on " << to_string(target));
    const GemmPackedKernel& kernel = kernels::select_gemm_packed(target);
    const std::vector<float> panels = panels_of(kernel, p, operands);
    GemmPackedArgs args = args_of(p, operands);
    args.panels = panels.data();
    const auto out = run_packed(kernel, args);
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], tolerance) << "at " << i;
    const auto again = run_packed(kernel, args, true);
    EXPECT_TRUE(same_bits(out.data(), again.data(), out.size()));
    // Each row alone gives the same bits.
    GemmPackedArgs one = args;
    one.rows = 1;
    for (std::int64_t i = 0; i < p.rows; ++i) {
      one.a = args.a + i * args.a_stride;
      if (p.fused) {
        one.row_bias = args.row_bias + i;
        one.residual = args.residual + i * args.residual_stride;
      }
      const auto row = run_packed(kernel, one);
      ASSERT_TRUE(same_bits(row.data(), out.data() + i * args.dst_stride, row.size())) << "row " << i;
    }
  }
}

TEST(GemmPacked, IsExactAroundEveryBlockSize) {
  for (std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 95, 96, 97, 193})
    check_packed({rows, 18, 37, rows % 2 == 0, rows % 3 == 0});
  for (std::int64_t columns : {1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 33, 63, 64, 65, 100})
    check_packed({7, columns, 50, columns % 2 == 0, columns % 3 == 0});
  for (std::int64_t depth : {1, 2, 15, 16, 17, 383, 384, 385, 768, 769, 1023, 1024, 1025, 2049}) {
    check_packed({1, 19, depth, true, true});
    check_packed({13, 35, depth, false, false});
  }
  check_packed({40, 700, 200, true, true});
}

TEST(GemmPacked, AnEmptySumLeavesBiasAndResidual) {
  check_packed({3, 20, 0, true, true});
  check_packed({3, 20, 0, true, false});
  check_packed({0, 20, 5, true, false});
}

TEST(GemmPacked, ReadsAndWritesMatricesInsideOfWiderOnes) {
  for (bool transposed : {false, true}) {
    Gemm p{13, 50, 37, transposed, true};
    p.gap = 5;
    p.scale = 0.5f;
    check_packed(p);
  }
}

TEST(GemmPacked, EveryActivationFollowsBiasAndResidual) {
  for (int activation = 0; activation <= static_cast<int>(kernels::Activation::swish); ++activation) {
    check_packed({7, 21, 40, true, true, 1.0f, {static_cast<kernels::Activation>(activation), -0.25f, 0.5f}});
  }
}

TEST(GemmPacked, TheNameSaysWhichRowRuns) {
  EXPECT_STREQ(kernels::select_gemm_packed(Target::ref).name, "gemm_packed_ref_f32");
  EXPECT_STREQ(kernels::select_gemm_packed(Target::baseline).name, "gemm_packed_f32");
}

TEST(GemmPacked, TasksChangeNoResult) {
  const Gemm p{193, 700, 401};
  const Operands operands(p);
  for (Target target : test::targets()) {
    const GemmPackedKernel& kernel = kernels::select_gemm_packed(target);
    const std::vector<float> panels = panels_of(kernel, p, operands);
    GemmPackedArgs few = args_of(p, operands), many = few;
    few.panels = many.panels = panels.data();
    few.task_hint = 1;
    many.task_hint = 1000;
    if (target != Target::ref) {
      EXPECT_LT(kernel.tasks(few), kernel.tasks(many));
    }
    const auto out = run_packed(kernel, few), again = run_packed(kernel, many, true);
    EXPECT_TRUE(same_bits(out.data(), again.data(), out.size())) << to_string(target);
  }
}

}  // namespace
}  // namespace mxinfer

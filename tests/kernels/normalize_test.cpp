// The vector kernels of normalisation against the reference, for rows of every length around the vector
// widths.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/normalize/lrn.h"
#include "kernels/normalize/row_norm.h"
#include "support/run_op.h"

namespace mxinfer::kernels {
namespace {

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max<double>(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(RowNorm, EveryLength) {
  for (std::int64_t length = 1; length <= 100; ++length) {
    const Tensor src = test::random_tensor({6, length}, 1, 4, 6);
    const Tensor gamma = test::random_tensor({length + 3}, 2), beta = test::random_tensor({length + 3}, 3);
    for (bool element_affine : {true, false}) {
      RowNormArgs<float> args;
      args.length = length;
      args.eps = 1e-3;
      args.element_affine = element_affine;
      args.groups = 3;
      args.gamma = gamma.data<float>();
      args.beta = beta.data<float>();
      args.src = src.data<float>();
      std::vector<float> expected(static_cast<std::size_t>(6 * length)), actual(expected.size());
      args.dst = expected.data();
      row_norm_ref(args, 0, 6);
      args.dst = actual.data();
      for (Target target : test::targets()) {
        const RowNormFn<float> run = select_row_norm_f32(target);
        run(args, 2, 6);
        run(args, 0, 2);
        // Values up to 6 are centred to below 1 and divided by 0.03 at least: 6 * 2^-24 * 30.
        EXPECT_LE(largest_difference(actual, expected), 1.2e-5) << length << to_string(target);
      }
    }
  }
}

TEST(Lrn, EveryWidthAndPower) {
  for (std::int64_t inner = 1; inner <= 35; ++inner) {
    for (float beta : {0.75f, 0.5f, 1.0f, 0.0f}) {
      const Tensor src = test::random_tensor({2, 4, inner}, 1, -3, 3);
      LrnArgs args;
      args.channels = 4;
      args.inner = inner;
      args.size = 3;
      args.alpha = 0.3f;
      args.beta = beta;
      args.knorm = 1.5f;
      args.src = src.data<float>();
      std::vector<float> expected(static_cast<std::size_t>(8 * inner)), actual(expected.size());
      args.dst = expected.data();
      lrn_ref(args, 0, 8);
      args.dst = actual.data();
      for (Target target : test::targets()) {
        select_lrn_f32(target)(args, 0, 8);
        EXPECT_LE(largest_difference(actual, expected), 2e-6) << inner << to_string(target);
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer::kernels

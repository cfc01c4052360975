// dot, batch_dot and the products of attention: every target against the reference, at any thread count, and
// which kernel ran.
#include <gtest/gtest.h>

#include <cstring>

#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::run_op;
using test::RunOpOptions;
using Attributes = std::map<std::string, std::string>;

/// Eight rows or more are worth packing the right side for.
void check(const std::string& op, const Attributes& attrs, const std::vector<const Tensor*>& inputs,
           std::int64_t rows, std::vector<std::size_t> parameters = {}) {
  const auto expected = run_op(op, attrs, inputs, RunOpOptions{.target = kernels::Target::ref});
  for (auto target : test::targets()) {
    SCOPED_TRACE(::testing::Message() << op << ", " << rows << " rows, on " << to_string(target));
    std::string kernel;
    RunOpOptions options{.target = target, .parameters = parameters, .kernel = &kernel};
    const auto one = run_op(op, attrs, inputs, options);
    EXPECT_LE(test::relative_difference(one[0], expected[0]), 1e-5);
    const std::string row = target == kernels::Target::ref ? "gemm_nt_ref_f32"
                            : rows < 8                     ? "gemm_nt_dot_f32"
                                                           : "gemm_packed_f32";
    EXPECT_EQ(kernel, row + " [" + to_string(target) + "]");
    for (int threads : {2, 5}) {
      options.threads = threads;
      const auto many = run_op(op, attrs, inputs, options);
      EXPECT_EQ(std::memcmp(many[0].raw(), one[0].raw(), one[0].bytes()), 0);
    }
  }
}

const char* flag(bool value) {
  return value ? "True" : "False";
}

TEST(Products, BatchDotInEveryForm) {
  for (std::int64_t rows : {1, 7, 8, 50}) {
    for (bool left : {false, true}) {
      for (bool right : {false, true}) {
        const Tensor a = test::random_tensor(left ? Shape{3, 19, rows} : Shape{3, rows, 19}, 1);
        const Tensor b = test::random_tensor(right ? Shape{3, 37, 19} : Shape{3, 19, 37}, 2);
        const Attributes attrs{{"transpose_a", flag(left)}, {"transpose_b", flag(right)}};
        check("batch_dot", attrs, {&a, &b}, rows);
        check("batch_dot", attrs, {&a, &b}, rows, {1});
      }
    }
  }
}

TEST(Products, DotSumsOverInnerDimensions) {
  for (bool left : {false, true}) {
    for (bool right : {false, true}) {
      const Tensor a = test::random_tensor(left ? Shape{40, 3, 50} : Shape{3, 50, 40}, 1);
      const Tensor b = test::random_tensor(right ? Shape{7, 30, 40} : Shape{40, 7, 30}, 2);
      const Attributes attrs{{"transpose_a", flag(left)}, {"transpose_b", flag(right)}};
      check("dot", attrs, {&a, &b}, 150);
      check("dot", attrs, {&a, &b}, 150, {1});
    }
  }
}

TEST(Products, OfAttentionReadHeadsWhereTheyLie) {
  constexpr std::int64_t kBatch = 2, kHeads = 3, kHeadDim = 20;
  const Attributes attrs{{"heads", "3"}};
  for (std::int64_t length : {1, 7, 8, 33, 150}) {
    const Tensor projected = test::random_tensor({length, kBatch, kHeads * 3 * kHeadDim}, 1);
    const Tensor attention = test::random_tensor({kBatch * kHeads, length, length}, 2, 0.0f, 1.0f);
    check("_contrib_interleaved_matmul_selfatt_qk", attrs, {&projected}, length);
    check("_contrib_interleaved_matmul_selfatt_valatt", attrs, {&projected, &attention}, length);
    const Tensor queries = test::random_tensor({length, kBatch, kHeads * kHeadDim}, 3);
    const Tensor keys_values = test::random_tensor({45, kBatch, kHeads * 2 * kHeadDim}, 4);
    const Tensor across = test::random_tensor({kBatch * kHeads, length, 45}, 5, 0.0f, 1.0f);
    check("_contrib_interleaved_matmul_encdec_qk", attrs, {&queries, &keys_values}, length);
    check("_contrib_interleaved_matmul_encdec_valatt", attrs, {&keys_values, &across}, length);
  }
}

}  // namespace
}  // namespace mxinfer

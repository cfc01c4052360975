// NumPy's products: the kernels of dot and batch_dot, on every target, at any thread count; messages.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <cstring>

#include "base/fail.h"
#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::run_op;
using test::RunOpOptions;
using Attributes = std::map<std::string, std::string>;

/// The product is that of another operator, by the same kernel, to the bit with any number of threads.
void expect_same(const std::string& op, const Attributes& attrs, const std::string& other,
                 const Attributes& other_attrs, const std::vector<const Tensor*>& inputs,
                 const std::vector<std::size_t>& parameters) {
  for (const auto target : test::targets()) {
    SCOPED_TRACE(concat(op, " on ", to_string(target), ", ", parameters.size(), " parameters"));
    std::string kernel, expected_kernel;
    RunOpOptions options{.target = target, .parameters = parameters, .kernel = &expected_kernel};
    const auto expected = run_op(other, other_attrs, inputs, options);
    options.kernel = &kernel;
    const auto actual = run_op(op, attrs, inputs, options);
    EXPECT_EQ(kernel, expected_kernel);
    EXPECT_EQ(actual[0].shape(), expected[0].shape());
    EXPECT_LE(test::relative_difference(actual[0], expected[0]), 1e-6);
    for (const int threads : {2, 5}) {
      options.threads = threads;
      const auto threaded = run_op(op, attrs, inputs, options);
      EXPECT_EQ(std::memcmp(threaded[0].raw(), actual[0].raw(), actual[0].bytes()), 0);
    }
  }
}

TEST(NumpyProducts, MatmulOfStacksIsBatchDot) {
  for (const std::int64_t rows : {1, 7, 8, 50}) {
    const Tensor a = test::random_tensor({2, 3, rows, 19}, 1), b = test::random_tensor({2, 3, 19, 37}, 2);
    expect_same("_npi_matmul", {}, "batch_dot", {}, {&a, &b}, {});
    expect_same("_npi_matmul", {}, "batch_dot", {}, {&a, &b}, {1});
    const Attributes einsum{{"num_args", "2"}, {"subscripts", "abij,abjk->abik"}};
    expect_same("_npi_einsum", einsum, "batch_dot", {}, {&a, &b}, {1});
  }
}

TEST(NumpyProducts, MatmulWithAMatrixIsOneProductOfAllRows) {
  for (const std::int64_t rows : {1, 2, 25}) {
    const Tensor a = test::random_tensor({2, rows, 19}, 1), b = test::random_tensor({19, 37}, 2);
    expect_same("_npi_matmul", {}, "dot", {}, {&a, &b}, {});
    expect_same("_npi_matmul", {}, "dot", {}, {&a, &b}, {1});
    expect_same("_np_dot", {}, "dot", {}, {&a, &b}, {1});
    expect_same("_npi_tensordot_int_axes", {{"axes", "1"}}, "dot", {}, {&a, &b}, {1});
  }
}

TEST(NumpyProducts, ScoresOfAttentionAreReadWhereTheyLie) {
  const Tensor q = test::random_tensor({2, 9, 3, 16}, 1), k = test::random_tensor({2, 11, 3, 16}, 2);
  std::string kernel;
  RunOpOptions options{.target = kernels::Target::avx2, .kernel = &kernel};
  const Attributes attrs{{"num_args", "2"}, {"subscripts", "bqhd,bkhd->bhqk"}};
  const auto actual = run_op("_npi_einsum", attrs, {&q, &k}, options);
  const auto expected = run_op("_npi_einsum", attrs, {&q, &k}, {.target = kernels::Target::ref});
  EXPECT_LE(test::relative_difference(actual[0], expected[0]), 1e-5);
  EXPECT_EQ(kernel.rfind("gemm_packed_f32", 0), 0u) << kernel;
}

TEST(NumpyProducts, SayWhatDoesNotFit) {
  const Tensor a = test::random_tensor({2, 3}, 1), b = test::random_tensor({4, 5}, 2),
               scalar = test::random_tensor({}, 3);
  EXPECT_MXINFER_ERROR(run_op("_npi_matmul", {}, {&a, &b}), ErrorCode::invalid_argument,
                       {"(2, 3) and (4, 5) do not multiply", "3 elements meet 4"});
  EXPECT_MXINFER_ERROR(run_op("_npi_matmul", {}, {&a, &scalar}), ErrorCode::invalid_argument, {"no scalars"});
  EXPECT_MXINFER_ERROR(
      run_op("_npi_tensordot", {{"a_axes_summed", "(0, 1)"}, {"b_axes_summed", "(0,)"}}, {&a, &b}),
      ErrorCode::invalid_argument, {"lists 2 axes, b_axes_summed 1"});
  EXPECT_MXINFER_ERROR(
      run_op("_npi_tensordot", {{"a_axes_summed", "(0, 0)"}, {"b_axes_summed", "(0, 1)"}}, {&a, &b}),
      ErrorCode::invalid_argument, {"twice"});
  EXPECT_MXINFER_ERROR(run_op("_npi_tensordot_int_axes", {{"axes", "3"}}, {&a, &b}),
                       ErrorCode::invalid_argument, {"axes=3", "at most 2 axes"});
}

TEST(Einsum, SaysWhatIsWrongWithSubscripts) {
  const Tensor a = test::random_tensor({2, 3}, 1);
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"ijk", "3 labels"},       {"i", "1 labels"},          {"ij,jk", "names 2 arrays"},
      {"ij->k", "no input has"}, {"ij->ii", "twice"},        {"i1", "unexpected '1'"},
      {"i.j", "unexpected '.'"}, {"...->", "lacks the ..."}, {"......", "unexpected"},
      {"ii", "stands for"}};
  for (const auto& [subscripts, message] : wrong) {
    EXPECT_MXINFER_ERROR(run_op("_npi_einsum", {{"num_args", "1"}, {"subscripts", subscripts}}, {&a}),
                         ErrorCode::invalid_argument, {message});
  }
}

}  // namespace
}  // namespace mxinfer

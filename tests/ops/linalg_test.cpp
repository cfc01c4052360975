// What the recorded cases cannot say about _linalg_*: what is refused, and matrices larger than a file of
// cases should hold.
#include <gtest/gtest.h>
#include <mxinfer/error.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <string>

#include "op_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;
using test::expect_op_error;

// Two matrices of which the second one is the trouble.
Tensor pair_with(std::initializer_list<double> second) {
  Tensor pair(DType::float64, {2, 2, 2});
  pair.data<double>()[0] = pair.data<double>()[3] = 1;
  double* out = pair.data<double>() + 4;
  for (double value : second) *out++ = value;
  return pair;
}

TEST(Linalg, SaysWhichMatrixIsRefused) {
  const Tensor indefinite = pair_with({1, 2, 2, 1}), singular = pair_with({1, 1, 1, 1}),
               no_factor = pair_with({4, 0, 2, 0});
  expect_op_error("_linalg_potrf", {}, {&indefinite}, ErrorCode::invalid_argument,
                  "matrix 1 of 2 is not positive definite");
  expect_op_error("_linalg_inverse", {}, {&singular}, ErrorCode::invalid_argument,
                  "matrix 1 of 2 is singular");
  expect_op_error("_linalg_potri", {}, {&no_factor}, ErrorCode::invalid_argument, "not a Cholesky factor");
}

TEST(Linalg, RefusesWhatIsNoMatrix) {
  const Tensor wide = test::random_tensor({2, 3}, 1), tall = test::random_tensor({3, 2}, 1),
               row = test::random_tensor({4}, 1);
  expect_op_error("_linalg_det", {}, {&wide}, ErrorCode::invalid_argument, "square");
  expect_op_error("_linalg_syevd", {}, {&row}, ErrorCode::invalid_argument, "square");
  expect_op_error("_linalg_gelqf", {}, {&tall}, ErrorCode::invalid_argument, "as many columns as rows");
  expect_op_error("_linalg_maketrian", {}, {&row}, ErrorCode::invalid_argument, "last dimension");
  expect_op_error("_linalg_gemm2", {}, {&wide, &wide}, ErrorCode::invalid_argument, "do not multiply");
  expect_op_error("_linalg_gemm2", {{"axis", "-1"}}, {&wide, &wide}, ErrorCode::invalid_argument,
                  "not a row axis");
  const Tensor square = test::random_tensor({3, 3}, 1);
  expect_op_error("_linalg_extractdiag", {{"offset", "3"}}, {&square}, ErrorCode::invalid_argument,
                  "outside");
  expect_op_error("_linalg_makediag", {{"offset", "9223372036854775807"}}, {&square},
                  ErrorCode::invalid_argument, "outside");
  expect_op_error("_linalg_trmm", {}, {&square, &wide}, ErrorCode::invalid_argument, "rightside=False");
}

TEST(Linalg, EigenvectorsMakeTheMatrixAgain) {
  constexpr std::int64_t kSize = 40;
  Tensor a = test::random_tensor({kSize, kSize}, 5);
  float* m = a.data<float>();
  for (std::int64_t i = 0; i < kSize; ++i) {
    for (std::int64_t j = 0; j < i; ++j) m[j * kSize + i] = m[i * kSize + j];
  }
  const auto out = test::run_op("_linalg_syevd", {}, {&a});
  const float *u = out[0].data<float>(), *values = out[1].data<float>();
  for (std::int64_t i = 0; i + 1 < kSize; ++i) EXPECT_LE(values[i], values[i + 1]);
  for (std::int64_t i = 0; i < kSize; ++i) {
    for (std::int64_t j = 0; j < kSize; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < kSize; ++k)
        sum += static_cast<double>(u[k * kSize + i]) * values[k] * u[k * kSize + j];
      ASSERT_NEAR(sum, m[i * kSize + j], 1e-5) << i << ", " << j;  // float32 vectors, 40 summands
    }
  }
}

// One parameter is both sides of the product: as it is stored, and transposed.
TEST(Linalg, TheSquareOfAParameter) {
  const Tensor a = test::random_tensor({2, 5, 3}, 6);
  for (const char* transpose : {"False", "True"}) {
    test::GraphBuilder b;
    b.head(b.op("_linalg_syrk", {{"transpose", transpose}}, {b.parameter("a", a.clone())}));
    const auto out = test::run_graph(b.graph(), {});
    const auto expected = test::run_op("_linalg_syrk", {{"transpose", transpose}}, {&a});
    EXPECT_EQ(test::relative_difference(out[0].view(), expected[0].view()), 0) << transpose;
  }
}

// The sums of a pair of elements may be rounded differently, and come out as one number all the same.
TEST(Linalg, SquaresAreSymmetric) {
  constexpr std::int64_t kSize = 130;
  Tensor a(DType::float64, {2, kSize, 37});
  for (std::int64_t i = 0; i < 2 * kSize * 37; ++i)
    a.data<double>()[i] = std::sin(static_cast<double>(i * i));
  const auto out = test::run_op("_linalg_syrk", {}, {&a});
  for (std::int64_t m = 0; m < 2; ++m) {
    const double* square = out[0].data<double>() + m * kSize * kSize;
    for (std::int64_t i = 0; i < kSize; ++i) {
      for (std::int64_t j = 0; j < i; ++j) ASSERT_EQ(square[i * kSize + j], square[j * kSize + i]);
    }
  }
}

// LAPACK and BLAS count in 32 bits.
TEST(Linalg, RefusesSizesThatLapackCannotCount) {
  const Tensor square(DType::float64, {0, 1 << 25, 1 << 25}), eigen(DType::float32, {0, 40000, 40000}),
      row(DType::float32, {0, 1, std::int64_t{1} << 32});
  for (const char* op :
       {"_linalg_potrf", "_linalg_potri", "_linalg_inverse", "_linalg_det", "_linalg_slogdet"})
    expect_op_error(op, {}, {&square}, ErrorCode::unsupported, "too large");
  expect_op_error("_linalg_trsm", {}, {&square, &square}, ErrorCode::unsupported, "too large");
  expect_op_error("_linalg_syevd", {}, {&eigen}, ErrorCode::unsupported, "at most 32766 rows");
  expect_op_error("_linalg_gelqf", {}, {&row}, ErrorCode::unsupported, "too large");
}

TEST(Linalg, NoMatricesAndEmptyMatrices) {
  for (const Shape& shape : {Shape{0, 3, 3}, Shape{2, 0, 0}}) {
    const Tensor a(DType::float32, shape);
    for (const char* op :
         {"_linalg_potrf", "_linalg_potri", "_linalg_inverse", "_linalg_gelqf", "_linalg_syevd"})
      EXPECT_EQ(test::run_op(op, {}, {&a})[0].shape(), shape) << op;
    EXPECT_EQ(test::run_op("_linalg_trsm", {}, {&a, &a})[0].shape(), shape);
  }
  const Tensor empty(DType::float64, {2, 0, 0});
  EXPECT_EQ(test::run_op("_linalg_det", {}, {&empty})[0].data<double>()[1], 1);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which need address space themselves
// OpenBLAS would ask for its memory again and again.
TEST(Linalg, RefusedAddressSpaceIsAnError) {
  const Tensor a = test::tensor_of<double>({1, 1}, {4});
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + (64 << 20));
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  expect_op_error("_linalg_potrf", {}, {&a}, ErrorCode::out_of_memory, "OpenBLAS");
  expect_op_error("dot", {}, {&a, &a}, ErrorCode::out_of_memory, "OpenBLAS");
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(test::run_op("_linalg_potrf", {}, {&a})[0].data<double>()[0], 2);
}
#endif

TEST(Linalg, NotANumberGivesNoNumbers) {
  const Tensor a = test::tensor_of<double>({2, 2}, {NAN, 1, 1, 2});
  const auto out = test::run_op("_linalg_syevd", {}, {&a});
  EXPECT_TRUE(std::isnan(out[0].data<double>()[0]));
  EXPECT_TRUE(std::isnan(out[1].data<double>()[0]));
}

}  // namespace
}  // namespace mxinfer

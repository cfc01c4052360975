// What the recorded cases cannot say about _linalg_*: what is refused, and matrices larger than a file of
// cases should hold.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <cmath>
#include <string>

#include "support/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Attributes = std::map<std::string, std::string>;

void expect_error(const std::string& op, const Attributes& attrs, const std::vector<const Tensor*>& inputs,
                  ErrorCode code, const std::string& part) {
  try {
    test::run_op(op, attrs, inputs);
    ADD_FAILURE() << op << " threw nothing";
  } catch (const Error& e) {
    EXPECT_STREQ(to_string(e.code()), to_string(code)) << e.what();
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

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
  expect_error("_linalg_potrf", {}, {&indefinite}, ErrorCode::invalid_argument,
               "matrix 1 of 2 is not positive definite");
  expect_error("_linalg_inverse", {}, {&singular}, ErrorCode::invalid_argument, "matrix 1 of 2 is singular");
  expect_error("_linalg_potri", {}, {&no_factor}, ErrorCode::invalid_argument, "no Cholesky factor");
}

TEST(Linalg, RefusesWhatIsNoMatrix) {
  const Tensor wide = test::random_tensor({2, 3}, 1), tall = test::random_tensor({3, 2}, 1),
               row = test::random_tensor({4}, 1);
  expect_error("_linalg_det", {}, {&wide}, ErrorCode::invalid_argument, "square");
  expect_error("_linalg_syevd", {}, {&row}, ErrorCode::invalid_argument, "square");
  expect_error("_linalg_gelqf", {}, {&tall}, ErrorCode::invalid_argument, "as many columns as rows");
  expect_error("_linalg_maketrian", {}, {&row}, ErrorCode::invalid_argument, "last dimension");
  expect_error("_linalg_gemm2", {}, {&wide, &wide}, ErrorCode::invalid_argument, "do not multiply");
  expect_error("_linalg_gemm2", {{"axis", "-1"}}, {&wide, &wide}, ErrorCode::invalid_argument, "no row axis");
  const Tensor square = test::random_tensor({3, 3}, 1);
  expect_error("_linalg_extractdiag", {{"offset", "3"}}, {&square}, ErrorCode::invalid_argument, "outside");
  expect_error("_linalg_makediag", {{"offset", "9223372036854775807"}}, {&square},
               ErrorCode::invalid_argument, "outside");
  expect_error("_linalg_trmm", {}, {&square, &wide}, ErrorCode::invalid_argument, "rightside=False");
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

TEST(Linalg, NotANumberGivesNoNumbers) {
  const Tensor a = test::tensor_of<double>({2, 2}, {NAN, 1, 1, 2});
  const auto out = test::run_op("_linalg_syevd", {}, {&a});
  EXPECT_TRUE(std::isnan(out[0].data<double>()[0]));
  EXPECT_TRUE(std::isnan(out[1].data<double>()[0]));
}

}  // namespace
}  // namespace mxinfer

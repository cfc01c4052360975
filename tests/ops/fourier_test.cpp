// _contrib_fft, _contrib_ifft and _contrib_count_sketch against their formulas: MXNet has them on GPUs alone.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <cmath>
#include <complex>

#include "support/run_op.h"

namespace mxinfer {
namespace {

std::complex<double> coefficient(const float* row, std::int64_t n, std::int64_t k) {
  std::complex<double> sum = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    const double angle = -6.283185307179586 * static_cast<double>(j * k % n) / static_cast<double>(n);
    sum += static_cast<double>(row[j]) * std::polar(1.0, angle);
  }
  return sum;
}

TEST(Fourier, IsTheSumOfItsFormulaForEveryKindOfLength) {
  for (const std::int64_t n : {1, 2, 3, 8, 12, 13, 30, 49, 97, 128}) {
    const Tensor data = test::random_tensor({3, n}, 1);
    for (int threads : {1, 2}) {
      test::RunOpOptions options;
      options.threads = threads;
      const Tensor out = std::move(test::run_op("_contrib_fft", {}, {&data}, options)[0]);
      ASSERT_EQ(out.shape(), (Shape{3, 2 * n}));
      for (std::int64_t i = 0; i < 3 * n; ++i) {
        const auto expected = coefficient(data.data<float>() + i / n * n, n, i % n);
        ASSERT_NEAR(out.data<float>()[2 * i], expected.real(), 1e-5 * static_cast<double>(n)) << n;
        ASSERT_NEAR(out.data<float>()[2 * i + 1], expected.imag(), 1e-5 * static_cast<double>(n)) << n;
      }
    }
  }
}

TEST(Fourier, TheInverseGivesTheDataTimesItsLength) {
  for (const std::int64_t n : {1, 6, 17, 64}) {
    const Tensor data = test::random_tensor({2, 3, 2, n}, 2);
    const Tensor there = std::move(test::run_op("_contrib_fft", {{"compute_size", "4"}}, {&data})[0]);
    const Tensor back = std::move(test::run_op("_contrib_ifft", {}, {&there})[0]);
    ASSERT_EQ(back.shape(), data.shape());
    for (std::int64_t i = 0; i < data.elements(); ++i) {
      ASSERT_NEAR(back.data<float>()[i], static_cast<float>(n) * data.data<float>()[i],
                  1e-5 * static_cast<double>(n));
    }
  }
}

TEST(Fourier, AnInverseNeedsPairs) {
  const Tensor odd = test::random_tensor({2, 5}, 1);
  EXPECT_THROW(test::run_op("_contrib_ifft", {}, {&odd}), Error);
}

TEST(CountSketch, AddsUpWhatSharesAPlace) {
  const Tensor data = test::tensor_of<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor h = test::tensor_of<float>({1, 4}, {0, 2, 0, 1}),
               s = test::tensor_of<float>({1, 4}, {1, -1, -1, 1});
  const Tensor out = std::move(test::run_op("_contrib_count_sketch", {{"out_dim", "3"}}, {&data, &h, &s})[0]);
  EXPECT_EQ(test::relative_difference(out, test::tensor_of<float>({2, 3}, {-2, 4, -2, -2, 8, -6})), 0);
  EXPECT_THROW(test::run_op("_contrib_count_sketch", {{"out_dim", "2"}}, {&data, &h, &s}), Error);
}

}  // namespace
}  // namespace mxinfer

// The product of the factors is the matrix, for every size around LAPACK's blocks and both types; which
// matrices are rejected, and which parts of a matrix are not read.
#include "kernels/linalg/lapack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace mxinfer {
namespace {

template <typename T>
struct Matrix {
  Matrix(std::int64_t r, std::int64_t c) : rows(r), columns(c), data(static_cast<std::size_t>(r * c)) {}
  T& operator()(std::int64_t i, std::int64_t j) { return data[static_cast<std::size_t>(i * columns + j)]; }
  T operator()(std::int64_t i, std::int64_t j) const {
    return data[static_cast<std::size_t>(i * columns + j)];
  }

  std::int64_t rows, columns;
  std::vector<T> data;
};

template <typename T>
Matrix<T> random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
  Matrix<T> m(rows, columns);
  std::mt19937 bits(seed);
  for (T& x : m.data) x = static_cast<T>(bits()) / static_cast<T>(1U << 31) - 1;
  return m;
}

template <typename T>
Matrix<T> transposed(const Matrix<T>& a) {
  Matrix<T> t(a.columns, a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.columns; ++j) t(j, i) = a(i, j);
  }
  return t;
}

template <typename T>
Matrix<T> product(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> c(a.rows, b.columns);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < b.columns; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < a.columns; ++k) sum += static_cast<double>(a(i, k)) * b(k, j);
      c(i, j) = static_cast<T>(sum);
    }
  }
  return c;
}

template <typename T>
Matrix<T> identity(std::int64_t n, T value = 1) {
  Matrix<T> m(n, n);
  for (std::int64_t i = 0; i < n; ++i) m(i, i) = value;
  return m;
}

// Symmetric, with eigenvalues of at least n.
template <typename T>
Matrix<T> positive_definite(std::int64_t n) {
  const Matrix<T> a = random_matrix<T>(n, n, 7);
  Matrix<T> m = product(a, transposed(a));
  for (std::int64_t i = 0; i < n; ++i) m(i, i) += static_cast<T>(n);
  return m;
}

// `a` with NaN in the other triangle; the diagonal stays.
template <typename T>
Matrix<T> triangle_alone(Matrix<T> a, bool lower) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = i + 1; j < a.rows; ++j)
      (lower ? a(i, j) : a(j, i)) = std::numeric_limits<T>::quiet_NaN();
  }
  return a;
}

// max |a - b| / max |b| in units of the type's rounding, for each row of the matrix.
template <typename T>
double rounding_errors(const Matrix<T>& a, const Matrix<T>& b) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < b.data.size(); ++i) {
    if (std::isnan(a.data[i])) return std::numeric_limits<double>::infinity();
    difference = std::max<double>(difference, std::abs(a.data[i] - b.data[i]));
    largest = std::max<double>(largest, std::abs(b.data[i]));
  }
  if (difference == 0) return 0;
  return difference / largest /
         static_cast<double>(std::numeric_limits<T>::epsilon() * static_cast<T>(a.rows));
}

template <typename T>
class Lapack : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Lapack, Types);

constexpr std::int64_t kSizes[] = {0, 1, 2, 3, 5, 17, 33, 64, 100};

TYPED_TEST(Lapack, CholeskyReadsOneTriangle) {
  using T = TypeParam;
  for (const std::int64_t n : kSizes) {
    for (const bool lower : {true, false}) {
      const Matrix<T> a = positive_definite<T>(n);
      Matrix<T> factor = triangle_alone(a, lower);
      ASSERT_TRUE(kernels::cholesky(lower, n, factor.data.data()));
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = i + 1; j < n; ++j) ASSERT_EQ(lower ? factor(i, j) : factor(j, i), 0);
      }
      const Matrix<T> other = transposed(factor);
      EXPECT_LT(rounding_errors(lower ? product(factor, other) : product(other, factor), a), 4) << n;
      Matrix<T> inverse = triangle_alone(factor, lower);
      ASSERT_TRUE(kernels::cholesky_inverse(lower, n, inverse.data.data()));
      EXPECT_LT(rounding_errors(product(inverse, a), identity<T>(n)), 8) << n;
    }
  }
}

TYPED_TEST(Lapack, CholeskyRejects) {
  using T = TypeParam;
  for (const std::int64_t n : {1, 2, 40, 100}) {
    for (const bool lower : {true, false}) {
      Matrix<T> a = positive_definite<T>(n);
      a(n - 1, n - 1) = -1;
      EXPECT_FALSE(kernels::cholesky(lower, n, a.data.data())) << n;
      Matrix<T> zero = identity<T>(n);
      zero(n - 1, n - 1) = 0;
      EXPECT_FALSE(kernels::cholesky(lower, n, Matrix<T>(zero).data.data())) << n;
      EXPECT_FALSE(kernels::cholesky_inverse(lower, n, zero.data.data())) << n;
    }
  }
}

TYPED_TEST(Lapack, TriangularSolveUndoesMultiply) {
  using T = TypeParam;
  for (const std::int64_t n : kSizes) {
    for (int which = 0; which < 8; ++which) {
      kernels::TriangularArgs args;
      args.right = (which & 1) != 0;
      args.transpose = (which & 2) != 0;
      args.lower = (which & 4) != 0;
      args.rows = args.right ? 4 : n;
      args.columns = args.right ? n : 3;
      args.alpha = 0.5;
      Matrix<T> full = random_matrix<T>(n, n, 3);
      for (std::int64_t i = 0; i < n; ++i) full(i, i) = static_cast<T>(n + 1);
      const Matrix<T> a = triangle_alone(full, args.lower);
      const Matrix<T> b = random_matrix<T>(args.rows, args.columns, 4);
      Matrix<T> triangle = a;
      for (T& x : triangle.data) x = std::isnan(x) ? 0 : x / 2;
      const Matrix<T> op = args.transpose ? transposed(triangle) : triangle;
      Matrix<T> x = b;
      kernels::triangular_multiply(args, a.data.data(), x.data.data());
      EXPECT_LT(rounding_errors(x, args.right ? product(b, op) : product(op, b)), 4) << n << ' ' << which;
      args.alpha = 2;
      kernels::triangular_solve(args, a.data.data(), x.data.data());
      EXPECT_LT(rounding_errors(x, b), 8) << n << ' ' << which;
    }
  }
}

TYPED_TEST(Lapack, InverseAndDeterminant) {
  using T = TypeParam;
  for (const std::int64_t n : kSizes) {
    Matrix<T> a = random_matrix<T>(n, n, 5);
    for (std::int64_t i = 0; i < n; ++i)
      a((i + 1) % n, i) += static_cast<T>(2 * std::sqrt(n));  // pivots move
    Matrix<T> inverse = a;
    std::vector<int> pivots(static_cast<std::size_t>(n));
    std::vector<T> work(static_cast<std::size_t>(kernels::inverse_work(n)));
    ASSERT_TRUE(kernels::inverse(n, inverse.data.data(), pivots.data(), work.data()));
    EXPECT_LT(rounding_errors(product(inverse, a), identity<T>(n)), 16) << n;
    // det(inverse(A)) det(A) = 1
    const auto there = kernels::determinant(n, a.data.data(), pivots.data()),
               back = kernels::determinant(n, inverse.data.data(), pivots.data());
    EXPECT_EQ(there.sign * back.sign, 1);
    EXPECT_NEAR(there.log_magnitude + back.log_magnitude, 0,
                100 * static_cast<double>(n) * static_cast<double>(std::numeric_limits<T>::epsilon()));
    EXPECT_EQ(there.sign < 0, there.value < 0);
  }
}

TYPED_TEST(Lapack, SingularMatrices) {
  using T = TypeParam;
  for (const std::int64_t n : {1, 2, 16, 100}) {
    Matrix<T> a = random_matrix<T>(n, n, 6);
    std::fill_n(&a(n / 2, 0), n, T(0));
    std::vector<int> pivots(static_cast<std::size_t>(n));
    std::vector<T> work(static_cast<std::size_t>(kernels::inverse_work(n)));
    EXPECT_FALSE(kernels::inverse(n, Matrix<T>(a).data.data(), pivots.data(), work.data())) << n;
    const auto determinant = kernels::determinant(n, a.data.data(), pivots.data());
    EXPECT_EQ(determinant.sign, 0);
    EXPECT_EQ(determinant.value, 0);
    EXPECT_EQ(determinant.log_magnitude, -std::numeric_limits<double>::infinity());
  }
}

TYPED_TEST(Lapack, Lq) {
  using T = TypeParam;
  for (const std::int64_t rows : kSizes) {
    for (const std::int64_t more : {0, 1, 40}) {
      const Matrix<T> a = random_matrix<T>(rows, rows + more, 8);
      Matrix<T> q = a, l(rows, rows);
      std::vector<T> work(static_cast<std::size_t>(kernels::lq_work(rows)));
      kernels::lq(rows, rows + more, q.data.data(), l.data.data(), work.data());
      EXPECT_LT(rounding_errors(product(l, q), a), 8) << rows << ", " << more;
      EXPECT_LT(rounding_errors(product(q, transposed(q)), identity<T>(rows)), 8) << rows << ", " << more;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = i + 1; j < rows; ++j) ASSERT_EQ(l(i, j), 0);
      }
    }
  }
}

TYPED_TEST(Lapack, SymmetricEigen) {
  using T = TypeParam;
  for (const std::int64_t n : kSizes) {
    const Matrix<T> half = random_matrix<T>(n, n, 9);
    Matrix<T> a(n, n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) a(i, j) = half(i, j) + half(j, i);
    }
    Matrix<T> vectors = triangle_alone(a, true), values(1, n);
    std::vector<T> work(static_cast<std::size_t>(kernels::eigen_work(n)));
    std::vector<int> integers(static_cast<std::size_t>(kernels::eigen_integers(n)));
    ASSERT_TRUE(
        kernels::symmetric_eigen(n, vectors.data.data(), values.data.data(), work.data(), integers.data()));
    EXPECT_TRUE(std::is_sorted(values.data.begin(), values.data.end()));
    Matrix<T> scaled = vectors;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) scaled(i, j) *= values(0, i);
    }
    EXPECT_LT(rounding_errors(product(transposed(vectors), scaled), a), 8) << n;
    for (std::int64_t i = 0; i < n; ++i) {
      const auto row = vectors.data.begin() + i * n;
      const auto smaller = [](T x, T y) { return std::abs(x) < std::abs(y); };
      EXPECT_GT(*std::max_element(row, row + n, smaller), 0) << n << ", vector " << i;
    }
  }
}

// No function may hang or write outside of its matrix, for any elements.
TYPED_TEST(Lapack, NotANumberPasses) {
  using T = TypeParam;
  const T bad[] = {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()};
  for (const std::int64_t n : {1, 2, 17, 70}) {
    for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
      for (const T value : bad) {
        Matrix<T> a = positive_definite<T>(n);
        a(at, at) = value;
        std::vector<int> integers(static_cast<std::size_t>(kernels::eigen_integers(n)));
        std::vector<T> work(static_cast<std::size_t>(kernels::eigen_work(n) + kernels::inverse_work(n))),
            values(work);
        Matrix<T> copy = a;
        (void)kernels::cholesky(true, n, copy.data.data());
        copy = a;
        (void)kernels::inverse(n, copy.data.data(), integers.data(), work.data());
        copy = a;
        const auto determinant = kernels::determinant(n, copy.data.data(), integers.data());
        EXPECT_FALSE(std::isfinite(determinant.value));
        copy = a;
        kernels::lq(n, n, copy.data.data(), values.data(), work.data());
        copy = a;
        ASSERT_TRUE(
            kernels::symmetric_eigen(n, copy.data.data(), values.data(), work.data(), integers.data()));
        EXPECT_TRUE(std::isnan(copy(n - 1, n - 1)) && std::isnan(values[0]));
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer

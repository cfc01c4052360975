// Singular values, eigenvalues of general matrices, and systems of equations, of row-major matrices, by
// OpenBLAS's LAPACK as in lapack.h: on the calling thread, all arithmetic in T (float, double).
//
// Preconditions: as there; rows and columns at most kMostEigenRows. If an element is not finite, all results
// are NaN.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// A = U diag(values) V of A (rows x columns), rows <= columns: U (rows x rows) and V (rows x columns) have
/// orthonormal rows, the values descend. The element of largest magnitude of each row of V is positive.
/// Overwrites a; `work` holds svd_work(rows, columns) numbers. Returns false if the iteration does not
/// converge.
template <typename T>
bool svd(std::int64_t rows, std::int64_t columns, T* a, T* u, T* values, T* v, T* work);
std::int64_t svd_work(std::int64_t rows, std::int64_t columns);

enum class EigenResult : std::uint8_t { real, complex, not_converged };

/// The eigenvalues of A (n x n), and unless `vectors` is null the eigenvectors, one a column, of length 1.
/// Overwrites a; `work` holds general_eigen_work(n) numbers.
template <typename T>
EigenResult general_eigen(std::int64_t n, T* a, T* values, T* vectors, T* work);
std::int64_t general_eigen_work(std::int64_t n);

/// x (n x columns) with A x = b. `pivots` holds n integers, `work` solve_work(n, columns) numbers. Returns
/// false if A is singular.
template <typename T>
bool solve(std::int64_t n, std::int64_t columns, const T* a, const T* b, T* x, int* pivots, T* work);
std::int64_t solve_work(std::int64_t n, std::int64_t columns);

/// x (columns x rows), the pseudoinverse of A (rows x columns): singular values up to rcond times the largest
/// count as 0. `work` holds pseudoinverse_work(rows, columns) numbers.
template <typename T>
bool pseudoinverse(std::int64_t rows, std::int64_t columns, const T* a, T rcond, T* x, T* work);
std::int64_t pseudoinverse_work(std::int64_t rows, std::int64_t columns);

}  // namespace mxinfer::kernels

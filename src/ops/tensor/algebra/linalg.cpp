// _linalg_*: factorisations, equations and determinants, one matrix at a time, by LAPACK in the dtype of the
// matrices. Matrices of a stack are independent tasks; LAPACK itself stays on one thread.
#include <algorithm>
#include <cmath>

#include "kernels/linalg/lapack.h"
#include "ops/common/axes.h"
#include "ops/tensor/algebra/matrix_step.h"

namespace mxinfer::ops {
namespace {

// Shapes

/// The size of the square matrices that input i is a stack of.
std::int64_t square_size(const TensorType& type, const char* name) {
  require_float(type.dtype);
  if (type.shape.rank() < 2 || type.shape[type.shape.rank() - 2] != type.shape.back()) {
    fail(ErrorCode::invalid_argument, "input '", name, "' has the shape ", to_string(type.shape),
         ": expected square matrices");
  }
  return type.shape.back();
}

std::int64_t size_of_input(const LowerContext& context) {
  return context.input(0).shape.back();
}

Shape stack_of(const Shape& matrices) {
  Shape stack;
  for (std::size_t d = 0; d + 2 < matrices.rank(); ++d) stack.push_back(matrices[d]);
  return stack;
}

/// One number for each matrix.
Shape numbers_of(const Shape& matrices) {
  Shape stack = stack_of(matrices);
  if (stack.empty()) stack.push_back(1);
  return stack;
}

std::vector<TensorType> infer_square(const InferContext& context) {
  (void)square_size(context.inputs[0], "A");
  return {context.inputs[0]};
}

// Cholesky

Step lower_potrf(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  const bool lower = context.attrs().flag("lower");
  MatrixNeeds needs;
  needs.refused = "is not positive definite";
  return matrix_step(context, "cholesky", needs, [n, lower](const auto& m) {
    std::copy_n(m.in[0], n * n, m.out[0]);
    return kernels::cholesky(lower, n, m.out[0]);
  });
}

Step lower_potri(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  const bool lower = context.attrs().flag("lower");
  MatrixNeeds needs;
  needs.refused = "has a 0 on its diagonal: it is not a Cholesky factor";
  return matrix_step(context, "cholesky_inverse", needs, [n, lower](const auto& m) {
    std::copy_n(m.in[0], n * n, m.out[0]);
    return kernels::cholesky_inverse(lower, n, m.out[0]);
  });
}

// Products and equations with a triangle

std::vector<TensorType> infer_triangular(const InferContext& context) {
  const std::int64_t n = square_size(context.inputs[0], "A");
  const TensorType& b = context.inputs[1];
  const std::size_t rank = b.shape.rank();
  if (b.dtype != context.dtype(0) || rank != context.shape(0).rank() ||
      stack_of(b.shape) != stack_of(context.shape(0)) ||
      b.shape[context.attrs.flag("rightside") ? rank - 1 : rank - 2] != n) {
    fail(ErrorCode::invalid_argument, "B is ", to_string(b), " and A ", to_string(context.inputs[0]),
         ", which do not multiply (rightside=", context.attrs.flag("rightside") ? "True" : "False", ")");
  }
  return {b};
}

kernels::TriangularArgs triangular_args(const LowerContext& context) {
  const Shape& b = context.input(1).shape;
  return {b[b.rank() - 2],
          b.back(),
          context.attrs().flag("rightside"),
          context.attrs().flag("transpose"),
          context.attrs().flag("lower"),
          context.attrs().number("alpha")};
}

Step lower_trmm(LowerContext& context) {
  return matrix_step(context, "triangular_multiply", {}, [args = triangular_args(context)](const auto& m) {
    std::copy_n(m.in[1], args.rows * args.columns, m.out[0]);
    kernels::triangular_multiply(args, m.in[0], m.out[0]);
    return true;
  });
}

Step lower_trsm(LowerContext& context) {
  return matrix_step(context, "triangular_solve", {}, [args = triangular_args(context)](const auto& m) {
    std::copy_n(m.in[1], args.rows * args.columns, m.out[0]);
    kernels::triangular_solve(args, m.in[0], m.out[0]);
    return true;
  });
}

// Factorisations

std::vector<TensorType> infer_gelqf(const InferContext& context) {
  const TensorType& a = context.inputs[0];
  require_float(a.dtype);
  const std::size_t rank = a.shape.rank();
  if (rank < 2 || a.shape[rank - 2] > a.shape.back()) {
    fail(ErrorCode::invalid_argument, "A has the shape ", to_string(a.shape),
         ": expected matrices of as many columns as rows, or more");
  }
  TensorType l = a;
  l.shape[rank - 1] = a.shape[rank - 2];
  return {a, l};
}

Step lower_gelqf(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const std::int64_t rows = shape[shape.rank() - 2], columns = shape.back();
  MatrixNeeds needs;
  needs.work = kernels::lq_work(rows);
  return matrix_step(context, "lq", needs, [=](const auto& m) {
    std::copy_n(m.in[0], rows * columns, m.out[0]);
    kernels::lq(rows, columns, m.out[0], m.out[1], m.work);
    return true;
  });
}

std::vector<TensorType> infer_syevd(const InferContext& context) {
  const std::int64_t n = square_size(context.inputs[0], "A");
  Shape values = stack_of(context.shape(0));
  values.push_back(n);
  return {context.inputs[0], {context.dtype(0), values}};
}

Step lower_syevd(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  MatrixNeeds needs{.most_rows = kernels::kMostEigenRows, .refused = "has eigenvalues that do not converge"};
  expect_lapack_sizes(context, needs.most_rows);  // what it works in is as large as n squared
  needs.work = kernels::eigen_work(n);
  needs.integers = kernels::eigen_integers(n);
  return matrix_step(context, "symmetric_eigen", needs, [n](const auto& m) {
    std::copy_n(m.in[0], n * n, m.out[0]);
    return kernels::symmetric_eigen(n, m.out[0], m.out[1], m.work, m.integers);
  });
}

Step lower_inverse(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  MatrixNeeds needs{.work = kernels::inverse_work(n), .integers = n, .refused = "is singular"};
  return matrix_step(context, "inverse", needs, [n](const auto& m) {
    std::copy_n(m.in[0], n * n, m.out[0]);
    return kernels::inverse(n, m.out[0], m.integers, m.work);
  });
}

// Numbers

std::vector<TensorType> infer_number(const InferContext& context) {
  (void)square_size(context.inputs[0], "A");
  return {{context.dtype(0), numbers_of(context.shape(0))}};
}

Step lower_sumlogdiag(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  return matrix_step(context, "sum_log_diagonal", {}, [n](const auto& m) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += std::log(static_cast<double>(m.in[0][i * n + i]));
    *m.out[0] = static_cast<std::decay_t<decltype(*m.out[0])>>(sum);
    return true;
  });
}

/// With NumPy's shapes the determinant of a single matrix is a scalar; the sum above is none even there.
std::vector<TensorType> infer_determinant(const InferContext& context) {
  std::vector<TensorType> types = infer_number(context);
  if (context.attrs.given(kNumpyShape)) types[0].shape = stack_of(context.shape(0));
  return types;
}

/// Calls `store` with the operands and the determinant of each matrix.
template <typename Store>
Step determinant_step(LowerContext& context, Store store) {
  const std::int64_t n = size_of_input(context);
  expect_lapack_sizes(context, kernels::kMostLapackRows);  // n squared is a number
  MatrixNeeds needs{.work = n * n, .integers = n};
  return matrix_step(context, "determinant", needs, [n, store](const auto& m) {
    std::copy_n(m.in[0], n * n, m.work);
    store(m, kernels::determinant(n, m.work, m.integers));
    return true;
  });
}

Step lower_det(LowerContext& context) {
  return determinant_step(context, [](const auto& m, const kernels::Determinant& result) {
    *m.out[0] = static_cast<std::decay_t<decltype(*m.out[0])>>(result.value);
  });
}

Step lower_slogdet(LowerContext& context) {
  return determinant_step(context, [](const auto& m, const kernels::Determinant& result) {
    using T = std::decay_t<decltype(*m.out[0])>;
    *m.out[0] = static_cast<T>(result.sign);
    *m.out[1] = static_cast<T>(result.log_magnitude);
  });
}

OpDef on_matrices(std::string name, std::vector<std::string> aliases, std::string summary, InferFn infer,
                  LowerFn lower) {
  return {.name = std::move(name),
          .aliases = std::move(aliases),
          .summary = std::move(summary),
          .inputs = named_ports({"A"}),
          .infer = std::move(infer),
          .lower = std::move(lower)};
}

OpDef with_outputs(OpDef op, const char* first, const char* second) {
  op.outputs = named_ports({first, second});
  return op;
}

OpDef triangular(std::string name, std::string alias, std::string summary, LowerFn lower) {
  OpDef op = on_matrices(std::move(name), {std::move(alias)}, std::move(summary), infer_triangular,
                         std::move(lower));
  op.inputs = named_ports({"A", "B"});
  op.attrs = {flag_attr("transpose", false), flag_attr("rightside", false), flag_attr("lower", true),
              number_attr("alpha", 1)};
  return op;
}

}  // namespace

std::vector<OpDef> linalg_ops() {
  OpDef potrf = on_matrices(
      "_linalg_potrf", {"linalg_potrf"},
      "The lower triangle L, where L transpose(L) = A; only A's lower triangle is read. With lower=False, "
      "the upper triangle U, where transpose(U) U = A. An error if A is not positive definite.",
      infer_square, lower_potrf);
  OpDef potri = on_matrices("_linalg_potri", {"linalg_potri"},
                            "The inverse of A transpose(A), where A is a lower triangle; with lower=False, "
                            "of transpose(A) A, where A is an upper one.",
                            infer_square, lower_potri);
  potrf.attrs = potri.attrs = {flag_attr("lower", true)};
  return {
      potrf,
      potri,
      triangular("_linalg_trmm", "linalg_trmm",
                 "alpha op(A) B, or with rightside alpha B op(A); A is a triangle, which op may transpose.",
                 lower_trmm),
      triangular("_linalg_trsm", "linalg_trsm",
                 "X, where op(A) X = alpha B, or with rightside X op(A) = alpha B; A is a triangle.",
                 lower_trsm),
      on_matrices("_linalg_sumlogdiag", {"linalg_sumlogdiag"},
                  "The sum of the logarithms of each matrix's diagonal.", infer_number, lower_sumlogdiag),
      with_outputs(on_matrices("_linalg_gelqf", {"linalg_gelqf"},
                               "Q with orthonormal rows and the lower triangle L, where L Q = A.",
                               infer_gelqf, lower_gelqf),
                   "output0", "output1"),
      with_outputs(on_matrices("_linalg_syevd", {},
                               "The eigenvectors, one in each row, and ascending eigenvalues of symmetric "
                               "matrices; the largest element of a vector is positive.",
                               infer_syevd, lower_syevd),
                   "output0", "output1"),
      on_matrices("_linalg_inverse", {"_npi_inv", "linalg_inverse"},
                  "The inverse of each matrix; an error if one is singular.", infer_square, lower_inverse),
      on_matrices("_linalg_det", {"_npi_det", "linalg_det"},
                  "The determinant of each matrix; with NumPy's shapes, a scalar for a single matrix.",
                  infer_determinant, lower_det),
      with_outputs(on_matrices(
                       "_linalg_slogdet", {"_npi_slogdet", "linalg_slogdet"},
                       "The sign of each matrix's determinant, and the logarithm of its magnitude; with "
                       "NumPy's shapes, scalars for a single matrix.",
                       [](const InferContext& context) {
                         auto types = infer_determinant(context);
                         types.push_back(types[0]);
                         return types;
                       },
                       lower_slogdet),
                   "output0", "output1"),
  };
}

}  // namespace mxinfer::ops

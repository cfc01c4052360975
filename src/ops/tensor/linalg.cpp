// _linalg_*: factorisations, equations and determinants, one matrix at a time. They are computed in double
// and rounded once, whatever the dtype. There is no LAPACK underneath: OpenBLAS starts its threads when it is
// loaded, which a library that is embedded must not do.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/fail.h"
#include "kernels/elementwise/cast.h"
#include "kernels/linalg/factor.h"
#include "kernels/linalg/triangular.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

constexpr std::size_t kMostOperands = 2;

/// One matrix's worth of each input (the function may use them up) and output, and memory to work in. False:
/// the matrix is refused.
struct MatrixOperands {
  std::array<double*, kMostOperands> in{};
  std::array<double*, kMostOperands> out{};
  double* work = nullptr;
};
using MatrixFn = std::function<bool(const MatrixOperands&)>;

struct MatrixOperand {
  kernels::CastFn cast = nullptr;
  std::int64_t elements = 0;  ///< of one matrix
  std::size_t element_bytes = 0;

  std::size_t bytes() const { return static_cast<std::size_t>(elements) * element_bytes; }
};

struct MatrixLoop {
  std::vector<MatrixOperand> in, out;
  MatrixFn compute;

  bool run(const RunContext& run, std::int64_t matrix) const {
    auto* place = reinterpret_cast<double*>(run.my_scratch());
    MatrixOperands operands;
    for (std::size_t i = 0; i < in.size(); ++i) {
      operands.in[i] = place;
      in[i].cast(run.input<std::byte>(i) + static_cast<std::size_t>(matrix) * in[i].bytes(), place,
                 in[i].elements);
      place += in[i].elements;
    }
    for (std::size_t o = 0; o < out.size(); ++o) {
      operands.out[o] = place;
      place += out[o].elements;
    }
    operands.work = place;
    if (!compute(operands)) return false;
    for (std::size_t o = 0; o < out.size(); ++o) {
      out[o].cast(operands.out[o],
                  run.output<std::byte>(o) + static_cast<std::size_t>(matrix) * out[o].bytes(),
                  out[o].elements);
    }
    return true;
  }
};

/// Runs `compute` on every matrix of the stack that input 0 is; `work` numbers for it to work in. `refused`
/// says what is wrong with a matrix for which it returns false.
Step matrix_step(LowerContext& context, const char* name, std::int64_t work, MatrixFn compute,
                 const char* refused = "") {
  const Shape& shape = context.input(0).shape;
  const std::int64_t count = shape.elements(0, shape.rank() - 2);
  const DType dtype = context.input(0).dtype;
  const auto type = element_type(dtype), wide = kernels::ElementType::float64;
  MatrixLoop loop;
  loop.compute = std::move(compute);
  std::int64_t numbers = work;
  const auto add = [&](std::vector<MatrixOperand>& list, const TensorType& of, kernels::CastFn cast) {
    list.push_back({cast, count == 0 ? 0 : of.shape.elements() / count, size_of(dtype)});
    numbers += list.back().elements;
  };
  for (std::size_t i = 0; i < context.num_inputs(); ++i)
    add(loop.in, context.input(i), kernels::select_cast(type, wide));
  for (std::size_t o = 0; o < context.num_outputs(); ++o)
    add(loop.out, context.output(o), kernels::select_cast(wide, type));

  Step step;
  step.kernel = concat("linalg_", name, "_ref_", to_string(dtype));
  step.reason = "one matrix at a time, in double";
  step.thread_scratch_bytes = static_cast<std::size_t>(numbers) * sizeof(double);
  const std::int64_t grain =
      std::max<std::int64_t>(1, kElementGrain / 16 / std::max<std::int64_t>(1, numbers));
  step.run = [=, loop = std::move(loop)](const RunContext& run) {
    constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
    std::atomic<std::int64_t> first_bad{kNone};
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t matrix = begin; matrix < end; ++matrix) {
        if (loop.run(run, matrix)) continue;
        std::int64_t known = first_bad.load();
        while (matrix < known && !first_bad.compare_exchange_weak(known, matrix)) {
        }
      }
    });
    if (first_bad != kNone)
      fail(ErrorCode::invalid_argument, "matrix ", first_bad.load(), " of ", count, " ", refused);
  };
  return step;
}

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

void copy_transposed(const double* a, double* dst, std::int64_t n) {
  for (std::int64_t row = 0; row < n; ++row) {
    for (std::int64_t column = 0; column < n; ++column) dst[column * n + row] = a[row * n + column];
  }
}

// The kernels work on lower triangles: an upper one is transposed before, and so is its factor after.
Step lower_potrf(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  const bool lower = context.attrs().flag("lower");
  return matrix_step(
      context, "cholesky", lower ? 0 : n * n,
      [n, lower](const MatrixOperands& m) {
        if (lower) {
          std::copy_n(m.in[0], n * n, m.out[0]);
          return kernels::cholesky(m.out[0], n);
        }
        copy_transposed(m.in[0], m.work, n);
        const bool done = kernels::cholesky(m.work, n);
        copy_transposed(m.work, m.out[0], n);
        return done;
      },
      "is not positive definite");
}

Step lower_potri(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  const bool lower = context.attrs().flag("lower");
  return matrix_step(
      context, "cholesky_inverse", lower ? n * n : 2 * n * n,
      [n, lower](const MatrixOperands& m) {
        if (lower) return kernels::cholesky_inverse(m.in[0], m.out[0], n, m.work);
        double* turned = m.work + n * n;
        copy_transposed(m.in[0], turned, n);
        return kernels::cholesky_inverse(turned, m.out[0], n, m.work);
      },
      "has a 0 on its diagonal: it is no Cholesky factor");
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
  const auto args = triangular_args(context);
  return matrix_step(context, "triangular_multiply", 0, [args](const MatrixOperands& m) {
    kernels::triangular_multiply(args, m.in[0], m.in[1], m.out[0]);
    return true;
  });
}

Step lower_trsm(LowerContext& context) {
  const auto args = triangular_args(context);
  return matrix_step(context, "triangular_solve", 0, [args](const MatrixOperands& m) {
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
  return matrix_step(context, "lq", rows, [=](const MatrixOperands& m) {
    kernels::lq(m.in[0], rows, columns, m.out[1], m.out[0], m.work);
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
  return matrix_step(context, "symmetric_eigen", 0, [n](const MatrixOperands& m) {
    kernels::symmetric_eigen(m.in[0], n, m.out[0], m.out[1]);
    return true;
  });
}

Step lower_inverse(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  return matrix_step(
      context, "inverse", 0, [n](const MatrixOperands& m) { return kernels::inverse(m.in[0], m.out[0], n); },
      "is singular");
}

// Numbers

std::vector<TensorType> infer_number(const InferContext& context) {
  (void)square_size(context.inputs[0], "A");
  return {{context.dtype(0), numbers_of(context.shape(0))}};
}

Step lower_sumlogdiag(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  return matrix_step(context, "sum_log_diagonal", 0, [n](const MatrixOperands& m) {
    *m.out[0] = 0;
    for (std::int64_t i = 0; i < n; ++i) *m.out[0] += std::log(m.in[0][i * n + i]);
    return true;
  });
}

Step lower_det(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  return matrix_step(context, "determinant", 0, [n](const MatrixOperands& m) {
    *m.out[0] = kernels::determinant(m.in[0], n).value;
    return true;
  });
}

Step lower_slogdet(LowerContext& context) {
  const std::int64_t n = size_of_input(context);
  return matrix_step(context, "determinant", 0, [n](const MatrixOperands& m) {
    const kernels::Determinant result = kernels::determinant(m.in[0], n);
    *m.out[0] = result.sign;
    *m.out[1] = result.log_magnitude;
    return true;
  });
}

OpDef on_matrices(std::string name, std::vector<std::string> aliases, std::string summary, InferFn infer,
                  LowerFn lower) {
  OpDef op;
  op.name = std::move(name);
  op.aliases = std::move(aliases);
  op.summary = std::move(summary);
  op.inputs = [](const Attrs&) { return PortNames{{"A"}}; };
  op.infer = std::move(infer);
  op.lower = std::move(lower);
  return op;
}

OpDef with_outputs(OpDef op, const char* first, const char* second) {
  op.outputs = [=](const Attrs&) { return PortNames{{first, second}}; };
  return op;
}

OpDef triangular(std::string name, std::string alias, std::string summary, LowerFn lower) {
  OpDef op = on_matrices(std::move(name), {std::move(alias)}, std::move(summary), infer_triangular,
                         std::move(lower));
  op.inputs = [](const Attrs&) { return PortNames{{"A", "B"}}; };
  op.attrs = {graph::flag_attr("transpose", false), graph::flag_attr("rightside", false),
              graph::flag_attr("lower", true), graph::number_attr("alpha", 1)};
  return op;
}

}  // namespace

std::vector<OpDef> linalg_ops() {
  OpDef potrf =
      on_matrices("_linalg_potrf", {"linalg_potrf"},
                  "The lower triangle L with L transpose(L) = A, of which the lower triangle alone is read; "
                  "otherwise the upper triangle U with transpose(U) U = A. An error where A is not positive "
                  "definite.",
                  infer_square, lower_potrf);
  OpDef potri =
      on_matrices("_linalg_potri", {"linalg_potri"},
                  "The inverse of A transpose(A), A a lower triangle; otherwise of transpose(A) A, A an "
                  "upper one.",
                  infer_square, lower_potri);
  potrf.attrs = potri.attrs = {graph::flag_attr("lower", true)};
  return {
      potrf,
      potri,
      triangular("_linalg_trmm", "linalg_trmm",
                 "alpha op(A) B, or alpha B op(A) with rightside; A is a triangle, op transposes it or not.",
                 lower_trmm),
      triangular("_linalg_trsm", "linalg_trsm",
                 "X with op(A) X = alpha B, or X op(A) = alpha B with rightside; A is a triangle.",
                 lower_trsm),
      on_matrices("_linalg_sumlogdiag", {"linalg_sumlogdiag"},
                  "The sum of the logarithms of each matrix's diagonal.", infer_number, lower_sumlogdiag),
      with_outputs(on_matrices("_linalg_gelqf", {"linalg_gelqf"},
                               "Q of orthonormal rows and the lower triangle L with L Q = A.", infer_gelqf,
                               lower_gelqf),
                   "output0", "output1"),
      with_outputs(
          on_matrices("_linalg_syevd", {},
                      "The eigenvectors, one a row, and ascending eigenvalues of symmetric matrices; "
                      "the largest element of a vector is positive.",
                      infer_syevd, lower_syevd),
          "output0", "output1"),
      on_matrices("_linalg_inverse", {"_npi_inv", "linalg_inverse"},
                  "The inverse of each matrix; an error where one is singular.", infer_square, lower_inverse),
      on_matrices("_linalg_det", {"_npi_det", "linalg_det"}, "The determinant of each matrix.", infer_number,
                  lower_det),
      with_outputs(on_matrices(
                       "_linalg_slogdet", {"_npi_slogdet", "linalg_slogdet"},
                       "The sign of each matrix's determinant, and the logarithm of its magnitude.",
                       [](const InferContext& context) {
                         auto types = infer_number(context);
                         types.push_back(types[0]);
                         return types;
                       },
                       lower_slogdet),
                   "output0", "output1"),
  };
}

}  // namespace mxinfer::ops

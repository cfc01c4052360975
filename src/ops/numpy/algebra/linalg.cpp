// NumPy's linear algebra: factorisations, eigenvalues, equations and inverses, one matrix at a time, by
// LAPACK.
#include <algorithm>

#include "kernels/elementwise/cast.h"
#include "kernels/gemm/transpose.h"
#include "kernels/linalg/decompositions.h"
#include "ops/common/axes.h"
#include "ops/common/scratch_layout.h"
#include "ops/registry.h"
#include "ops/tensor/algebra/matrix_step.h"

namespace mxinfer::ops {
namespace {

Shape stack_in_front(const Shape& matrices) {
  Shape stack;
  for (std::size_t d = 0; d + 2 < matrices.rank(); ++d) stack.push_back(matrices[d]);
  return stack;
}

Shape stacked(Shape stack, std::initializer_list<std::int64_t> sizes) {
  for (const std::int64_t size : sizes) stack.push_back(size);
  return stack;
}

std::int64_t rows_of(const Shape& shape) {
  return shape[shape.rank() - 2];
}

/// Integers are computed in float64.
DType computed_type(DType dtype) {
  if (dtype == DType::float32 || dtype == DType::float64) return dtype;
  if (computes_integers(dtype)) return DType::float64;
  fail(ErrorCode::unsupported, "an input of ", to_string(dtype),
       " was given; float32, float64 or integers are expected");
}

void expect_square(const Shape& shape) {
  if (shape.rank() < 2 || rows_of(shape) != shape.back())
    fail(ErrorCode::invalid_argument, "an input has the shape ", to_string(shape),
         ": expected square matrices");
}

void expect_at_most(std::int64_t size) {
  if (size <= kernels::kMostEigenRows) return;
  fail(ErrorCode::unsupported, "matrices of ", size, " rows or columns are too large: at most ",
       kernels::kMostEigenRows, " are computed");
}

/// Inputs of another type than the output are converted before `step`.
Step with_converted_inputs(LowerContext& context, Step step) {
  const DType computed = context.output(0).dtype;
  struct Conversion {
    std::size_t input, at, size;
    std::int64_t count;
    kernels::CastFn cast;
  };
  std::vector<Conversion> conversions;
  ScratchLayout layout(step.scratch_bytes);
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    const TensorType& in = context.input(i);
    if (in.dtype == computed) continue;
    const std::int64_t count = in.shape.elements();
    conversions.push_back({i, layout.take<double>(count), size_of(in.dtype), count,
                           kernels::select_cast(element_type(in.dtype), element_type(computed))});
  }
  if (conversions.empty()) return step;
  step.scratch_bytes = layout.bytes();
  step.run = [conversions, count = context.num_inputs(), run = std::move(step.run)](const RunContext& now) {
    std::array<const void*, kMostOperands> inputs{};
    for (std::size_t i = 0; i < count; ++i) inputs[i] = now.inputs[i];
    for (const Conversion& conversion : conversions) {
      conversion.cast(inputs[conversion.input], now.scratch + conversion.at, conversion.count);
      inputs[conversion.input] = now.scratch + conversion.at;
    }
    RunContext converted = now;
    converted.inputs = inputs.data();
    run(converted);
  };
  return step;
}

// Singular values

std::vector<TensorType> infer_svd(const InferContext& context) {
  const TensorType& a = context.inputs[0];
  require_float(a.dtype);
  if (a.shape.rank() < 2 || rows_of(a.shape) > a.shape.back())
    fail(ErrorCode::invalid_argument, "A has the shape ", to_string(a.shape),
         ": expected matrices of as many columns as rows, or more");
  const std::int64_t rows = rows_of(a.shape);
  const Shape stack = stack_in_front(a.shape);
  return {{a.dtype, stacked(stack, {rows, rows})}, {a.dtype, stacked(stack, {rows})}, a};
}

Step lower_svd(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const std::int64_t rows = rows_of(shape), columns = shape.back();
  MatrixNeeds needs{.most_rows = kernels::kMostEigenRows,
                    .refused = "has singular values that do not converge"};
  expect_lapack_sizes(context, needs.most_rows);
  const std::int64_t work = kernels::svd_work(rows, columns);
  needs.work = work + rows * columns;
  return matrix_step(context, "svd", needs, [=](const auto& m) {
    std::copy_n(m.in[0], rows * columns, m.work + work);
    return kernels::svd(rows, columns, m.work + work, m.out[0], m.out[1], m.out[2], m.work);
  });
}

// Eigenvalues

std::vector<TensorType> infer_eigen(const InferContext& context, bool vectors) {
  const Shape& shape = context.shape(0);
  const DType dtype = computed_type(context.dtype(0));
  expect_square(shape);
  std::vector<TensorType> types{{dtype, stacked(stack_in_front(shape), {shape.back()})}};
  if (vectors) types.push_back({dtype, shape});
  return types;
}

Step lower_general_eigen(LowerContext& context) {
  const std::int64_t n = context.input(0).shape.back();
  MatrixNeeds needs{.most_rows = kernels::kMostEigenRows,
                    .refused = "has complex eigenvalues, or some that do not converge"};
  expect_lapack_sizes(context, needs.most_rows);
  const std::int64_t work = kernels::general_eigen_work(n);
  needs.work = work + n * n;
  return with_converted_inputs(context, matrix_step(context, "eigen", needs, [=](const auto& m) {
                                 std::copy_n(m.in[0], n * n, m.work + work);
                                 return kernels::general_eigen(n, m.work + work, m.out[0], m.out[1],
                                                               m.work) == kernels::EigenResult::real;
                               }));
}

Step lower_symmetric_eigen(LowerContext& context) {
  const std::int64_t n = context.input(0).shape.back();
  const bool upper = context.attrs().text("UPLO") == "U";
  MatrixNeeds needs{.most_rows = kernels::kMostEigenRows, .refused = "has eigenvalues that do not converge"};
  expect_lapack_sizes(context, needs.most_rows);
  const std::int64_t work = kernels::eigen_work(n);
  needs.work = work + n * n;
  needs.integers = kernels::eigen_integers(n);
  return with_converted_inputs(context, matrix_step(context, "symmetric_eigen", needs, [=](const auto& m) {
                                 auto* vectors = m.work + work;
                                 if (upper) {
                                   kernels::transpose(m.in[0], n, vectors, n, n);
                                 } else {
                                   std::copy_n(m.in[0], n * n, vectors);
                                 }
                                 const bool converged =
                                     kernels::symmetric_eigen(n, vectors, m.out[0], m.work, m.integers);
                                 if (m.out[1] != nullptr) kernels::transpose(vectors, n, m.out[1], n, n);
                                 return converged;
                               }));
}

OpDef eigen_def(const char* name, const char* summary, bool vectors, LowerFn lower) {
  OpDef op{.name = name, .summary = summary};
  op.inputs = named_ports({"A"});
  op.infer = [vectors](const InferContext& context) { return infer_eigen(context, vectors); };
  if (vectors) op.outputs = named_ports({"output0", "output1"});
  op.lower = std::move(lower);
  return op;
}

OpDef with_triangle(OpDef op) {
  op.attrs = {text_attr("UPLO", "L")};
  return op;
}

// Equations

/// b is a vector for each matrix of a, or a matrix.
bool has_vectors(const Shape& a, const Shape& b) {
  return b.rank() + 1 == a.rank();
}

std::vector<TensorType> infer_solve(const InferContext& context) {
  const Shape &a = context.shape(0), &b = context.shape(1);
  const DType dtype = computed_type(context.dtype(0));
  expect_square(a);
  const bool vectors = has_vectors(a, b);
  const bool fits = context.dtype(1) == context.dtype(0) && (vectors || b.rank() == a.rank()) &&
                    b[vectors ? b.rank() - 1 : b.rank() - 2] == a.back();
  bool same = fits;
  for (std::size_t d = 0; same && d + 2 < a.rank(); ++d) same = a[d] == b[d];
  if (!same)
    fail(ErrorCode::invalid_argument, "A is ", to_string(context.inputs[0]), " and B ",
         to_string(context.inputs[1]), ", which are no equations");
  return {{dtype, b}};
}

Step equations_step(LowerContext& context, std::int64_t count, std::int64_t n, std::int64_t columns) {
  expect_at_most(std::max(n, columns));
  MatrixNeeds needs{.work = kernels::solve_work(n, columns), .integers = n, .refused = "is singular"};
  return with_converted_inputs(context, matrices_step(context, "solve", count, needs, [=](const auto& m) {
                                 return kernels::solve(n, columns, m.in[0], m.in[1], m.out[0], m.integers,
                                                       m.work);
                               }));
}

Step lower_solve(LowerContext& context) {
  const Shape &a = context.input(0).shape, &b = context.input(1).shape;
  return equations_step(context, a.elements(0, a.rank() - 2), a.back(), has_vectors(a, b) ? 1 : b.back());
}

/// The axes of a, those that a_axes lists last.
std::vector<std::size_t> axes_in_order(const Attrs& attrs, std::size_t rank) {
  std::vector<bool> listed(rank, false);
  std::vector<std::size_t> last;
  if (attrs.has("a_axes")) {
    for (const std::int64_t axis : attrs.tuple("a_axes")) {
      const std::size_t at = resolve_axis("a_axes", axis, rank);
      if (listed[at]) fail(ErrorCode::invalid_argument, "attribute a_axes holds ", axis, " twice");
      listed[at] = true;
      last.push_back(at);
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!listed[d]) order.push_back(d);
  }
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

std::vector<TensorType> infer_tensorsolve(const InferContext& context) {
  const Shape &a = context.shape(0), &b = context.shape(1);
  const DType dtype = computed_type(context.dtype(0));
  const std::vector<std::size_t> order = axes_in_order(context.attrs, a.rank());
  const auto refuse = [&] {
    fail(ErrorCode::invalid_argument, "a is ", to_string(context.inputs[0]), " and b ",
         to_string(context.inputs[1]), ", which are no equations");
  };
  if (context.dtype(1) != context.dtype(0) || b.rank() > a.rank() || a.elements() == 0) refuse();
  Shape x;
  for (std::size_t d = b.rank(); d < a.rank(); ++d) x.push_back(a[order[d]]);
  if (x.elements() != b.elements() || checked_mul(x.elements(), b.elements()) != a.elements()) refuse();
  return {{dtype, x}};
}

Step lower_tensorsolve(LowerContext& context) {
  const Shape& a = context.input(0).shape;
  const std::int64_t n = context.input(1).shape.elements();
  expect_at_most(n);
  std::vector<std::int64_t> sizes, strides;
  const std::vector<std::int64_t> dense = row_major_strides(a);
  for (const std::size_t axis : axes_in_order(context.attrs(), a.rank())) {
    sizes.push_back(a[axis]);
    strides.push_back(dense[axis]);
  }
  MatrixNeeds needs{.integers = n, .refused = "is singular"};
  const std::int64_t work = kernels::solve_work(n, 1);
  needs.work = work + n * n;
  return with_converted_inputs(context, matrices_step(context, "tensorsolve", 1, needs, [=](const auto& m) {
                                 auto* matrix = m.work + work;
                                 for (std::int64_t i = 0; i < n * n; ++i) {
                                   std::int64_t from = 0, rest = i;
                                   for (std::size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
                                     from += rest % sizes[d] * strides[d];
                                   matrix[i] = m.in[0][from];
                                 }
                                 return kernels::solve(n, 1, matrix, m.in[1], m.out[0], m.integers, m.work);
                               }));
}

// Inverses

std::vector<TensorType> infer_tensorinv(const InferContext& context) {
  const TensorType& a = context.inputs[0];
  require_float(a.dtype);
  const std::int64_t ind = context.attrs.integer("ind");
  const auto rank = static_cast<std::int64_t>(a.shape.rank());
  if (ind < 1 || ind >= rank)
    fail(ErrorCode::invalid_argument, "attribute ind=", ind, ": a has the shape ", to_string(a.shape),
         ": expected 1 to ", rank - 1);
  const auto at = static_cast<std::size_t>(ind);
  const std::int64_t rows = a.shape.elements(0, at), columns = a.shape.elements(at, a.shape.rank());
  if (rows != columns || rows == 0)
    fail(ErrorCode::invalid_argument, "a has the shape ", to_string(a.shape), ", and with ind=", ind,
         " is a matrix of ", rows, " x ", columns, ": expected a square one");
  Shape shape;
  for (std::size_t d = at; d < a.shape.rank(); ++d) shape.push_back(a.shape[d]);
  for (std::size_t d = 0; d < at; ++d) shape.push_back(a.shape[d]);
  return {{a.dtype, shape}};
}

Step lower_tensorinv(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const std::int64_t n = shape.elements(0, static_cast<std::size_t>(context.attrs().integer("ind")));
  expect_at_most(n);
  MatrixNeeds needs{.work = kernels::inverse_work(n), .integers = n, .refused = "is singular"};
  return matrices_step(context, "tensorinv", 1, needs, [n](const auto& m) {
    std::copy_n(m.in[0], n * n, m.out[0]);
    return kernels::inverse(n, m.out[0], m.integers, m.work);
  });
}

std::vector<TensorType> infer_pinv(const InferContext& context) {
  const TensorType& a = context.inputs[0];
  require_float(a.dtype);
  require_rank_at_least(a.shape, 2);
  if (context.attrs.flag("hermitian")) expect_square(a.shape);
  const Shape stack = stack_in_front(a.shape);
  if (context.count() == 2) {
    const TensorType& rcond = context.inputs[1];
    require_float(rcond.dtype);
    if (rcond.shape != Shape{} && rcond.shape != stack)
      fail(ErrorCode::invalid_argument, "rcond has the shape ", to_string(rcond.shape),
           ": expected a scalar, or one for each matrix of A, ", to_string(stack));
  }
  return {{a.dtype, stacked(stack, {a.shape.back(), rows_of(a.shape)})}};
}

Step lower_pinv(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const std::int64_t rows = rows_of(shape), columns = shape.back();
  expect_at_most(std::max(rows, columns));
  MatrixNeeds needs{.work = kernels::pseudoinverse_work(rows, columns),
                    .refused = "has singular values that do not converge"};
  const double scalar = context.num_inputs() == 2 ? 0 : context.attrs().number("rcond");
  return with_converted_inputs(
      context, matrices_step(context, "pinv", shape.elements(0, shape.rank() - 2), needs, [=](const auto& m) {
        using T = std::decay_t<decltype(*m.out[0])>;
        const T rcond = m.in[1] != nullptr ? *m.in[1] : static_cast<T>(scalar);
        return kernels::pseudoinverse(rows, columns, m.in[0], rcond, m.out[0], m.work);
      }));
}

OpDef pinv_def(const char* name, const char* summary) {
  OpDef op{.name = name, .summary = summary};
  op.attrs = {flag_attr("hermitian", false)};
  op.infer = infer_pinv;
  op.lower = lower_pinv;
  return op;
}

OpDef with_inputs(OpDef op, std::vector<std::string> names) {
  op.inputs = named_ports(std::move(names));
  return op;
}

// Cholesky

void become_potrf(graph::Node& node) {
  node.attrs.set("lower", true);
  node.op = find_op("_linalg_potrf");
}

OpDef cholesky_def() {
  OpDef op{.name = "_npi_cholesky"};
  op.summary = "_linalg_potrf: the lower triangle L, where L transpose(L) = A.";
  op.inputs = named_ports({"A"});
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    require_float(context.dtype(0));
    expect_square(context.shape(0));
    return {context.inputs[0]};
  };
  op.canonicalise = become_potrf;
  return op;
}

}  // namespace

std::vector<OpDef> numpy_linalg_ops() {
  OpDef svd = with_inputs({.name = "_npi_svd",
                           .summary = "UT, L and V, where A = UT diag(L) V and L descends; the element of "
                                      "largest magnitude of each row of V is positive.",
                           .outputs = named_ports({"output0", "output1", "output2"}),
                           .infer = infer_svd,
                           .lower = lower_svd},
                          {"A"});
  OpDef solve = with_inputs({.name = "_npi_solve",
                             .summary = "X, where A X = B; an error if a matrix is singular.",
                             .infer = infer_solve,
                             .lower = lower_solve},
                            {"A", "B"});
  OpDef tensorsolve =
      with_inputs({.name = "_npi_tensorsolve",
                   .summary = "x, where tensordot(a, x) = b; a_axes of a are moved to its end first.",
                   .attrs = {tuple_attr("a_axes", "()").optional_none()},
                   .infer = infer_tensorsolve,
                   .lower = lower_tensorsolve},
                  {"a", "b"});
  OpDef tensorinv =
      with_inputs({.name = "_npi_tensorinv",
                   .summary = "The inverse of a as a matrix, whose rows are its first `ind` dimensions.",
                   .attrs = {integer_attr("ind", 2)},
                   .infer = infer_tensorinv,
                   .lower = lower_tensorinv},
                  {"a"});
  OpDef pinv = with_inputs(pinv_def("_npi_pinv",
                                    "The pseudoinverse of each matrix: singular values up to rcond "
                                    "times the largest count as 0."),
                           {"A", "rcond"});
  OpDef scalar = with_inputs(pinv_def("_npi_pinv_scalar_rcond", "The same with one rcond."), {"A"});
  scalar.attrs.push_back(number_attr("rcond", 1e-15));
  return {
      cholesky_def(),
      std::move(svd),
      eigen_def("_npi_eig",
                "The eigenvalues of each matrix, which must be real, and eigenvectors, one per column.", true,
                lower_general_eigen),
      eigen_def("_npi_eigvals", "The eigenvalues of each matrix, which must be real.", false,
                lower_general_eigen),
      with_triangle(
          eigen_def("_npi_eigh",
                    "The ascending eigenvalues of symmetric matrices, of which the triangle UPLO is "
                    "read, and eigenvectors, one per column, whose largest element is positive.",
                    true, lower_symmetric_eigen)),
      with_triangle(eigen_def("_npi_eigvalsh",
                              "The ascending eigenvalues of symmetric matrices, of which the "
                              "triangle UPLO is read.",
                              false, lower_symmetric_eigen)),
      std::move(solve),
      std::move(tensorsolve),
      std::move(tensorinv),
      std::move(pinv),
      std::move(scalar),
  };
}

}  // namespace mxinfer::ops

// _npi_norm: norms of vectors and matrices. The attribute flag says which: -2 of all elements, 1 of the
// elements of one or two axes, -1 a p-norm along one axis or the largest or smallest sum of a matrix's
// columns or rows, 0 the largest or smallest singular value of matrices in two axes, 2 the sum of the
// singular values.
#include "ops/numpy/algebra/norm.h"

#include <algorithm>
#include <cmath>

#include "kernels/linalg/decompositions.h"
#include "kernels/reduce/dims_walk-inl.h"
#include "kernels/reduce/vector_norm.h"
#include "ops/common/axes.h"
#include "ops/numpy/statistics/numpy_axes.h"
#include "ops/tensor/algebra/matrix_step.h"

namespace mxinfer::ops {
namespace {

enum class NormKind : std::uint8_t { vector, sums, spectral, nuclear };

struct NumpyNorm {
  NormKind kind = NormKind::vector;
  double order = 2;
  std::vector<std::size_t> axes{};

  std::vector<bool> reduced(std::size_t rank) const {
    std::vector<bool> result(rank, false);
    for (const std::size_t axis : axes) result[axis] = true;
    return result;
  }
};

/// No axis: the last two, or the only one.
std::vector<std::size_t> norm_axes(const Attrs& attrs, const Shape& shape) {
  if (!attrs.has("axis")) {
    std::vector<std::size_t> axes;
    require_rank_at_least(shape, 1);
    if (shape.rank() > 1) axes.push_back(shape.rank() - 2);
    axes.push_back(shape.rank() - 1);
    return axes;
  }
  auto axes = resolve_axes("axis", attrs.tuple("axis"), shape.rank());
  if (axes.empty() || axes.size() > 2)
    fail(ErrorCode::invalid_argument, "attribute axis lists ", axes.size(), " axes: expected one or two");
  return axes;
}

NumpyNorm norm_of(const Attrs& attrs, const Shape& shape) {
  const std::int64_t flag = attrs.integer("flag");
  NumpyNorm norm;
  if (flag == -2) {
    for (std::size_t d = 0; d < shape.rank(); ++d) norm.axes.push_back(d);
    return norm;
  }
  norm.axes = norm_axes(attrs, shape);
  if (flag == 1) return norm;
  norm.order = attrs.number("ord");
  if (flag == -1 && norm.axes.size() == 1) return norm;
  norm.kind = flag == 2 ? NormKind::nuclear : NormKind::spectral;
  if (flag == -1 && norm.order != 2 && norm.order != -2) norm.kind = NormKind::sums;
  const bool is_known = flag >= -1 && flag <= 2 && norm.axes.size() == 2;
  if (!is_known || (norm.kind == NormKind::spectral && norm.order != 2 && norm.order != -2))
    fail(ErrorCode::unsupported, "attributes flag=", flag, ", ord=", norm.order, " with ", norm.axes.size(),
         " axes are no norm of this library");
  return norm;
}

std::vector<TensorType> infer_numpy_norm(const InferContext& context) {
  require_float(context.dtype(0));
  const Shape& shape = context.shape(0);
  const NumpyNorm norm = norm_of(context.attrs, shape);
  return {
      {context.dtype(0), without_axes(shape, norm.reduced(shape.rank()), context.attrs.flag("keepdims"))}};
}

/// Vectors along contiguous elements have fast kernels.
Step euclidean_step(LowerContext& context, const std::vector<bool>& reduced) {
  const TensorType& in = context.input(0);
  const kernels::ReduceShape shape = reduce_shape(in.shape, reduced);
  const kernels::ReduceFold fold = kernels::select_reduce("norm2", element_type(in.dtype), context.target());
  const std::int64_t results = context.output(0).shape.elements();
  const std::int64_t grain = piece_grain(kElementGrain, shape.reduced.elements());
  Step step{.kernel = kernel_name("reduce", "norm2", fold.variant, in.dtype, fold.target)};
  step.reason = concat(results, " results of ", shape.reduced.elements(), " elements each");
  step.flops = 2.0 * static_cast<double>(in.shape.elements());
  step.run = [=](const RunContext& run) {
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::reduce(fold, shape, run.inputs[0], run.outputs[0], begin, end);
    });
  };
  return step;
}

Step vector_step(LowerContext& context, const NumpyNorm& norm) {
  const TensorType& in = context.input(0);
  const std::vector<bool> reduced = norm.reduced(in.shape.rank());
  if (norm.order == 2) return euclidean_step(context, reduced);
  const kernels::ReduceShape shape = whole_dimensions(in.shape, reduced);
  const auto run = kernels::select_vector_norm(element_type(in.dtype));
  const std::int64_t results = context.output(0).shape.elements();
  const std::int64_t grain = piece_grain(kElementGrain / 16, shape.reduced.elements());
  Step step{.kernel = ref_kernel("vector_norm", in.dtype), .reason = "one element at a time"};
  step.flops = 10.0 * static_cast<double>(in.shape.elements());
  step.run = [=, order = norm.order](const RunContext& now) {
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) {
      run(shape, order, now.inputs[0], now.outputs[0], begin, end);
    });
  };
  return step;
}

/// The sums of a matrix's magnitudes along its first dimension (ord 1 and -1) or its second one; the largest
/// of them, or the smallest if ord is not positive. A NaN stays.
struct SumsNorm {
  double order;
  kernels::ReduceShape shape;  ///< reduced: the matrix's two dimensions

  template <typename T>
  T compute(const T* src) const {
    const bool of_columns = order == 1 || order == -1;
    const std::size_t along = of_columns ? 0 : 1, across = 1 - along;
    T best = 0;
    for (std::int64_t i = 0; i < shape.reduced.sizes[across]; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < shape.reduced.sizes[along]; ++k) {
        const std::int64_t at = i * shape.reduced.strides[across] + k * shape.reduced.strides[along];
        sum += std::abs(static_cast<double>(src[at]));
      }
      const T value = static_cast<T>(sum);
      const bool is_better = order > 0 ? value > best : value < best;
      if (i == 0 || is_better || std::isnan(value)) best = value;
      if (std::isnan(best)) break;
    }
    return best;
  }
};

template <typename T>
void run_sums_norm(Step& step, const SumsNorm& norm, std::int64_t results) {
  step.run = [norm, results](const RunContext& run) {
    const std::int64_t grain = piece_grain(kElementGrain, norm.shape.reduced.elements());
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        run.output<T>(0)[i] = norm.compute(run.input<T>(0) + kernels::offset_of(norm.shape.kept, i));
    });
  };
}

Step sums_step(LowerContext& context, const NumpyNorm& norm) {
  const TensorType& in = context.input(0);
  if (in.dtype != DType::float32 && in.dtype != DType::float64)
    fail(ErrorCode::unsupported, "data is ", to_string(in.dtype), ": expected float32 or float64");
  SumsNorm sums{norm.order, whole_dimensions(in.shape, norm.reduced(in.shape.rank()))};
  // The dimensions are in the order of the shape, which axis may not have.
  if (norm.axes[0] > norm.axes[1]) {
    std::swap(sums.shape.reduced.sizes[0], sums.shape.reduced.sizes[1]);
    std::swap(sums.shape.reduced.strides[0], sums.shape.reduced.strides[1]);
  }
  Step step{.kernel = ref_kernel("sums_norm", in.dtype), .reason = "one element at a time"};
  step.flops = 2.0 * static_cast<double>(in.shape.elements());
  const std::int64_t results = context.output(0).shape.elements();
  if (in.dtype == DType::float64) {
    run_sums_norm<double>(step, sums, results);
  } else {
    run_sums_norm<float>(step, sums, results);
  }
  return step;
}

template <typename T>
T of_singular_values(const NumpyNorm& norm, const T* values, std::int64_t count) {
  if (norm.kind == NormKind::spectral) return norm.order > 0 ? values[0] : values[count - 1];
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += static_cast<double>(values[i]);
  return static_cast<T>(sum);
}

template <typename T>
struct SingularNorm {
  NumpyNorm norm;
  kernels::ReduceShape shape;  ///< reduced: rows and columns, rows <= columns

  std::int64_t rows() const { return shape.reduced.sizes[0]; }
  std::int64_t columns() const { return shape.reduced.sizes[1]; }
  std::int64_t work() const {
    return 2 * rows() * columns() + rows() * rows() + rows() + kernels::svd_work(rows(), columns());
  }

  bool compute(const T* src, T* dst, T* room) const {
    T* matrix = room;
    kernels::for_each_offset(shape.reduced,
                             [&](std::int64_t at, std::int64_t number) { matrix[number] = src[at]; });
    T* v = matrix + rows() * columns();
    T* u = v + rows() * columns();
    T* values = u + rows() * rows();
    if (!kernels::svd(rows(), columns(), matrix, u, values, v, values + rows())) return false;
    *dst = of_singular_values(norm, values, rows());
    return true;
  }
};

template <typename T>
void run_singular_norm(Step& step, const SingularNorm<T>& norm, std::int64_t results) {
  step.thread_scratch_bytes = static_cast<std::size_t>(norm.work()) * sizeof(T);
  step.run = [norm, results](const RunContext& run) {
    std::atomic<bool> converged{true};
    parallel_for(results, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const T* src = run.input<T>(0) + kernels::offset_of(norm.shape.kept, i);
        if (!norm.compute(src, run.output<T>(0) + i, reinterpret_cast<T*>(run.my_scratch())))
          converged = false;
      }
    });
    if (!converged) fail(ErrorCode::invalid_argument, "singular values of a matrix do not converge");
  };
}

Step singular_step(LowerContext& context, const NumpyNorm& norm) {
  const TensorType& in = context.input(0);
  const std::int64_t results = context.output(0).shape.elements();
  const std::vector<std::int64_t> strides = row_major_strides(in.shape);
  kernels::ReduceShape shape = whole_dimensions(in.shape, norm.reduced(in.shape.rank()));
  // The norms of a matrix are those of its transpose.
  if (shape.reduced.sizes[0] > shape.reduced.sizes[1]) {
    std::swap(shape.reduced.sizes[0], shape.reduced.sizes[1]);
    std::swap(shape.reduced.strides[0], shape.reduced.strides[1]);
  }
  Step step{.kernel = concat("linalg_singular_norm_", to_string(in.dtype), " [openblas]")};
  step.reason = "one matrix at a time";
  if (shape.reduced.sizes[0] == 0) {  // as MXNet
    step.run = [bytes = bytes_of(context.output(0))](const RunContext& run) {
      std::fill_n(static_cast<std::byte*>(run.outputs[0]), bytes, std::byte{0});
    };
    return step;
  }
  if (shape.reduced.sizes[1] > kernels::kMostEigenRows)
    fail(ErrorCode::unsupported, "matrices of ", shape.reduced.sizes[1], " columns are too large: at most ",
         kernels::kMostEigenRows);
  require_openblas(context);
  if (in.dtype == DType::float64) {
    run_singular_norm(step, SingularNorm<double>{norm, shape}, results);
  } else {
    run_singular_norm(step, SingularNorm<float>{norm, shape}, results);
  }
  return step;
}

Step lower_numpy_norm(LowerContext& context) {
  const NumpyNorm norm = norm_of(context.attrs(), context.input(0).shape);
  if (norm.kind == NormKind::vector) return vector_step(context, norm);
  return norm.kind == NormKind::sums ? sums_step(context, norm) : singular_step(context, norm);
}

}  // namespace

std::optional<Reduction> euclidean_norm_of(const OpProblem& node) {
  const Shape& shape = node.input(0).shape;
  const NumpyNorm norm = norm_of(node.attrs(), shape);
  if (norm.kind != NormKind::vector || norm.order != 2) return std::nullopt;
  return Reduction{"norm2", reduce_shape(shape, norm.reduced(shape.rank()))};
}

std::vector<OpDef> numpy_norm_ops() {
  OpDef op{.name = "_npi_norm"};
  op.summary =
      "Norms: of all elements (flag -2), of one or two axes (1), with ord along one axis (-1), the largest "
      "or with ord=-2 smallest singular value in two axes (0), the sum of the singular values (2).";
  op.attrs = {number_attr("ord", 2), tuple_attr("axis", "None"), flag_attr("keepdims", false),
              integer_attr("flag", -1)};
  op.infer = infer_numpy_norm;
  op.lower = lower_numpy_norm;
  return {op};
}

}  // namespace mxinfer::ops

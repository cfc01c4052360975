// _linalg_gemm, _linalg_gemm2, _linalg_syrk: scaled products of stacks of matrices. The rows of a matrix may
// lie along any axis but the last (attribute axis), its columns along the last.
// khatri_rao: the column by column Kronecker product of several matrices.
#include <algorithm>
#include <cstring>

#include "kernels/gemm/gemm.h"
#include "kernels/linalg/khatri_rao.h"
#include "ops/common/axes.h"
#include "ops/common/products.h"
#include "ops/elementwise/elementwise.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/tensor/algebra/product_sides.h"
#include "ops/tensor/unify_tensors.h"

namespace mxinfer::ops {
namespace {

/// dst [matrix][rest][depth] from a side that is stored the other way round.
template <typename T>
void transpose_all(const Matrices& side, const T* src, T* dst) {
  constexpr std::int64_t kTransposeBlock = 16;
  const std::int64_t rest = side.rest(), depth = side.depth();
  parallel_for(side.stack.matrices(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t m = begin; m < end; ++m) {
      const T* from = src + side.stack.offset(m);
      T* to = dst + m * rest * depth;
      for (std::int64_t k = 0; k < depth; k += kTransposeBlock) {
        for (std::int64_t r = 0; r < rest; ++r) {
          for (std::int64_t x = k; x < std::min(depth, k + kTransposeBlock); ++x)
            to[r * depth + x] = from[x * side.stack.row_step() + r];
        }
      }
    }
  });
}

template <typename T>
struct Run {
  ProductOfMatrices product;
  Stack out;
  const kernels::GemmNtKernel<T>* gemm;
  const T* packed_right = nullptr;  ///< transposed once, if the right side is a parameter
  std::int64_t right_scratch = 0;   ///< where its transpose lies in scratch otherwise
  T alpha = T(1), beta = T(0);
  bool mirror = false;  ///< the product is symmetric but for rounding: its lower triangle becomes both

  static kernels::GemmNtArgs<T> sizes(const Run& run) {
    kernels::GemmNtArgs<T> args;
    args.rows = run.product.left.rest();
    args.columns = run.product.right.rest();
    args.depth = run.product.left.depth();
    args.scale = run.alpha;
    args.a_stride = run.product.left.transpose ? 0 : run.product.left.stack.row_step();
    args.b_stride = run.product.right.transpose ? 0 : run.product.right.stack.row_step();
    args.dst_stride = run.out.row_step();
    return args;
  }

  /// The side's matrices, transposed into `scratch` if the kernel cannot read them as they are.
  static const T* ready(const Matrices& side, const RunContext& context, T* scratch) {
    const T* src = context.input<T>(side.input);
    if (!side.transpose) return src;
    transpose_all(side, src, scratch);
    return scratch;
  }

  void mirror_all(T* dst) const {
    const std::int64_t step = out.row_step();
    parallel_for(out.matrices(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t m = begin; m < end; ++m) {
        T* matrix = dst + out.offset(m);
        for (std::int64_t i = 0; i < out.rows; ++i) {
          for (std::int64_t j = i + 1; j < out.rows; ++j) matrix[i * step + j] = matrix[j * step + i];
        }
      }
    });
  }

  void operator()(const RunContext& context) const {
    T* scratch = reinterpret_cast<T*>(context.scratch);
    const Matrices &left = product.left, &right = product.right;
    const T* a = ready(left, context, scratch);
    const T* b = packed_right != nullptr ? packed_right : ready(right, context, scratch + right_scratch);
    const auto place = [](const Matrices& side, std::int64_t m) {
      return side.transpose ? m * side.rest() * side.depth() : side.stack.offset(m);
    };
    const kernels::GemmNtArgs<T> args = sizes(*this);
    const std::int64_t tasks = gemm->tasks(args);
    parallel_for(out.matrices() * tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        const std::int64_t m = t / tasks;
        kernels::GemmNtArgs<T> one = args;
        one.a = a + place(left, m);
        one.b = b + place(right, m);
        one.dst = context.output<T>(0) + out.offset(m);
        gemm->run(one, t % tasks, t % tasks + 1);
      }
    });
    if (mirror) mirror_all(context.output<T>(0));
    if (beta == T(0)) return;
    const std::int64_t elements = out.matrices() * out.rows * out.columns;
    parallel_for(elements, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) context.output<T>(0)[i] += beta * context.input<T>(2)[i];
    });
  }
};

template <typename T>
Step matrix_product_step(LowerContext& context, const ProductOfMatrices& product,
                         const kernels::GemmNtKernel<T>& gemm) {
  Run<T> run{.product = product, .out = matrices_of(product.shape, product.axis), .gemm = &gemm};
  // OpenBLAS may sum the two elements of a pair in different orders.
  run.mirror = sizeof(T) == sizeof(double) && product.left.input == product.right.input;
  run.alpha = static_cast<T>(context.attrs().number("alpha"));
  if (context.num_inputs() == 3) run.beta = static_cast<T>(context.attrs().number("beta"));
  const Matrices &left = product.left, &right = product.right;
  std::int64_t scratch = left.transpose ? round_up(left.elements(), 16) : 0;
  run.right_scratch = scratch;
  if (right.transpose) {
    // A step does not find an input that it has packed: the left side needs it as it is.
    if (context.is_constant(right.input) && right.input != left.input) {
      const std::string packing = concat("linalg transposed ", right.stack.outer, " x ", right.stack.rows,
                                         " x ", right.stack.inner, " x ", right.stack.columns);
      const auto pack = [right](const TensorView& matrices, std::byte* dst) {
        transpose_all(right, matrices.data<T>(), reinterpret_cast<T*>(dst));
      };
      run.packed_right = reinterpret_cast<const T*>(
          context.packed(right.input, packing, static_cast<std::size_t>(right.elements()) * sizeof(T), pack));
    } else {
      scratch += right.elements();
    }
  }
  Step step{.scratch_bytes = static_cast<std::size_t>(scratch) * sizeof(T)};
  step.flops = 2.0 * static_cast<double>(product.shape.elements()) * static_cast<double>(left.depth());
  step.reason =
      "both sides are read with their sum dimension innermost, and transposed before if they are not";
  step.run = run;
  return step;
}

Step lower_product(LowerContext& context, const ProductOfMatrices& product) {
  const bool wide = context.input(0).dtype == DType::float64;
  if (wide) require_openblas(context);
  const kernels::GemmNtKernel<float>& gemm = kernels::select_gemm_nt(context.target());
  Step step = wide ? matrix_product_step(context, product, kernels::gemm_nt_f64())
                   : matrix_product_step(context, product, gemm);
  step.kernel =
      wide ? concat(kernels::gemm_nt_f64().name, " [openblas]") : labelled(gemm.name, context.target());
  return step;
}

std::vector<TensorType> infer_product(const InferContext& context) {
  expect_float_inputs(context);
  const TensorType out{context.dtype(0), product_of(context.attrs, context.shape(0), context.shape(1)).shape};
  if (context.count() == 3 && !(context.inputs[2] == out)) {
    fail(ErrorCode::invalid_argument, "C is ", to_string(context.inputs[2]), "; the product is ",
         to_string(out));
  }
  return {out};
}

OpDef gemm2_op() {
  OpDef op{.name = "_linalg_gemm2", .aliases = {"linalg_gemm2"}};
  op.summary = "alpha op(A) op(B) for stacks of matrices whose rows are along axis.";
  op.attrs = {flag_attr("transpose_a", false), flag_attr("transpose_b", false), number_attr("alpha", 1.0),
              integer_attr("axis", -2)};
  op.inputs = named_ports({"A", "B"});
  op.traits.float16_on_gpus = true;
  op.infer = infer_product;
  op.unify = unify_stacked_matrices;
  op.lower = [](LowerContext& context) {
    return lower_product(context,
                         product_of(context.attrs(), context.input(0).shape, context.input(1).shape));
  };
  return op;
}

OpDef gemm_op() {
  OpDef op = gemm2_op();
  op.name = "_linalg_gemm";
  op.aliases = {"linalg_gemm"};
  op.summary = "alpha op(A) op(B) + beta C for stacks of matrices whose rows are along axis.";
  op.attrs.push_back(number_attr("beta", 1.0));
  op.inputs = named_ports({"A", "B", "C"});
  return op;
}

OpDef syrk_op() {
  OpDef op{.name = "_linalg_syrk", .aliases = {"linalg_syrk"}};
  op.summary = "alpha A transpose(A), or with transpose alpha transpose(A) A, for each matrix.";
  op.attrs = {flag_attr("transpose", false), number_attr("alpha", 1.0)};
  op.inputs = named_ports({"A"});
  op.traits.float16_on_gpus = true;
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    expect_float_inputs(context);
    return {{context.dtype(0), square_of(context.attrs, context.shape(0)).shape}};
  };
  op.lower = [](LowerContext& context) {
    return lower_product(context, square_of(context.attrs(), context.input(0).shape));
  };
  return op;
}

std::vector<TensorType> infer_khatri_rao(const InferContext& context) {
  if (context.count() == 0) fail(ErrorCode::malformed, "it has no inputs");
  std::int64_t rows = 1;
  for (std::size_t i = 0; i < context.count(); ++i) {
    const TensorType& matrix = context.inputs[i];
    require_float(matrix.dtype);
    if (matrix.dtype != context.dtype(0) || matrix.shape.rank() != 2 ||
        matrix.shape[1] != context.shape(0)[1]) {
      fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(matrix), " and input 0 ",
           to_string(context.inputs[0]), ": expected matrices of one dtype with as many columns");
    }
    const auto product = checked_mul(rows, matrix.shape[0]);
    if (!product) fail(ErrorCode::invalid_argument, "the product has too many rows");
    rows = *product;
  }
  return {{context.dtype(0), Shape{rows, context.shape(0)[1]}}};
}

/// Products of the first two, three, ... inputs, written to scratch and to the output in turn.
template <typename T>
Step khatri_rao_step(LowerContext& context) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) rows.push_back(context.input(i).shape[0]);
  const std::int64_t columns = context.input(0).shape[1];
  const std::int64_t elements = context.output(0).shape.elements();
  Step step{.kernel = ref_kernel("khatri_rao", context.output(0).dtype)};
  step.reason = "one multiplication an element";
  if (rows.size() > 2) step.scratch_bytes = static_cast<std::size_t>(elements) * sizeof(T);
  step.run = [=](const RunContext& run) {
    const T* left = run.input<T>(0);
    std::int64_t left_rows = rows[0];
    for (std::size_t i = 1; i < rows.size(); ++i) {
      // The last product belongs into the output; those before it alternate.
      const bool to_output = (rows.size() - 1 - i) % 2 == 0;
      T* dst = to_output ? run.output<T>(0) : reinterpret_cast<T*>(run.scratch);
      kernels::KhatriRaoArgs<T> args{left_rows, rows[i], columns, left, run.input<T>(i), dst};
      left_rows *= rows[i];
      parallel_for(left_rows, piece_grain(kElementGrain, columns),
                   [&](std::int64_t begin, std::int64_t end) { kernels::khatri_rao(args, begin, end); });
      left = dst;
    }
    if (rows.size() == 1 && elements > 0)
      std::memcpy(run.outputs[0], run.inputs[0], static_cast<std::size_t>(elements) * sizeof(T));
  };
  return step;
}

}  // namespace

std::vector<OpDef> linalg_gemm_ops() {
  return {gemm_op(), gemm2_op(), syrk_op()};
}

std::vector<OpDef> khatri_rao_ops() {
  OpDef op;
  op.name = "khatri_rao";
  op.summary = "Matrices multiplied column by column: each column is the Kronecker product of the inputs'.";
  op.attrs = {integer_attr("num_args").at_least(1)};
  op.inputs = counted_ports("num_args");
  op.infer = infer_khatri_rao;
  op.lower = [](LowerContext& context) {
    return context.input(0).dtype == DType::float64 ? khatri_rao_step<double>(context)
                                                    : khatri_rao_step<float>(context);
  };
  return {op};
}

}  // namespace mxinfer::ops

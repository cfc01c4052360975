// _linalg_gemm, _linalg_gemm2, _linalg_syrk: scaled products of stacks of matrices. The rows of a matrix may
// lie along any axis but the last (attribute axis), its columns along the last.
#include <algorithm>

#include "base/checked.h"
#include "base/fail.h"
#include "kernels/gemm/gemm.h"
#include "ops/common/openblas.h"
#include "ops/elementwise/elementwise.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/tensor/algebra/matrix_stacks.h"
#include "ops/tensor/algebra/unify_products.h"

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

/// What a run needs to know.
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
  Run<T> run;
  run.product = product;
  run.out = matrices_of(product.shape, product.axis);
  run.gemm = &gemm;
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
  Step step;
  step.scratch_bytes = static_cast<std::size_t>(scratch) * sizeof(T);
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
  step.kernel = wide ? concat(kernels::gemm_nt_f64().name, " [openblas]")
                     : concat(gemm.name, " [", kernels::to_string(context.target()), "]");
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
  OpDef op;
  op.name = "_linalg_gemm2";
  op.aliases = {"linalg_gemm2"};
  op.summary = "alpha op(A) op(B) for stacks of matrices whose rows are along axis.";
  op.attrs = {graph::flag_attr("transpose_a", false), graph::flag_attr("transpose_b", false),
              graph::number_attr("alpha", 1.0), graph::integer_attr("axis", -2)};
  op.inputs = [](const Attrs&) { return PortNames{{"A", "B"}}; };
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
  op.attrs.push_back(graph::number_attr("beta", 1.0));
  op.inputs = [](const Attrs&) { return PortNames{{"A", "B", "C"}}; };
  return op;
}

OpDef syrk_op() {
  OpDef op;
  op.name = "_linalg_syrk";
  op.aliases = {"linalg_syrk"};
  op.summary = "alpha A transpose(A), or with transpose alpha transpose(A) A, for each matrix.";
  op.attrs = {graph::flag_attr("transpose", false), graph::number_attr("alpha", 1.0)};
  op.inputs = [](const Attrs&) { return PortNames{{"A"}}; };
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

}  // namespace

std::vector<OpDef> linalg_gemm_ops() {
  return {gemm_op(), gemm2_op(), syrk_op()};
}

}  // namespace mxinfer::ops

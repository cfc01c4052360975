// dot and batch_dot: products of matrices, or of stacks of them. The kernel wants both sides with their sum
// dimension innermost; a side that is stored otherwise is transposed first.

#include "kernels/gemm/gemm.h"
#include "kernels/gemm/transpose.h"
#include "ops/common/products.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/nn/packed_products.h"
#include "ops/tensor/algebra/product_sides.h"
#include "ops/tensor/unify_tensors.h"

namespace mxinfer::ops {
namespace {

template <typename T>
void transpose_side(const DotSide& side, const T* src, T* dst) {
  const std::int64_t matrix = side.rest * side.depth;
  parallel_for(side.batch, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      kernels::transpose(src + b * matrix, side.rest, dst + b * matrix, side.depth, side.rest);
  });
}

template <typename T>
struct MatrixProduct {
  DotSide left, right;
  const kernels::GemmNtKernel<T>* gemm;
  const T* packed_right;       ///< transposed once, if the right side is a parameter
  std::int64_t right_scratch;  ///< where its transpose lies in scratch otherwise

  void run(const RunContext& context) const {
    T* scratch = reinterpret_cast<T*>(context.scratch);
    const T* a = context.input<T>(0);
    const T* b = packed_right != nullptr ? packed_right : context.input<T>(1);
    if (left.transposed) {
      transpose_side(left, a, scratch);
      a = scratch;
    }
    if (right.transposed && packed_right == nullptr) {
      transpose_side(right, b, scratch + right_scratch);
      b = scratch + right_scratch;
    }
    kernels::GemmNtArgs<T> args;
    args.rows = left.rest;
    args.columns = right.rest;
    args.depth = left.depth;
    const std::int64_t tasks = gemm->tasks(args);
    const auto matrix = [&](std::int64_t i) {
      kernels::GemmNtArgs<T> one = args;
      one.a = a + i * left.rest * left.depth;
      one.b = b + i * right.rest * right.depth;
      one.dst = context.output<T>(0) + i * left.rest * right.rest;
      return one;
    };
    parallel_for(left.batch * tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) gemm->run(matrix(t / tasks), t % tasks, t % tasks + 1);
    });
  }
};

template <typename T>
Step dot_step(LowerContext& context, const DotProduct& product, const kernels::GemmNtKernel<T>& gemm) {
  MatrixProduct<T> run{product.left, product.right, &gemm, nullptr, 0};
  Step step;
  std::int64_t scratch = 0;
  if (run.left.transposed) scratch += round_up(run.left.elements(), 16);
  run.right_scratch = scratch;
  if (run.right.transposed) {
    if (context.is_constant(1)) {
      const auto pack = [right = run.right](const TensorView& matrix, std::byte* dst) {
        transpose_side(right, matrix.data<T>(), reinterpret_cast<T*>(dst));
      };
      const std::string packing =
          concat("dot transposed ", run.right.batch, " x ", run.right.depth, " x ", run.right.rest);
      const auto bytes = static_cast<std::size_t>(run.right.elements()) * sizeof(T);
      run.packed_right = reinterpret_cast<const T*>(context.packed(1, packing, bytes, pack));
    } else {
      scratch += run.right.elements();
    }
  }
  step.scratch_bytes = static_cast<std::size_t>(scratch) * sizeof(T);
  step.flops = 2.0 * static_cast<double>(run.left.elements()) * static_cast<double>(run.right.rest);
  step.reason =
      "both sides are read with their sum dimension innermost, and transposed before if they are not";
  step.run = [run](const RunContext& r) { run.run(r); };
  return step;
}

/// The right side's packing: once if it is a parameter, in each run otherwise.
struct PackedRun {
  DotSide left, right;
  PackedGemms products;
  const float* constant_panels;
  std::int64_t panels_scratch;  ///< where the panels lie in scratch otherwise

  void run(const RunContext& context) const {
    float* scratch = reinterpret_cast<float*>(context.scratch);
    const float* a = context.input<float>(0);
    if (left.transposed) {
      transpose_side(left, a, scratch);
      a = scratch;
    }
    const auto place = [&](std::int64_t i, kernels::PackPanelsArgs& pack, kernels::GemmPackedArgs& args) {
      if (constant_panels == nullptr) pack.b = context.input<float>(1) + i * right.rest * right.depth;
      args.a = a + i * left.rest * left.depth;
      args.dst = context.output<float>(0) + i * left.rest * right.rest;
    };
    if (constant_panels != nullptr) {
      products.multiply(constant_panels, place);
    } else {
      products.run(scratch + panels_scratch, place);
    }
  }
};

Step packed_step(LowerContext& context, const DotProduct& product) {
  const DotSide &left = product.left, &right = product.right;
  PackedRun run{left, right, {}, nullptr, 0};
  PackedGemms& products = run.products;
  products.kernel = &kernels::select_gemm_packed(context.target());
  products.count = left.batch;
  products.pack.columns = products.args.columns = products.args.dst_stride = right.rest;
  products.pack.depth = products.args.depth = products.args.a_stride = left.depth;
  // A side is "transposed" if its sum dimension is outside; panels are made from that with whole loads.
  products.pack.transposed = !right.transposed;
  products.pack.stride = right.transposed ? right.rest : right.depth;
  products.args.rows = left.rest;
  std::int64_t scratch = left.transposed ? round_up(left.elements(), 16) : 0;
  run.panels_scratch = scratch;
  Step step;
  if (context.is_constant(1)) {
    const auto pack = [products, size = right.rest * right.depth](const TensorView& matrices,
                                                                  std::byte* dst) {
      products.pack_all(matrices.data<float>(), size, reinterpret_cast<float*>(dst));
    };
    const std::string packing = concat("dot ", right.transposed ? "n " : "t ", right.batch, " x ",
                                       right.depth, " x ", right.rest, ", ", products.kernel->packing);
    run.constant_panels =
        reinterpret_cast<const float*>(context.packed(1, packing, products.scratch_bytes(), pack));
    step.reason = "the right side is packed once";
  } else {
    scratch += static_cast<std::int64_t>(products.scratch_bytes() / sizeof(float));
    step.reason = "the right side is packed in each run";
  }
  step.scratch_bytes = static_cast<std::size_t>(scratch) * sizeof(float);
  step.flops = 2.0 * static_cast<double>(left.elements()) * static_cast<double>(right.rest);
  step.kernel = labelled(products.kernel->name, context.target());
  step.run = [run](const RunContext& r) { run.run(r); };
  return step;
}

OpDef product_def(const std::string& name, std::vector<std::string> aliases, std::string summary) {
  OpDef op{.name = name, .aliases = std::move(aliases), .summary = std::move(summary)};
  op.attrs = {flag_attr("transpose_a", false), flag_attr("transpose_b", false)};
  op.inputs = named_ports({"lhs", "rhs"});
  op.traits.float16_on_gpus = true;
  op.infer = [name](const InferContext& context) -> std::vector<TensorType> {
    expect_float_inputs(context);
    return {
        {context.dtype(0), dot_product_of(name, context.attrs, context.shape(0), context.shape(1)).output}};
  };
  op.lower = [name](LowerContext& context) {
    const DotProduct product =
        dot_product_of(name, context.attrs(), context.input(0).shape, context.input(1).shape);
    const bool wide = context.input(0).dtype == DType::float64;
    if (!wide && worth_packing_once(product.left.rest, context.target()))
      return packed_step(context, product);
    if (wide) require_openblas(context);
    const kernels::GemmNtKernel<float>& gemm = kernels::select_gemm_nt(context.target());
    Step step = wide ? dot_step(context, product, kernels::gemm_nt_f64()) : dot_step(context, product, gemm);
    step.kernel =
        wide ? concat(kernels::gemm_nt_f64().name, " [openblas]") : labelled(gemm.name, context.target());
    return step;
  };
  return op;
}

AttrSpec storage_attr() {
  return choice_attr("forward_stype", {"csr", "default", "row_sparse"}, "None")
      .optional_none()
      .without_effect();
}

}  // namespace

std::vector<OpDef> dot_ops() {
  OpDef dot = product_def("dot", {"_sparse_dot"},
                          "Sums products over the last dimension of lhs and the first of rhs.");
  dot.attrs.push_back(storage_attr());
  OpDef batch =
      product_def("batch_dot", {"_npx_batch_dot"}, "Multiplies the matrices in the last two dimensions.");
  batch.attrs.push_back(storage_attr());
  dot.unify = unify_dot;
  batch.unify = unify_stacked_matrices;
  return {std::move(dot), std::move(batch)};
}

}  // namespace mxinfer::ops

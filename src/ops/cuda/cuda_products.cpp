// FullyConnected, dot, batch_dot, _linalg_gemm, _linalg_gemm2 and _linalg_syrk on a GPU: each is one GEMM
// whose strides say how the operands lie. The products of multi-head attention over interleaved projections:
// one GEMM of as many matrices as there are heads in the batch, each read and written where it lies. NumPy's
// matmul, dot, tensordot, and einsum of two operands, if their dimensions lie as those of matrices.
#include <algorithm>
#include <cmath>

#include "ops/common/products.h"
#include "ops/cuda/cuda_gemm.h"
#include "ops/nn/attention_heads.h"
#include "ops/numpy/algebra/einsum.h"
#include "ops/tensor/algebra/product_sides.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;

std::string why_this(const cuda::GemmPlan& plan) {
  const std::string pieces =
      plan.splits > 1 ? concat(", the depth in ", plan.splits, " pieces, which keep all multiprocessors busy")
                      : "";
  switch (plan.kernel) {
    case cuda::GemmKernel::vector_depth:
    case cuda::GemmKernel::vector_rows:
      return concat("one side has at most 4 rows: reading the other dominates the cost", pieces);
    default:
      return concat("the tile of the least estimated time", pieces);
  }
}

Step gemm_step(LowerContext& context, const CudaGemm& gemm, const cuda::GemmPlan& plan,
               const device::CudaDevice& device) {
  const cuda::GemmArgs& args = gemm.args;
  const bool rounds_b = plan.kernel == cuda::GemmKernel::tensor_tile &&
                        args.multiplied() == kernels::Precision::tf32 && context.is_constant(gemm.b);
  const StoredOperand left = stored_operand(context, gemm.a, args.type),
                      right = rounds_b ? tf32_operand(context, gemm.b)
                                       : stored_operand(context, gemm.b, args.type);
  const FloatVector bias = float_vector(context, gemm.bias);
  std::optional<StoredOperand> residual;
  if (gemm.residual) residual = stored_operand(context, *gemm.residual, args.type);
  Step step{.kernel = cuda::name_of(plan, args), .reason = why_this(plan)};
  step.scratch_bytes = plan.scratch_bytes;
  step.flops = 2.0 * static_cast<double>(args.rows) * static_cast<double>(args.columns) *
               static_cast<double>(args.depth) * static_cast<double>(args.matrices());
  step.run = [gemm, plan, left, right, bias, residual, rounds_b,
              launcher = device.kernels().gemm](const RunContext& run) {
    cuda::GemmArgs a = gemm.args;
    a.a.data = advanced(left.data(run), gemm.a_offset, a.type);
    a.b.data = advanced(right.data(run), gemm.b_offset, a.type);
    a.bias = bias.data(run);
    a.rounded_b = rounds_b;
    if (residual) a.residual = residual->data(run);
    a.dst = run.outputs[0];
    enqueue(run, launcher, a, plan, reinterpret_cast<float*>(run.scratch));
  };
  return step;
}

using kernels::cuda::GemmArgs;
using kernels::cuda::GemmSide;

Implementations fully_connected_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  FloatRoles roles{.weights = {1}};
  if (!node.attrs().flag("no_bias")) roles.vectors.push_back(2);
  const NodeFloats floats = node_floats(node, device, roles);
  if (!floats.rejects.empty()) return rejected("gemm", floats.rejects);
  const Matrix data = as_matrix(node.input(0).shape, node.attrs().flag("flatten"));
  CudaGemm gemm;
  GemmArgs& args = gemm.args;
  args.type = floats.type;
  args.rows = data.rows;
  args.columns = node.attrs().integer("num_hidden");
  args.depth = args.a.row = args.b.row = data.depth;
  args.post_ops = node.post_ops();
  set_dense_output(args);
  if (!node.attrs().flag("no_bias")) gemm.bias = 2;
  if (node.post_ops().residual) gemm.residual = node.num_inputs() - 1;
  return cuda_gemm(gemm, node.precision(), device);
}

GemmSide side_of(const DotSide& side) {
  return {.row = side.transposed ? 1 : side.depth,
          .depth = side.transposed ? side.rest : 1,
          .inner = side.rest * side.depth};
}

Implementations dot_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  const NodeFloats floats = node_floats(node, device, {.weights = {0, 1}});
  if (!floats.rejects.empty()) return rejected("gemm", floats.rejects);
  const DotProduct product =
      dot_product_of(node.node().op->name, node.attrs(), node.input(0).shape, node.input(1).shape);
  CudaGemm gemm;
  GemmArgs& args = gemm.args;
  args.type = floats.type;
  args.rows = product.left.rest;
  args.columns = product.right.rest;
  args.depth = product.left.depth;
  args.inner = product.left.batch;
  args.a = side_of(product.left);
  args.b = side_of(product.right);
  set_dense_output(args);
  return cuda_gemm(gemm, node.precision(), device);
}

using StrideOf = std::int64_t ContractionDim::*;

std::int64_t step_of(const std::vector<ContractionDim>& dims, StrideOf stride) {
  return dims.empty() ? 0 : dims.back().*stride;
}

GemmSide side_of(const Contraction& c, const std::vector<ContractionDim>& rows, StrideOf stride) {
  GemmSide side{.row = step_of(rows, stride), .depth = step_of(c.depth, stride)};
  if (c.depth.empty()) side.depth = 1;
  if (rows.empty()) side.row = side.depth == 1 ? std::max<std::int64_t>(1, c.depth_count()) : 1;
  side.inner = step_of(c.batch, stride);
  if (c.batch.size() > 1) side.outer = c.batch.front().*stride;
  return side;
}

/// `a` and `b`: the inputs that are the contraction's.
Implementations contraction_on_cuda(const OpProblem& node, const device::CudaDevice& device,
                                    const Contraction& contraction, std::size_t a, std::size_t b) {
  const NodeFloats floats = node_floats(node, device, {.weights = {0, 1}});
  if (!floats.rejects.empty()) return rejected("gemm", floats.rejects);
  const Contraction c = simplified(contraction);
  if (c.batch.size() > 2 || c.rows.size() > 1 || c.columns.size() > 1 || c.depth.size() > 1)
    return rejected("gemm", "its dimensions do not lie as those of matrices");
  CudaGemm gemm{.a = a, .b = b};
  GemmArgs& args = gemm.args;
  args.type = floats.type;
  args.rows = c.row_count();
  args.columns = c.column_count();
  args.depth = c.depth_count();
  if (!c.batch.empty()) args.inner = c.batch.back().size;
  if (c.batch.size() > 1) args.outer = c.batch.front().size;
  args.a = side_of(c, c.rows, &ContractionDim::a);
  args.b = side_of(c, c.columns, &ContractionDim::b);
  args.dst_column = c.columns.empty() ? 1 : c.columns[0].dst;
  args.dst_row = c.rows.empty() ? args.columns : c.rows[0].dst;
  args.dst_inner = step_of(c.batch, &ContractionDim::dst);
  if (c.batch.size() > 1) args.dst_outer = c.batch.front().dst;
  return cuda_gemm(gemm, node.precision(), device);
}

Implementations numpy_product_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  const Contraction c =
      numpy_product_of(node.node().op->name, node.attrs(), node.input(0).shape, node.input(1).shape);
  return contraction_on_cuda(node, device, c, 0, 1);
}

Implementations einsum_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  if (node.num_inputs() != 2) return rejected("gemm", "it is not of two operands");
  bool swaps = false;
  const Contraction c = pair_contraction(einsum_of(node), node.input(0).shape, node.input(1).shape, swaps);
  return contraction_on_cuda(node, device, c, swaps ? 1 : 0, swaps ? 0 : 1);
}

GemmSide side_of(const Matrices& side) {
  const Stack& stack = side.stack;
  return {.row = side.transpose ? 1 : stack.row_step(),
          .depth = side.transpose ? stack.row_step() : 1,
          .outer = stack.rows * stack.row_step(),
          .inner = stack.columns};
}

CudaGemm gemm_of(const ProductOfMatrices& product, double alpha) {
  CudaGemm gemm{.a = product.left.input, .b = product.right.input};
  GemmArgs& args = gemm.args;
  args.rows = product.left.rest();
  args.columns = product.right.rest();
  args.depth = product.left.depth();
  args.outer = product.left.stack.outer;
  args.inner = product.left.stack.inner;
  args.a = side_of(product.left);
  args.b = side_of(product.right);
  args.scale = static_cast<float>(alpha);
  const Stack out = matrices_of(product.shape, product.axis);
  args.dst_row = out.row_step();
  args.dst_outer = out.rows * out.row_step();
  args.dst_inner = out.columns;
  return gemm;
}

Implementations linalg_gemm_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  const NodeFloats floats = node_floats(node, device, {.weights = {0, 1, 2}});
  if (!floats.rejects.empty()) return rejected("gemm", floats.rejects);
  CudaGemm gemm = gemm_of(product_of(node.attrs(), node.input(0).shape, node.input(1).shape),
                          node.attrs().number("alpha"));
  gemm.args.type = floats.type;
  if (node.num_inputs() == 3) {
    gemm.args.residual_scale = static_cast<float>(node.attrs().number("beta"));
    if (gemm.args.residual_scale != 0.0f) gemm.residual = 2;
  }
  return cuda_gemm(gemm, node.precision(), device);
}

bool adds_third(const graph::Node&, std::size_t input) {
  return input == 2;
}

/// A product of two inputs and what is added to it, all in 16 bits.
CudaOp of_sum(CudaOp op) {
  op.halves = {.form = HalfForm::product, .adds = adds_third};
  return op;
}

Implementations linalg_syrk_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("gemm", not_all_of_type(DType::float32));
  // Matrices that are factorised or inverted are made so: they keep the digits of float32.
  return cuda_gemm(gemm_of(square_of(node.attrs(), node.input(0).shape), node.attrs().number("alpha")),
                   kernels::Precision::float32, device);
}

using kernels::cuda::GemmArgs;
using kernels::cuda::GemmSide;

/// The matrices of all heads, their rows as rows of an operand: outer is the batch, inner the heads.
GemmSide rows_of_heads(const Heads& heads) {
  const std::int64_t of_head = heads.parts * heads.head_dim;
  return {nullptr, heads.step(), 1, heads.heads * of_head, of_head};
}

std::int64_t offset_of(const Heads& heads) {
  return heads.at(0);
}

Implementations scores_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  const NodeFloats floats = node_floats(node, device);
  if (!floats.rejects.empty()) return rejected("gemm", floats.rejects);
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < node.num_inputs(); ++i) shapes.push_back(node.input(i).shape);
  const auto [queries, keys] = scores_sides(node.attrs(), shapes);
  CudaGemm gemm{.b = shapes.size() - 1, .a_offset = offset_of(queries), .b_offset = offset_of(keys)};
  GemmArgs& args = gemm.args;
  args.type = floats.type;
  args.rows = queries.length;
  args.columns = keys.length;
  args.depth = queries.head_dim;
  args.outer = queries.batch;
  args.inner = queries.heads;
  args.a = rows_of_heads(queries);
  args.b = rows_of_heads(keys);
  args.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(queries.head_dim)));
  set_dense_output(args);
  return cuda_gemm(gemm, node.precision(), device);
}

Implementations mix_on_cuda(const OpProblem& node, const device::CudaDevice& device, bool self) {
  const NodeFloats floats = node_floats(node, device);
  if (!floats.rejects.empty()) return rejected("gemm", floats.rejects);
  const Heads values = values_side(node.attrs(), node.input(0).shape, self);
  const std::int64_t queries = node.input(1).shape[1];
  CudaGemm gemm{.a = 1, .b = 0, .b_offset = offset_of(values)};
  GemmArgs& args = gemm.args;
  args.type = floats.type;
  args.rows = queries;
  args.columns = values.head_dim;
  args.depth = values.length;
  args.outer = values.batch;
  args.inner = values.heads;
  args.a = {nullptr, args.depth, 1, args.inner * args.rows * args.depth, args.rows * args.depth};
  args.b = rows_of_heads(values);
  std::swap(args.b.row, args.b.depth);  // summed over the rows
  const GemmSide out = rows_of_heads({queries, values.batch, values.heads, values.head_dim, 1, 0});
  args.dst_row = out.row;
  args.dst_outer = out.outer;
  args.dst_inner = out.inner;
  return cuda_gemm(gemm, node.precision(), device);
}

Implementations mix_self_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  return mix_on_cuda(node, device, true);
}

Implementations mix_encdec_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  return mix_on_cuda(node, device, false);
}

}  // namespace

cuda::GemmGpu gemm_gpu(const device::CudaDevice& device) {
  const auto& gpu = device.properties();
  return {gpu.multiprocessors, gpu.shared_bytes, gpu.major, gpu.minor};
}

void set_dense_output(cuda::GemmArgs& args) {
  args.dst_column = 1;
  args.dst_row = args.columns;
  args.dst_inner = args.rows * args.columns;
  args.dst_outer = args.inner * args.dst_inner;
}

Implementations cuda_gemm(const CudaGemm& product, kernels::Precision precision,
                          const device::CudaDevice& device) {
  CudaGemm gemm = product;
  gemm.args.precision = precision;
  constexpr std::int64_t kMostDepth = std::int64_t{1} << 30;
  if (gemm.args.depth >= kMostDepth && gemm.args.type != kernels::FloatType::float32)
    return rejected("gemm", "its sums have 2^30 terms or more");
  if (gemm.args.depth >= kMostDepth) gemm.args.precision = kernels::Precision::float32;
  Implementations result;
  for (const cuda::GemmPlan& plan : cuda::gemm_plans(gemm.args, gemm_gpu(device))) {
    Implementation& one = result.all.emplace_back();
    one.name = cuda::name_of(plan, gemm.args);
    one.work.emplace().flops = 2 * plan.clocks * cuda::kProductsOfClock;
    one.lower = [gemm, plan, &device](LowerContext& context) {
      return gemm_step(context, gemm, plan, device);
    };
  }
  return result;
}

std::vector<CudaOp> cuda_product_ops() {
  return {
      {"FullyConnected", fully_connected_on_cuda},
      {"dot", dot_on_cuda},
      {"batch_dot", dot_on_cuda},
      {"_npi_matmul", numpy_product_on_cuda},
      {"_np_dot", numpy_product_on_cuda},
      {"_npi_tensordot", numpy_product_on_cuda},
      {"_npi_tensordot_int_axes", numpy_product_on_cuda},
      {"_npi_einsum", einsum_on_cuda},
      of_sum({"_linalg_gemm", linalg_gemm_on_cuda}),
      {"_linalg_gemm2", linalg_gemm_on_cuda},
      {"_linalg_syrk", linalg_syrk_on_cuda},
      {"_contrib_interleaved_matmul_selfatt_qk", scores_on_cuda},
      {"_contrib_interleaved_matmul_selfatt_valatt", mix_self_on_cuda},
      {"_contrib_interleaved_matmul_encdec_qk", scores_on_cuda},
      {"_contrib_interleaved_matmul_encdec_valatt", mix_encdec_on_cuda},
  };
}

}  // namespace mxinfer::ops

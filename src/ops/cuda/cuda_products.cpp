// FullyConnected, dot, batch_dot, _linalg_gemm, _linalg_gemm2 and _linalg_syrk on a GPU: each is one GEMM
// whose strides say how the operands lie.
#include "ops/common/matrix_of_data.h"
#include "ops/cuda/cuda_gemm.h"
#include "ops/tensor/algebra/dot_sides.h"
#include "ops/tensor/algebra/matrix_stacks.h"

namespace mxinfer::ops {
namespace {

using kernels::cuda::GemmArgs;
using kernels::cuda::GemmSide;

Implementations fully_connected_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("gemm", not_all_of_type(DType::float32));
  const Matrix data = as_matrix(node.input(0).shape, node.attrs().flag("flatten"));
  CudaGemm gemm;
  GemmArgs& args = gemm.args;
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
  GemmSide result;
  result.row = side.transposed ? 1 : side.depth;
  result.depth = side.transposed ? side.rest : 1;
  result.inner = side.rest * side.depth;
  return result;
}

Implementations dot_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("gemm", not_all_of_type(DType::float32));
  const DotProduct product =
      dot_product_of(node.node().op->name, node.attrs(), node.input(0).shape, node.input(1).shape);
  CudaGemm gemm;
  GemmArgs& args = gemm.args;
  args.rows = product.left.rest;
  args.columns = product.right.rest;
  args.depth = product.left.depth;
  args.inner = product.left.batch;
  args.a = side_of(product.left);
  args.b = side_of(product.right);
  set_dense_output(args);
  return cuda_gemm(gemm, node.precision(), device);
}

GemmSide side_of(const Matrices& side) {
  const Stack& stack = side.stack;
  GemmSide result;
  result.row = side.transpose ? 1 : stack.row_step();
  result.depth = side.transpose ? stack.row_step() : 1;
  result.outer = stack.rows * stack.row_step();
  result.inner = stack.columns;
  return result;
}

CudaGemm gemm_of(const ProductOfMatrices& product, double alpha) {
  CudaGemm gemm;
  gemm.a = product.left.input;
  gemm.b = product.right.input;
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
  if (!all_of_type(node, DType::float32)) return rejected("gemm", not_all_of_type(DType::float32));
  CudaGemm gemm = gemm_of(product_of(node.attrs(), node.input(0).shape, node.input(1).shape),
                          node.attrs().number("alpha"));
  if (node.num_inputs() == 3) {
    gemm.args.residual_scale = static_cast<float>(node.attrs().number("beta"));
    if (gemm.args.residual_scale != 0.0f) gemm.residual = 2;
  }
  return cuda_gemm(gemm, node.precision(), device);
}

Implementations linalg_syrk_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("gemm", not_all_of_type(DType::float32));
  // Matrices that are factorised or inverted are made so: they keep the digits of float32.
  return cuda_gemm(gemm_of(square_of(node.attrs(), node.input(0).shape), node.attrs().number("alpha")),
                   kernels::Precision::float32, device);
}

}  // namespace

std::vector<CudaOp> cuda_product_ops() {
  return {{"FullyConnected", fully_connected_on_cuda},
          {"dot", dot_on_cuda},
          {"batch_dot", dot_on_cuda},
          {"_linalg_gemm", linalg_gemm_on_cuda},
          {"_linalg_gemm2", linalg_gemm_on_cuda},
          {"_linalg_syrk", linalg_syrk_on_cuda}};
}

}  // namespace mxinfer::ops

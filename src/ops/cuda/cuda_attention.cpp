// The products of multi-head attention over interleaved projections on a GPU: one GEMM of as many matrices
// as there are heads in the batch, each read and written where it lies.
#include <cmath>

#include "ops/cuda/cuda_gemm.h"
#include "ops/nn/attention_heads.h"

namespace mxinfer::ops {
namespace {

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
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < node.num_inputs(); ++i) shapes.push_back(node.input(i).shape);
  const auto [queries, keys] = scores_sides(node.attrs(), shapes);
  CudaGemm gemm;
  gemm.b = shapes.size() - 1;
  gemm.a_offset = offset_of(queries);
  gemm.b_offset = offset_of(keys);
  GemmArgs& args = gemm.args;
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
  const Heads values = values_side(node.attrs(), node.input(0).shape, self);
  const std::int64_t queries = node.input(1).shape[1];
  CudaGemm gemm;
  gemm.a = 1;
  gemm.b = 0;
  gemm.b_offset = offset_of(values);
  GemmArgs& args = gemm.args;
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

std::vector<CudaOp> cuda_attention_ops() {
  return {{"_contrib_interleaved_matmul_selfatt_qk", scores_on_cuda},
          {"_contrib_interleaved_matmul_selfatt_valatt", mix_self_on_cuda},
          {"_contrib_interleaved_matmul_encdec_qk", scores_on_cuda},
          {"_contrib_interleaved_matmul_encdec_valatt", mix_encdec_on_cuda}};
}

}  // namespace mxinfer::ops

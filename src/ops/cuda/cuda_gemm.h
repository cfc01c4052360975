// Operators that are matrix products on a GPU: the sizes and strides of one, and where its operands are.
//
//   CudaGemm gemm;
//   gemm.args.rows = ...;  gemm.args.a.row = ...;  gemm.bias = 2;
//   return cuda_gemm(gemm, node.precision(), device);
#pragma once

#include "kernels/gemm/gemm_cuda.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/float_operands.h"

namespace mxinfer::ops {

/// Pointers in `args` are set in each run: to an input, and for a and b so many elements further. The
/// precision is set by cuda_gemm(). An operand and the bias may be parameters of another float type.
struct CudaGemm {
  kernels::cuda::GemmArgs args{};
  std::size_t a = 0, b = 1;
  std::int64_t a_offset = 0, b_offset = 0;
  std::optional<std::size_t> bias{}, residual{};
};

/// What plan_gemm() asks of a device.
kernels::cuda::GemmGpu gemm_gpu(const device::CudaDevice& device);

/// Dense outputs, one matrix behind the other.
void set_dense_output(kernels::cuda::GemmArgs& args);

/// The implementations of a node, whose output 0 they write.
Implementations cuda_gemm(const CudaGemm& gemm, kernels::Precision precision,
                          const device::CudaDevice& device);

}  // namespace mxinfer::ops

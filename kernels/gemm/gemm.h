// GEMM with a transposed right side: both operands have depth innermost, as a fully connected layer stores
// them:
//
//   dst[i][j] = activation(bias[j] + residual[i][j] + scale * sum over k of a[i][k] * b[j][k]),
//   i < rows, j < columns, k < depth
//
// All arrays are row-major, and dense or strided. Nothing is packed: b is read as stored, once for each block
// of rows. The order of each sum depends on depth only, so results do not depend on the number of rows or
// tasks. In float64, which OpenBLAS computes, they may depend on the numbers of rows and columns, but not on
// tasks.
//
//   const GemmNtKernel<float>& kernel = select_gemm_nt(target);
//   kernel.run(args, 0, kernel.tasks(args));
#pragma once

#include <cstdint>

#include "kernels/common/post_ops.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

/// Preconditions: rows, columns, depth >= 0; a stride is 0 or at least the length of a row; residual is null
/// if dst_stride is set.
template <typename T>
struct GemmNtArgs {
  std::int64_t rows = 0, columns = 0, depth = 0;
  /// Elements from a row to the next; 0: the rows are dense.
  std::int64_t a_stride = 0, b_stride = 0, dst_stride = 0;
  T scale = T(1);
  PostOps post_ops;
  const T* a = nullptr;
  const T* b = nullptr;
  const T* bias = nullptr;      ///< (columns), or null
  const T* residual = nullptr;  ///< like dst, or null; does not overlap dst
  T* dst = nullptr;

  std::int64_t a_step() const { return a_stride != 0 ? a_stride : depth; }
  std::int64_t b_step() const { return b_stride != 0 ? b_stride : depth; }
  std::int64_t dst_step() const { return dst_stride != 0 ? dst_stride : columns; }
};

template <typename T>
struct GemmNtKernel {
  const char* name;
  /// Reads only the sizes of the arguments.
  std::int64_t (*tasks)(const GemmNtArgs<T>&);
  void (*run)(const GemmNtArgs<T>&, std::int64_t begin, std::int64_t end);
};

/// The kernel for a target; Target::ref gets the reference.
const GemmNtKernel<float>& select_gemm_nt(Target target);

/// float64, the same for all targets: OpenBLAS chooses its kernels by the CPU.
const GemmNtKernel<double>& gemm_nt_f64();

/// Plain loops that sum in double. T: float, double.
template <typename T>
const GemmNtKernel<T>& gemm_nt_ref();

}  // namespace mxinfer::kernels

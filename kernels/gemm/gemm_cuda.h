// GEMM on a GPU, for stacks of matrices whose elements lie any way:
//
//   dst[i][j] = activation(scale * sum over k of a[i][k] * b[j][k] + bias[..] + residual_scale * residual[i][j]),
//   i < rows, j < columns, k < depth,  for each matrix of outer x inner
//
// Strides say where an element is, so that a transposed operand, a head of an interleaved projection or an
// output of which a part is written needs no copy. Fast are operands one of whose two strides is 1. Sums are
// made in an order that the sizes and the GPU determine: results are the same in each run.
//
//   const GemmPlan plan = plan_gemm(args, gpu);
//   gemm(args, plan, scratch, stream);                        // scratch: plan.scratch_bytes on the device
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/common/post_ops.h"
#include "kernels/common/precision.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

/// An operand: its strides, in elements, from a row to the next, along the depth, and from a matrix to the
/// next.
struct GemmSide {
  const float* data = nullptr;
  std::int64_t row = 0, depth = 1;
  std::int64_t outer = 0, inner = 0;
};

/// Preconditions: rows, columns, outer, inner >= 1, depth >= 0; the activation is not prelu; dst does not
/// overlap an operand, and the residual not at all or element by element.
struct GemmArgs {
  std::int64_t rows = 0, columns = 0, depth = 0;
  std::int64_t outer = 1, inner = 1;  ///< how many matrices
  GemmSide a, b;
  float* dst = nullptr;
  const float* residual = nullptr;  ///< like dst, or null
  /// Strides of dst and residual.
  std::int64_t dst_row = 0, dst_column = 1, dst_outer = 0, dst_inner = 0;
  const float* bias = nullptr;  ///< bias[i * bias_row + j * bias_column] in each matrix, or null
  std::int64_t bias_row = 0, bias_column = 1;
  float scale = 1.0f, residual_scale = 1.0f;
  PostOps post_ops;
  /// What operands are rounded to before they are multiplied, but by kernels of few rows, which wait for
  /// memory. Sums and outputs are float32.
  Precision precision = Precision::float32;

  std::int64_t matrices() const { return outer * inner; }
};

enum class GemmKernel : std::uint8_t {
  vector_depth,  ///< up to 4 rows; a warp or a block for each column, b is read along its depth
  vector_rows,   ///< up to 4 rows; a thread for each column, b is read along its rows
  tile_32,       ///< tiles of 32 x 64
  tile_64,       ///< tiles of 64 x 64
  tile_128,      ///< tiles of 128 x 128
  tensor_tile,   ///< tiles of 128 x 128, by tensor instructions
};

struct GemmPlan {
  GemmKernel kernel = GemmKernel::tile_64;
  bool swapped = false;           ///< a and b change sides: the transpose of dst is computed
  bool block_per_column = false;  ///< of vector_depth
  int splits = 1;                 ///< pieces of the depth, which a second kernel adds up
  std::int64_t split_depth = 0;   ///< the depth of a piece
  std::size_t scratch_bytes = 0;
  double clocks = 0;  ///< the estimated time of a GPU with 128 lanes to a multiprocessor; 0 without tiles
};

/// What the choice depends on of a GPU.
struct GemmGpu {
  int multiprocessors = 1;
  std::size_t shared_bytes = 0;  ///< the shared memory that one block may have, nearly a multiprocessor's
};

/// Chooses a kernel. Reads sizes, strides and precision only, so that it may be made before there is memory.
GemmPlan plan_gemm(const GemmArgs& args, const GemmGpu& gpu);

/// "gemm_tile_64_f32".
std::string name_of(const GemmPlan& plan, Precision precision);

/// `plan` is of these sizes, strides and this precision.
Status gemm(const GemmArgs& args, const GemmPlan& plan, float* scratch, const Stream& stream);

}  // namespace mxinfer::kernels::cuda

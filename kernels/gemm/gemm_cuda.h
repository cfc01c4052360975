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
#include <vector>

#include "kernels/common/float_type.h"
#include "kernels/common/post_ops.h"
#include "kernels/common/precision.h"
#include "kernels/cuda/stream.h"
#include "kernels/gemm/along.h"
#include "kernels/gemm/tensor_tiles.h"

namespace mxinfer::kernels::cuda {

/// An operand: its strides, in elements, from a row to the next, along the depth, and from a matrix to the
/// next.
struct GemmSide {
  const void* data = nullptr;
  std::int64_t row = 0, depth = 1;
  std::int64_t outer = 0, inner = 0;
};

/// Multiplications of float32 that a multiprocessor makes in a clock of an estimate.
inline constexpr double kProductsOfClock = 105;

/// Preconditions: rows, columns, outer, inner >= 1, depth >= 0, by tensor instructions below 2^31; the
/// activation is not prelu; dst does not overlap an operand, and the residual not at all or element by
/// element.
struct GemmArgs {
  std::int64_t rows = 0, columns = 0, depth = 0;
  std::int64_t outer = 1, inner = 1;    ///< how many matrices
  FloatType type = FloatType::float32;  ///< of a, b, dst and residual
  GemmSide a, b;
  void* dst = nullptr;
  const void* residual = nullptr;  ///< like dst, or null
  /// Strides of dst and residual.
  std::int64_t dst_row = 0, dst_column = 1, dst_outer = 0, dst_inner = 0;
  const float* bias = nullptr;  ///< bias[i * bias_row + j * bias_column] in each matrix, or null
  std::int64_t bias_row = 0, bias_column = 1;
  float scale = 1.0f, residual_scale = 1.0f;
  PostOps post_ops;
  /// What float32 operands are rounded to before they are multiplied, but by kernels of few rows, which wait
  /// for memory; of 16-bit floats their own. Sums are float32.
  Precision precision = Precision::float32;
  bool rounded_b = false;  ///< of tf32: the elements of b are rounded already

  std::int64_t matrices() const { return outer * inner; }
  /// What tensor instructions multiply: float32 if there are none.
  constexpr Precision multiplied() const {
    return type == FloatType::float16    ? Precision::float16
           : type == FloatType::bfloat16 ? Precision::bfloat16
                                         : precision;
  }
};

enum class GemmKernel : std::uint8_t {
  vector_depth,  ///< up to 4 rows; a warp or a block for each column, b is read along its depth
  vector_rows,   ///< up to 4 rows; a thread for each column, b is read along its rows
  tile_32,       ///< tiles of 32 x 64
  tile_64,       ///< tiles of 64 x 64
  tile_128,      ///< tiles of 128 x 128
  tensor_tile,   ///< GemmPlan::tile, by tensor instructions
};

struct GemmPlan {
  GemmKernel kernel = GemmKernel::tile_64;
  GemmTile tile = GemmTile::tile_64x64;  ///< of tensor_tile
  bool swapped = false;                  ///< a and b change sides: the transpose of dst is computed
  bool block_per_column = false;         ///< of vector_depth
  int splits = 1;                        ///< pieces of the depth, which a second kernel adds up
  std::int64_t split_depth = 0;          ///< the depth of a piece
  std::size_t scratch_bytes = 0;
  double clocks = 0;  ///< the estimated time of a GPU with 128 lanes to a multiprocessor; 0 without tiles
};

/// The dimensions that a and b lie along in memory: the depth, where both or none do.
struct GemmDirections {
  Along a, b;
};
constexpr GemmDirections directions_of(const GemmArgs& args) {
  const bool a = args.a.row == 1 && args.a.depth != 1, b = args.b.row == 1 && args.b.depth != 1;
  return {a ? Along::rows : Along::depth, b ? Along::rows : Along::depth};
}

/// Chooses a kernel. Reads sizes, strides and types only, so that it may be made before there is memory.
GemmPlan plan_gemm(const GemmArgs& args, const GemmGpu& gpu);

/// All plans to choose from, each with its estimated clocks: one for each tile by tensor instructions, else
/// the one of plan_gemm().
std::vector<GemmPlan> gemm_plans(const GemmArgs& args, const GemmGpu& gpu);

/// "gemm_tile_64_f32", "gemm_tensor_64x128_f16".
std::string name_of(const GemmPlan& plan, const GemmArgs& args);

/// `plan` is of these sizes, strides and this precision.
Status gemm(const GemmArgs& args, const GemmPlan& plan, float* scratch, const Stream& stream);

}  // namespace mxinfer::kernels::cuda

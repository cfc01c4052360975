// gemm_nt: tiles of dot products. Both operands have depth innermost, so vectors run along depth: a tile of R
// rows of a and C rows of b keeps R * C vectors of partial sums and needs R + C loads for R * C
// multiply-adds. Nothing is transposed or packed: for one row of a the only cost is reading b once.
//
// Depth is cut into blocks of which a's part stays in the second-level cache. A block's sum adds the
// lanes of its vector, then the elements behind the last whole vector; dst collects the blocks. That order is
// the same in every tile shape, so a row's result does not depend on the rows beside it.
#include <algorithm>

#include "kernels/gemm/gemm.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm/gemm_nt_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/common/post_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

constexpr std::int64_t kLanes = HWY_LANES(float);
constexpr std::int64_t kDepth = 1024;  ///< of a block
constexpr std::int64_t kColumns = 24;  ///< of a task, at least; a multiple of every tile's width
constexpr std::int64_t kRows = 96;     ///< of a task, at most
constexpr std::int64_t kFewRows = 8;   ///< so few that all of a stays in cache beside a tile's part of b
constexpr std::int64_t kTaskWork = 1 << 15;  ///< grain size in multiply-adds

constexpr std::int64_t CeilDiv(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// How the work is cut into tasks.
struct Blocks {
  std::int64_t rows, columns;  ///< of a task
  std::int64_t row_blocks, column_blocks;
};

Blocks Cut(const GemmNtArgs<float>& args) {
  Blocks b{};
  b.rows = std::min(kRows, std::max<std::int64_t>(1, args.rows));
  const std::int64_t tile_work = b.rows * std::max<std::int64_t>(1, args.depth) * kColumns;
  b.columns = kColumns * std::max<std::int64_t>(1, kTaskWork / tile_work);
  b.row_blocks = CeilDiv(args.rows, b.rows);
  b.column_blocks = CeilDiv(args.columns, b.columns);
  return b;
}

std::int64_t Tasks(const GemmNtArgs<float>& args) {
  const Blocks b = Cut(args);
  return b.row_blocks * b.column_blocks;
}

/// Adds one block of depth to a tile of dst, or starts it.
template <int kTileRows, int kTileColumns>
void Tile(const GemmNtArgs<float>& args, std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t depth) {
  const D d;
  const std::int64_t a_step = args.a_step(), b_step = args.b_step();
  const float* HWY_RESTRICT a = args.a + i * a_step + k;
  const float* HWY_RESTRICT b = args.b + j * b_step + k;
  V sum[kTileRows][kTileColumns];
#pragma GCC unroll 8
  for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < kTileColumns; ++c) sum[r][c] = hn::Zero(d);
  }
  std::int64_t x = 0;
  for (; x + kLanes <= depth; x += kLanes) {
    V right[kTileColumns];
#pragma GCC unroll 8
    for (int c = 0; c < kTileColumns; ++c) right[c] = hn::LoadU(d, b + c * b_step + x);
#pragma GCC unroll 8
    for (int r = 0; r < kTileRows; ++r) {
      const V left = hn::LoadU(d, a + r * a_step + x);
#pragma GCC unroll 8
      for (int c = 0; c < kTileColumns; ++c) sum[r][c] = hn::MulAdd(left, right[c], sum[r][c]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < kTileColumns; ++c) {
      float total = hn::GetLane(hn::SumOfLanes(d, sum[r][c]));
      for (std::int64_t y = x; y < depth; ++y) total += a[r * a_step + y] * b[c * b_step + y];
      float* dst = args.dst + (i + r) * args.dst_step() + j + c;
      *dst = k == 0 ? total : *dst + total;
    }
  }
}

/// Columns [first, last) for kTileRows rows and one block of depth.
template <int kTileRows, int kTileColumns>
void TileRow(const GemmNtArgs<float>& args, std::int64_t i, std::int64_t first, std::int64_t last,
             std::int64_t k, std::int64_t depth) {
  std::int64_t j = first;
  for (; j + kTileColumns <= last; j += kTileColumns) Tile<kTileRows, kTileColumns>(args, i, j, k, depth);
  for (; j < last; ++j) Tile<kTileRows, 1>(args, i, j, k, depth);
}

/// Rows of a that are left when whole tiles are done: fewer of them, beside more rows of b.
void RestRows(const GemmNtArgs<float>& args, std::int64_t i, std::int64_t rows, std::int64_t first,
              std::int64_t last, std::int64_t k, std::int64_t depth) {
  if (rows == 3) TileRow<3, 4>(args, i, first, last, k, depth);
  if (rows == 2) TileRow<2, 4>(args, i, first, last, k, depth);
  if (rows == 1) TileRow<1, 8>(args, i, first, last, k, depth);
}

/// All rows of a task for some columns and one block of depth.
void RunColumns(const GemmNtArgs<float>& args, std::int64_t i, std::int64_t rows, std::int64_t first,
                std::int64_t last, std::int64_t k) {
  const std::int64_t depth = std::min(kDepth, args.depth - k);
  const std::int64_t whole = rows / 4 * 4;
  if (whole > 0) {
    // A tile's rows of b stay in the first-level cache while a passes.
    for (std::int64_t j = first; j < last; j += 3) {
      for (std::int64_t r = 0; r < whole; r += 4)
        TileRow<4, 3>(args, i + r, j, std::min(last, j + 3), k, depth);
    }
  }
  RestRows(args, i + whole, rows - whole, first, last, k, depth);
}

void RunTask(const GemmNtArgs<float>& args, std::int64_t i, std::int64_t rows, std::int64_t first,
             std::int64_t last) {
  // With few rows the cost is reading b, once: some columns at a time, over all of depth. With many rows a
  // block of a's depth stays in cache while all columns pass.
  const std::int64_t columns = rows <= kFewRows ? kColumns : last - first;
  for (std::int64_t j = first; j < last; j += columns) {
    for (std::int64_t k = 0; k < args.depth; k += kDepth) {
      RunColumns(args, i, rows, j, std::min(last, j + columns), k);
    }
  }
}

void ApplyPostOps(const GemmNtArgs<float>& args, std::int64_t i, std::int64_t first, std::int64_t last) {
  float* dst = args.dst + i * args.dst_step();
  const float* residual = args.residual != nullptr ? args.residual + i * args.columns : nullptr;
  for (std::int64_t j = first; j < last; ++j) {
    float x = args.depth == 0 ? 0.0f : args.scale * dst[j];
    if (args.bias != nullptr) x += args.bias[j];
    if (residual != nullptr) x += residual[j];
    dst[j] = x;
  }
  if (args.post_ops.activation != Activation::none) ActivateRow(args.post_ops, dst + first, last - first);
}

void Run(const GemmNtArgs<float>& args, std::int64_t begin, std::int64_t end) {
  const Blocks b = Cut(args);
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t i = task / b.column_blocks * b.rows;
    const std::int64_t rows = std::min(b.rows, args.rows - i);
    const std::int64_t first = task % b.column_blocks * b.columns;
    const std::int64_t last = std::min(args.columns, first + b.columns);
    RunTask(args, i, rows, first, last);
    for (std::int64_t r = 0; r < rows; ++r) ApplyPostOps(args, i + r, first, last);
  }
}

constexpr GemmNtKernel<float> kKernel{"gemm_nt_dot_f32", Tasks, Run};

}  // namespace

const GemmNtKernel<float>& GemmNtDotImpl() {
  return kKernel;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(GemmNtDotImpl);

const GemmNtKernel<float>& select_gemm_nt(Target target) {
  if (target == Target::ref) return gemm_nt_ref<float>();
  return MXINFER_DISPATCH(GemmNtDotImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE

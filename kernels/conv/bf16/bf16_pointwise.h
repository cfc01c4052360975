// Rows by panels of filters, with the post-ops of a convolution; and 1 x 1 convolutions of contiguous
// positions on top of it, a panel at a time, for kernels that fuse them with others.
//
//   const bf16::Rows rows = bf16::pointwise_rows(tile, problem, src, count, scratch);
//   for (std::int64_t column = 0; column < problem.filters; column += kBf16PanelColumns)
//     bf16::pointwise_panel(parts, args, rows, column, dst);
//
// A thread calls Bf16Tile::begin and end itself.
#pragma once

#include "kernels/conv/bf16/conv_bf16.h"

namespace mxinfer::kernels::bf16 {

/// Rows of a GEMM.
struct Rows {
  const BFloat16* first;
  std::int64_t stride, count;
};

/// Some filters, packed.
struct Panel {
  const std::uint32_t* first;
  std::int64_t width, pairs, padded_pairs;
};

/// `post` has what belongs to the first row and the panel's first column; its rows and sums are not read.
void multiply_panel(const Bf16Parts& parts, const Rows& rows, const Panel& panel, Bf16PostOpsArgs post);

/// Bytes for pointwise_rows().
std::size_t pointwise_scratch_bytes(const Bf16Tile& tile, const ConvProblem& problem, std::int64_t count);
/// `count` positions of src, of problem.channels each: in place, or copied where the tile reads more than
/// there is.
Rows pointwise_rows(const Bf16Tile& tile, const ConvProblem& problem, const BFloat16* src, std::int64_t count,
                    std::byte* scratch);

/// Where a panel's results go, and what is added: the first row and the panel's first column.
struct PanelTarget {
  BFloat16* dst = nullptr;  ///< or null: dst_f32
  float* dst_f32 = nullptr;
  const BFloat16* residual = nullptr;  ///< or null
  std::int64_t stride = 0;
};
/// The filters from `column` on. Of `args` it reads weight, bias, post-ops and the problem's channels and
/// filters.
void pointwise_panel(const Bf16Parts& parts, const ConvArgs& args, const Rows& rows, std::int64_t column,
                     const PanelTarget& target);

}  // namespace mxinfer::kernels::bf16

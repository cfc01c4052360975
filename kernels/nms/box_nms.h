// Non-maximum suppression over rows of numbers that hold a score, four coordinates and perhaps a class.
//
// Of each batch of rows those with score > valid_thresh and a class other than the background are visited
// from the highest score down (equal scores in the order of the input), the first `topk` of them. A row is
// kept unless intersection / union with a kept one of its class is above overlap_thresh. The kept rows come
// first in the output, in order; all others are -1.
//
// Two phases, so that the rows of one batch are filtered in parallel: filter() over blocks of kNmsBlock rows,
// then suppress() over batches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/boxes/boxes.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

inline constexpr std::int64_t kNmsBlock = 8192;  ///< rows

struct BoxNmsArgs {
  const void* src = nullptr;  ///< [batch][rows][width]
  void* dst = nullptr;        ///< like src; does not overlap it
  std::int64_t rows = 0;      ///< at most 2^31 - 1
  std::int64_t width = 0;
  std::int64_t topk = 0;  ///< 1 .. rows
  std::int64_t coord_start = 2, score_index = 1;
  std::int64_t id_index = -1;       ///< the index of the class; negative: no class
  std::int64_t background_id = -1;  ///< no effect if id_index is negative
  bool across_classes = false;      ///< rows of different classes suppress each other
  float valid_thresh = 0, overlap_thresh = 0.5f;
  BoxFormat in_format = BoxFormat::corner;
  /// Kept rows are converted to this format, but not those whose first coordinate is negative.
  BoxFormat out_format = BoxFormat::corner;
  std::byte* candidates = nullptr;  ///< candidate_bytes for each row of all batches
  std::int64_t* counts = nullptr;   ///< [batch][blocks()]
  Target target = Target::ref;      ///< whose instructions compare boxes

  std::int64_t blocks() const { return (rows + kNmsBlock - 1) / kNmsBlock; }
};

struct BoxNmsKernel {
  /// Finds the candidates of blocks [begin, end), block batch * blocks() + b, and fills their dst with -1.
  void (*filter)(const BoxNmsArgs& args, std::int64_t begin, std::int64_t end) = nullptr;
  /// Computes batches [begin, end) after filter() of all their blocks, with scratch_bytes(topk) of `scratch`.
  void (*suppress)(const BoxNmsArgs& args, std::byte* scratch, std::int64_t begin,
                   std::int64_t end) = nullptr;
  std::size_t candidate_bytes = 0;
  std::size_t (*scratch_bytes)(std::int64_t topk) = nullptr;
  Target target = Target::ref;  ///< whose instructions it uses
};

/// Null functions for types other than float32, float64 and float16. Every target gives the same bits.
BoxNmsKernel select_box_nms(ElementType type, Target target);

}  // namespace mxinfer::kernels

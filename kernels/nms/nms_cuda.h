// The suppressions of box_nms.h and multibox_detection.h on a GPU, and the one that they and others share.
// The same boxes are kept as on the CPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/scratch.h"
#include "kernels/cuda/stream.h"
#include "kernels/nms/box_nms.h"
#include "kernels/nms/multibox_detection.h"
#include "kernels/sort/sort_cuda.h"

namespace mxinfer::kernels::cuda {

/// Box j is dropped if a kept box i before it, of the same id, overlaps it. Boxes are taken in windows of
/// kNmsWindow: those of a window are compared with the boxes that were kept before, then with each other.
struct Suppression {
  std::int64_t batches = 0;
  std::int64_t boxes = 0;              ///< room for so many in each batch
  std::int64_t most = 0;               ///< at most so many are kept, 1 .. boxes
  float more = 0;                      ///< added to each side of an intersection
  float limit = 0.5f;                  ///< of intersection / union
  bool inclusive = false;              ///< drops boxes that are at the limit, too; an empty union is below it
  float* corners = nullptr;            ///< [batches][boxes][4]
  float* area = nullptr;               ///< [batches][boxes]
  std::int32_t* id = nullptr;          ///< [batches][boxes]
  std::int32_t* count = nullptr;       ///< [batches]: how many boxes there are
  std::int32_t* kept = nullptr;        ///< [batches][most]: which are kept, ascending
  std::int32_t* kept_count = nullptr;  ///< [batches]
  std::uint32_t* dropped = nullptr;    ///< [batches][kNmsWindow / 32], work space
  std::uint64_t* overlaps = nullptr;   ///< [batches][window][kNmsWindow / 64], work space
  std::int64_t window = 0;             ///< the most boxes of a window, a multiple of 64
};
inline constexpr std::int64_t kNmsWindow = 2048;

inline Suppression take_suppression(Scratch& scratch, std::int64_t batches, std::int64_t boxes,
                                    std::int64_t most) {
  Suppression s;
  s.batches = batches;
  s.boxes = boxes;
  s.most = most;
  s.window = std::min(kNmsWindow, (boxes + 63) / 64 * 64);
  s.corners = scratch.take<float>(batches * boxes * 4);
  s.area = scratch.take<float>(batches * boxes);
  s.id = scratch.take<std::int32_t>(batches * boxes);
  s.count = scratch.take<std::int32_t>(batches);
  s.kept = scratch.take<std::int32_t>(batches * most);
  s.kept_count = scratch.take<std::int32_t>(batches);
  s.dropped = scratch.take<std::uint32_t>(batches * kNmsWindow / 32);
  s.overlaps = scratch.take<std::uint64_t>(batches * s.window * (kNmsWindow / 64));
  return s;
}

/// Fills kept and kept_count from corners, area, id and count. For launchers.
Status suppress_boxes(const Suppression& suppression, const Stream& stream);

struct BoxNmsScratch {
  KeyRows keys;
  Suppression boxes;
};
inline BoxNmsScratch take_box_nms(Scratch& scratch, const BoxNmsArgs& args, std::int64_t batches) {
  const KeyRows keys = take_key_rows(scratch, batches, args.rows, args.topk);
  return {keys, take_suppression(scratch, batches, args.topk, args.topk)};
}
inline std::size_t box_nms_scratch(const BoxNmsArgs& args, std::int64_t batches) {
  Scratch scratch(nullptr);
  take_box_nms(scratch, args, batches);
  return scratch.bytes();
}
/// Of float32. args.candidates and args.counts have no effect; `scratch` is box_nms_scratch() bytes.
Status box_nms(const BoxNmsArgs& args, std::int64_t batches, void* scratch, const Stream& stream);

struct MultiBoxScratch {
  float* best;          ///< [batches][anchors]
  std::int32_t* id;     ///< [batches][anchors]
  std::int32_t* found;  ///< [batches][anchors]: anchors with a class, ascending
  std::int32_t* count;  ///< [batches]: how many
  // With suppression:
  std::int64_t wanted;  ///< rows that enter it
  float* rows;          ///< [batches][anchors][6]: as dst before it is sorted
  KeyRows keys;
  Suppression boxes;
};
inline bool suppresses(const MultiBoxDetectionArgs& args) {
  return args.nms_threshold > 0 && args.nms_threshold <= 1;
}
inline MultiBoxScratch take_multibox(Scratch& scratch, const MultiBoxDetectionArgs& args,
                                     std::int64_t batches) {
  MultiBoxScratch taken{};
  taken.best = scratch.take<float>(batches * args.anchors);
  taken.id = scratch.take<std::int32_t>(batches * args.anchors);
  taken.found = scratch.take<std::int32_t>(batches * args.anchors);
  taken.count = scratch.take<std::int32_t>(batches);
  if (!suppresses(args)) return taken;
  taken.wanted = args.topk > 0 ? std::min(args.topk, args.anchors) : args.anchors;
  taken.rows = scratch.take<float>(batches * args.anchors * 6);
  taken.keys = take_key_rows(scratch, batches, args.anchors, taken.wanted);
  taken.boxes = take_suppression(scratch, batches, taken.wanted, taken.wanted);
  return taken;
}
inline std::size_t multibox_detection_scratch(const MultiBoxDetectionArgs& args, std::int64_t batches) {
  Scratch scratch(nullptr);
  take_multibox(scratch, args, batches);
  return scratch.bytes();
}
/// args.best and args.id have no effect; `scratch` is multibox_detection_scratch() bytes.
Status multibox_detection(const MultiBoxDetectionArgs& args, std::int64_t batches, void* scratch,
                          const Stream& stream);

}  // namespace mxinfer::kernels::cuda

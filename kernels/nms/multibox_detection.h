// The detections of a single shot detector: class probabilities and box codes relative to anchors become rows
// (class, score, xmin, ymin, xmax, ymax), float32.
//
// The class of an anchor is that of the largest probability among classes 1.. (0 is the background), counted
// from 0 without the background; anchors below `threshold` are left out. Rows are in the order of the
// anchors, or, with 0 < nms_threshold <= 1, from the highest score down, where of two rows of one class that
// overlap by nms_threshold or more the second one's class becomes -1. Rows left over are -1.
//
// Two phases: classify() over blocks of anchors, then detect() over batches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

inline constexpr std::int64_t kAnchorBlock = 1024;

struct MultiBoxDetectionArgs {
  const float* cls_prob = nullptr;  ///< [batch][classes][anchors]
  const float* loc_pred = nullptr;  ///< [batch][anchors][4]
  const float* anchor = nullptr;    ///< [anchors][4] corners
  float* dst = nullptr;             ///< [batch][anchors][6]
  float* best = nullptr;            ///< [batch][anchors], written by classify()
  std::int32_t* id = nullptr;       ///< [batch][anchors], written by classify(): 0 if none
  std::int64_t classes = 0;
  std::int64_t anchors = 0;  ///< at most 2^31 - 1
  float threshold = 0.01f;
  bool clip = true;  ///< coordinates to [0, 1]
  float variances[4] = {0.1f, 0.1f, 0.2f, 0.2f};
  float nms_threshold = 0.5f;
  bool across_classes = false;
  std::int64_t topk = -1;       ///< with suppression, and if above 0: the most rows to keep
  Target target = Target::ref;  ///< whose instructions compare boxes; each gives the same bits

  std::int64_t blocks() const { return (anchors + kAnchorBlock - 1) / kAnchorBlock; }
};

/// Finds class and score for blocks [begin, end), block batch * blocks() + b.
void multibox_classify(const MultiBoxDetectionArgs& args, std::int64_t begin, std::int64_t end);

/// Bytes of scratch for multibox_detect().
std::size_t multibox_scratch(std::int64_t anchors);
/// Computes batches [begin, end).
void multibox_detect(const MultiBoxDetectionArgs& args, std::byte* scratch, std::int64_t begin,
                     std::int64_t end);

}  // namespace mxinfer::kernels

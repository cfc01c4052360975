// The training targets of a single shot detector: for each anchor the class of the object that it is matched
// to, and that object's box coded relative to the anchor. float32.
//
// Objects choose anchors by the largest overlap, each anchor at most once; then every other anchor whose
// largest overlap is above overlap_threshold takes that object. The rest are background: all of them, or,
// with mining_ratio > 0, that many for each matched anchor whose overlap is below mining_threshold, those
// with the lowest background score.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

struct MultiBoxTargetArgs {
  const float* anchor = nullptr;  ///< [anchors][4] corners
  const float* label = nullptr;   ///< [batch][objects][label_width]: class, corners; ends with a class of -1
  const float* cls_pred = nullptr;  ///< [batch][classes][anchors]
  float* loc_target = nullptr;      ///< [batch][anchors][4]
  float* loc_mask = nullptr;        ///< [batch][anchors][4]: 1 for matched anchors, else 0
  float* cls_target = nullptr;      ///< [batch][anchors]: class + 1, 0 for background, else ignore_label
  std::int64_t anchors = 0, objects = 0, label_width = 5, classes = 1;
  float overlap_threshold = 0.5f, ignore_label = -1;
  float mining_ratio = -1, mining_threshold = 0.5f;
  float variances[4] = {0.1f, 0.1f, 0.2f, 0.2f};
};

/// Bytes of scratch for an image.
std::size_t multibox_target_scratch(std::int64_t anchors, std::int64_t objects);
/// Computes images [begin, end).
void multibox_target(const MultiBoxTargetArgs& args, std::byte* scratch, std::int64_t begin,
                     std::int64_t end);

}  // namespace mxinfer::kernels

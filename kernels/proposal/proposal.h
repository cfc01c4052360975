// Region proposals of a Faster R-CNN: moves and scales the anchors around every pixel of a feature map by the
// predictions of a network, and selects the best by non-maximum suppression. float32.
//
// Two phases: place() moves anchors, pixel by pixel; select() sorts and suppresses them, image by image.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

struct ProposalArgs {
  const float* cls_prob = nullptr;   ///< [batch][2 * anchors][height][width]: background, then foreground
  const float* bbox_pred = nullptr;  ///< [batch][4 * anchors][height][width]
  const float* im_info = nullptr;    ///< [batch][3]: height, width and scale of the image
  const float* anchor = nullptr;     ///< [anchors][4]: corners around the first pixel
  float* dst = nullptr;              ///< [batch][post_nms][5]: image index, corners
  float* score = nullptr;            ///< [batch][post_nms]; may be null
  float* proposals = nullptr;        ///< [batch][count()][5]: corners, score; written by place()
  std::int64_t anchors = 0, height = 0, width = 0;
  std::int64_t stride = 16;     ///< image pixels for one pixel of the map
  std::int64_t pre_nms = 0;     ///< proposals that enter the suppression, 1 .. count()
  std::int64_t post_nms = 0;    ///< rows of the output, repeated if fewer are left
  float threshold = 0.7f;       ///< overlap above which a proposal is suppressed
  float min_size = 16;          ///< smaller ones, times the scale of the image, come last
  bool iou_loss = false;        ///< predictions are added to the corners
  Target target = Target::ref;  ///< whose instructions compare proposals; each gives the same bits

  std::int64_t pixels() const { return height * width; }
  std::int64_t count() const { return anchors * pixels(); }
};

/// The four corners of the anchor of a scale and ratio, for pixels of `stride`.
void proposal_anchor(float scale, float ratio, std::int64_t stride, float* corners);

/// Places the anchors of pixels [begin, end): pixel image * pixels() + p.
void proposal_place(const ProposalArgs& args, std::int64_t begin, std::int64_t end);

/// Bytes of scratch for proposal_select().
std::size_t proposal_scratch(const ProposalArgs& args);
/// Computes images [begin, end).
void proposal_select(const ProposalArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels

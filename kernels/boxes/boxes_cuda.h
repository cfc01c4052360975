// The box functions of boxes.h and multibox_prior.h on a GPU, of float32.
#pragma once

#include <cstdint>

#include "kernels/boxes/boxes.h"
#include "kernels/boxes/multibox_prior.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

Status box_iou(const BoxIouArgs& args, std::int64_t rows, const Stream& stream);
Status box_encode(const BoxEncodeArgs& args, std::int64_t rows, const Stream& stream);
Status box_decode(const BoxDecodeArgs& args, std::int64_t rows, const Stream& stream);

inline constexpr std::int64_t kMostPriorBoxes = 64;

/// Half the size of each box of a pixel, as its kernel takes them.
struct PriorBoxes {
  float half_width[kMostPriorBoxes];
  float half_height[kMostPriorBoxes];
};
/// args.sizes and args.ratios have no effect; there are at most kMostPriorBoxes boxes.
Status multibox_prior(const MultiBoxPriorArgs& args, const PriorBoxes& boxes, const Stream& stream);

}  // namespace mxinfer::kernels::cuda

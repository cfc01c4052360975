#include <algorithm>

#include "kernels/conv/separable/separable.h"

namespace mxinfer::kernels {

const SeparableKernel* select_separable(SeparableShape& shape, Target target, int threads) {
  // A strip of few rows computes as many of its neighbours' rows again, and images that small stay in cache
  // between the convolutions anyway.
  constexpr std::int64_t kLeastRows = 4;
  // There are as many strips as threads, so one slow thread keeps the others waiting; one convolution after
  // another is cut into smaller tasks. Without an expansion that costs little.
  constexpr std::int64_t kLeastRowsOfSeveral = 15;
  if (target == Target::ref) return nullptr;
  const std::int64_t images = shape.depthwise.batch;
  shape.strips = (threads + images - 1) / images;
  const std::int64_t least = shape.strips > 1 && !shape.expands ? kLeastRowsOfSeveral : kLeastRows;
  if (shape.depthwise.output[1] < least * shape.strips) return nullptr;
  return &separable_strips(target);
}

}  // namespace mxinfer::kernels

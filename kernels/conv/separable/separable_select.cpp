#include <algorithm>

#include "kernels/conv/separable/separable.h"

namespace mxinfer::kernels {
namespace {

/// Sets the strips for the number of threads; false if they would have fewer rows than `least`.
bool cut(SeparableShape& shape, int threads, std::int64_t least) {
  const std::int64_t images = shape.depthwise.batch;
  shape.strips = (threads + images - 1) / images;
  return shape.depthwise.output[1] >= least * shape.strips;
}

}  // namespace

const SeparableKernel* select_separable(SeparableShape& shape, Target target, int threads) {
  // A strip of few rows computes as many of its neighbours' rows again, and images that small stay in cache
  // between the convolutions anyway.
  constexpr std::int64_t kLeastRows = 4;
  // There are as many strips as threads, so one slow thread keeps the others waiting; one convolution after
  // another is cut into smaller tasks. Without an expansion that costs little.
  constexpr std::int64_t kLeastRowsOfSeveral = 15;
  const bool several = threads > shape.depthwise.batch;
  const std::int64_t least = several && !shape.expands ? kLeastRowsOfSeveral : kLeastRows;
  if (target == Target::ref || !cut(shape, threads, least)) return nullptr;
  return &separable_strips(target);
}

const SeparableKernel* select_separable_bf16(SeparableShape& shape, Target target, int threads) {
  // One convolution after another passes the depthwise ones as float32, twice the bytes of what goes in and
  // comes out, and rounds them in a pass of its own.
  constexpr std::int64_t kLeastRows = 3;
  shape.parts = bf16_fast_parts(target);
  if (shape.parts == nullptr || !cut(shape, threads, kLeastRows)) return nullptr;
  return &separable_strips_bf16(target);
}

}  // namespace mxinfer::kernels

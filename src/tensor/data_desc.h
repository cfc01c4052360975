// Questions about descriptors and shapes with free dimensions.
#pragma once

#include <mxinfer/signature.h>

#include <cstddef>

namespace mxinfer {

/// An input that takes the bytes of one file, or its path. It has no batch, and its contents have no size
/// before they are read.
inline bool is_file(Meaning meaning) {
  return meaning == Meaning::encoded_image || meaning == Meaning::image_path;
}

/// Whether the ranks are equal and every stated dimension (not -1) matches.
inline bool fits(const Shape& stated, const Shape& given) {
  if (stated.rank() != given.rank()) return false;
  for (std::size_t i = 0; i < given.rank(); ++i) {
    if (stated[i] >= 0 && stated[i] != given[i]) return false;
  }
  return true;
}

/// One sample as a batch of one, and the shape of a sample of batches.
inline Shape with_batch(const Shape& sample) {
  Shape shape{1};
  for (std::int64_t dim : sample) shape.push_back(dim);
  return shape;
}
inline Shape without_batch(const Shape& batch) {
  Shape shape;
  for (std::size_t i = 1; i < batch.rank(); ++i) shape.push_back(batch[i]);
  return shape;
}

}  // namespace mxinfer

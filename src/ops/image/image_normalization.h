// What the attributes of _image_normalize ask for.
#pragma once

#include <array>

#include "ops/image/image_shape.h"

namespace mxinfer::ops {

/// (x - mean) / deviation, by channel.
struct Normalization {
  ImageShape image;
  std::array<float, 3> mean;
  std::array<float, 3> deviation;
};

/// Error(invalid_argument) unless the shape is of channels-first images of 1 or 3 channels and the attributes
/// fit them.
Normalization normalization(const Attrs& attrs, const Shape& shape);

}  // namespace mxinfer::ops

// Parts of images that transforms of training draw, and what they become.
#pragma once

#include <cstddef>

#include "ops/image/image_shape.h"

namespace mxinfer::ops {

/// The region of an image (height, width, channels) as an image of its own; what of it lies outside of the
/// image is `fill`, the bytes of a pixel.
Tensor cut_part(const std::byte* image, const ImageShape& shape, DType dtype, const Region& region,
                const std::byte* fill);

/// The rows of an image of `pixel` bytes a pixel, mirrored across or down or both.
void flip_image(const std::byte* src, std::byte* dst, Size size, std::int64_t pixel, bool across, bool down);

}  // namespace mxinfer::ops

// The shape of images, (height, width, channels), and of batches of them, (n, height, width, channels).
//
//   const ImageShape image = image_shape(context.shape(0));    // Error unless 3-D or 4-D
//   return {{context.dtype(0), image.with(224, 224)}};         // as many images of another size
#pragma once

#include <mxinfer/vision/image.h>

#include "ops/op_def.h"

namespace mxinfer::ops {

struct ImageShape {
  bool batch = false;
  std::int64_t images = 1;  ///< 1 for a single image
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;

  /// As many images of another size, of the same rank.
  Shape with(std::int64_t new_height, std::int64_t new_width, std::int64_t new_channels) const;
  Shape with(std::int64_t new_height, std::int64_t new_width) const {
    return with(new_height, new_width, channels);
  }
  std::int64_t elements() const { return images * height * width * channels; }
  std::int64_t image_elements() const { return height * width * channels; }
  /// Error(invalid_argument) if a side is 0 or too large for int.
  Size size() const;
};

/// Error(invalid_argument) unless the shape is (height, width, channels), or (n, height, width, channels).
ImageShape image_shape(const Shape& shape);
/// The same for (channels, height, width) and (n, channels, height, width).
ImageShape planar_image_shape(const Shape& shape);
/// Error(invalid_argument) naming the shape unless there are 1 or 3 channels.
void require_grey_or_color(const ImageShape& image, const Shape& shape);

/// The attributes `interp` of MXNet and `size`: (width, height), or one number for both.
AttrSpec interp_attr(std::int64_t most);
Size size_attribute(const Attrs& attrs);

/// The attribute `interp`, 0 to 4; 9 chooses as mx.image does: cubic if both sides grow, area if both
/// shrink, else linear.
Interpolation interp_attribute(const Attrs& attrs, Size from, Size to);

}  // namespace mxinfer::ops

#include "ops/image/image_shape.h"

#include <limits>

namespace mxinfer::ops {
namespace {

ImageShape with_channels_at(const Shape& shape, bool planar) {
  if (shape.rank() != 3 && shape.rank() != 4) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(shape), "; ",
         planar ? "(channels, height, width) or (n, channels, height, width)"
                : "(height, width, channels) or (n, height, width, channels)",
         " was expected");
  }
  ImageShape image;
  image.batch = shape.rank() == 4;
  const std::size_t first = image.batch ? 1 : 0;
  if (image.batch) image.images = shape[0];
  image.channels = shape[planar ? first : first + 2];
  image.height = shape[planar ? first + 1 : first];
  image.width = shape[planar ? first + 2 : first + 1];
  return image;
}

bool is_side(std::int64_t n) {
  return n >= 1 && n <= std::numeric_limits<int>::max();
}

}  // namespace

Shape ImageShape::with(std::int64_t new_height, std::int64_t new_width, std::int64_t new_channels) const {
  Shape shape{new_height, new_width, new_channels};
  if (batch) shape.insert(0, images);
  return shape;
}

Size ImageShape::size() const {
  if (!is_side(width) || !is_side(height)) {
    fail(ErrorCode::invalid_argument, "the image is ", width, " x ", height,
         "; both sides must be at least 1");
  }
  return {static_cast<int>(width), static_cast<int>(height)};
}

ImageShape image_shape(const Shape& shape) {
  return with_channels_at(shape, false);
}

ImageShape planar_image_shape(const Shape& shape) {
  return with_channels_at(shape, true);
}

void require_grey_or_color(const ImageShape& image, const Shape& shape) {
  if (image.channels == 1 || image.channels == 3) return;
  fail(ErrorCode::invalid_argument, "data has shape ", to_string(shape), " with ", image.channels,
       " channels; 1 or 3 were expected");
}

AttrSpec interp_attr(std::int64_t most) {
  return integer_attr("interp", 1).at_least(0).at_most(static_cast<double>(most));
}

Size size_attribute(const Attrs& attrs) {
  const auto size = attrs.tuple("size");
  if (size.size() != 1 && size.size() != 2) {
    fail(ErrorCode::invalid_argument, "attribute size has ", size.size(),
         " numbers; (width, height), or one for both, was expected");
  }
  for (const std::int64_t side : size) {
    if (!is_side(side))
      fail(ErrorCode::invalid_argument, "attribute size holds ", side, "; sides must be at least 1");
  }
  return {static_cast<int>(size[0]), static_cast<int>(size.back())};
}

Interpolation interp_attribute(const Attrs& attrs, Size from, Size to) {
  const std::int64_t interp = attrs.integer("interp");
  if (interp == 9) return auto_interpolation(from, to);
  if (interp < 0 || interp > 4) {
    fail(ErrorCode::invalid_argument, "attribute interp is ", interp,
         "; it must be 0 (nearest), 1 (linear), 2 (cubic), 3 (area), 4 (Lanczos) or 9 (by the sizes)");
  }
  return static_cast<Interpolation>(interp);
}

}  // namespace mxinfer::ops

// The sizes and regions of MXNet's helper transforms.
#include <mxinfer/vision/image.h>

#include <limits>

#include "base/fail.h"

namespace mxinfer {
namespace {

void require_size(const char* what, Size size) {
  if (size.width < 1 || size.height < 1) {
    fail(ErrorCode::invalid_argument, what, " is ", size.width, " x ", size.height,
         "; both sides must be at least 1");
  }
}

/// numerator * factor / denominator, rounded down.
int scaled_side(int numerator, int factor, int denominator) {
  const std::int64_t side = std::int64_t{numerator} * factor / denominator;
  if (side > std::numeric_limits<int>::max()) {
    fail(ErrorCode::invalid_argument, "the longer side would be ", side, " pixels");
  }
  return static_cast<int>(side);
}

}  // namespace

Size MXINFER_ABI::resize_short_size(Size image, int short_side) {
  require_size("the image", image);
  if (short_side < 1)
    fail(ErrorCode::invalid_argument, "short_side is ", short_side, "; it must be at least 1");
  if (image.height > image.width) return {short_side, scaled_side(image.height, short_side, image.width)};
  return {scaled_side(image.width, short_side, image.height), short_side};
}

Size MXINFER_ABI::scale_down(Size image, Size wanted) {
  require_size("the image", image);
  require_size("the requested size", wanted);
  // In double, and rounded down only at the end, as MXNet's Python does.
  double width = wanted.width;
  double height = wanted.height;
  if (image.height < height) {
    width = width * image.height / height;
    height = image.height;
  }
  if (image.width < width) {
    height = height * image.width / width;
    width = image.width;
  }
  const Size size{static_cast<int>(width), static_cast<int>(height)};
  if (size.width < 1 || size.height < 1) {
    fail(ErrorCode::invalid_argument, "a part with the aspect ratio of ", wanted.width, " x ", wanted.height,
         " that fits into ", image.width, " x ", image.height, " pixels would be thinner than one pixel");
  }
  return size;
}

Region MXINFER_ABI::center_crop_region(Size image, Size wanted) {
  const Size size = scale_down(image, wanted);
  return {(image.width - size.width) / 2, (image.height - size.height) / 2, size.width, size.height};
}

Interpolation MXINFER_ABI::auto_interpolation(Size from, Size to) noexcept {
  if (to.width > from.width && to.height > from.height) return Interpolation::cubic;
  if (to.width < from.width && to.height < from.height) return Interpolation::area;
  return Interpolation::linear;
}

}  // namespace mxinfer

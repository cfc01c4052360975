#include "image/letterbox.h"

#include <algorithm>
#include <cmath>

namespace mxinfer::image {

Region letterbox_region(Size image, Size canvas) {
  const double ratio = std::min(static_cast<double>(canvas.width) / image.width,
                                static_cast<double>(canvas.height) / image.height);
  Region region;
  region.width = std::clamp(static_cast<int>(std::lround(image.width * ratio)), 1, canvas.width);
  region.height = std::clamp(static_cast<int>(std::lround(image.height * ratio)), 1, canvas.height);
  region.x = (canvas.width - region.width) / 2;
  region.y = (canvas.height - region.height) / 2;
  return region;
}

}  // namespace mxinfer::image

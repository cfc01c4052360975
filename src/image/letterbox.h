// Where a letterboxed image lies on its canvas.
#pragma once

#include <mxinfer/vision/image.h>

namespace mxinfer::image {

/// The largest centred region of `canvas` with the aspect ratio of `image`, its sides rounded to the nearest
/// pixel and at least 1. Precondition: no side is below 1.
Region letterbox_region(Size image, Size canvas);

}  // namespace mxinfer::image

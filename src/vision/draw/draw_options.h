// Defaults of DrawOptions that depend on the size of an image, and checks of their values.
#pragma once

#include <mxinfer/vision/draw.h>

namespace mxinfer::api {

/// In pixels.
struct DrawSizes {
  int line = 1;
  float capital = 8;   ///< the height of a capital letter
  float radius = 1.5;  ///< of discs on points
};

DrawSizes draw_sizes(Size image, const DrawOptions& options);

/// Throws Error(invalid_argument).
void check_drawing(const Image& image, const DrawOptions& options);

}  // namespace mxinfer::api

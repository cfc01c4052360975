// Point: a position in an image, in pixels from the upper left corner, or in the units of the boxes beside
// it.
//
//   const std::vector<mxinfer::Point> eyes = {{120.5f, 80.0f}, {152.0f, 81.5f}};
//   mxinfer::Image marked = mxinfer::draw_points(mxinfer::read_image("face.jpg"), eyes);
#pragma once

#include <mxinfer/export.h>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// A position in an image.
struct Point {
  float x = 0;
  float y = 0;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

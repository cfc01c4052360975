// A point of an image, in pixels from its upper left corner:
//
//   mxinfer::Image marked = mxinfer::draw_points(image, std::vector<mxinfer::Point>{{120.5f, 80.0f}});
#pragma once

#include <mxinfer/export.h>

namespace mxinfer {
inline namespace MXINFER_ABI {

struct Point {
  float x = 0;
  float y = 0;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer

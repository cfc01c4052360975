// Colours of classes, and of the letters on them.
//
//   const Color color = color_of(found.index, options.colors);
//   const Color letters = readable_on(color);
#pragma once

#include <mxinfer/vision/draw.h>

#include <vector>

namespace mxinfer::api {

/// Of the palette by the remainder of the index, also of one below 0; class_color() if it is empty.
Color color_of(int index, const std::vector<Color>& palette);

/// Black or white, whichever has more contrast to the colour.
Color readable_on(Color background);

}  // namespace mxinfer::api

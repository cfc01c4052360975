// The colours of classes, and of text on them.
//
//   const Color color = color_of(found.index, options.colors);
//   const Color letters = readable_on(color);
#pragma once

#include <mxinfer/vision/draw.h>

#include <vector>

namespace mxinfer::api {

/// The palette's colour at the index modulo its size, for negative indices too; class_color() if the palette
/// is empty.
Color color_of(int index, const std::vector<Color>& palette);

/// Black or white, whichever has more contrast to the colour.
Color readable_on(Color background);

}  // namespace mxinfer::api

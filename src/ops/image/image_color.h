// What _mxinfer_convert_color does to the pixels of an image.
#pragma once

#include <optional>

#include "kernels/image/convert_color.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct ColorChange {
  std::optional<kernels::ColorConversion> kind;  ///< nothing if the channels are those that are wanted
  std::int64_t from, to;                         ///< channels
};

/// Of images of so many channels.
ColorChange color_change(const Attrs& attrs, std::int64_t channels);

}  // namespace mxinfer::ops

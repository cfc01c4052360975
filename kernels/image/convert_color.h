// Pixels from one order of colours to another, or to and from grey:
//
//   swap       (a, b, c) to (c, b, a)
//   grey       (r, g, b), or (b, g, r), to 0.299 r + 0.587 g + 0.114 b; uint8 with weights of 14 bits after
//              the point, rounded: (4899 r + 9617 g + 1868 b + 8192) >> 14
//   from_grey  (v) to (v, v, v)
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

enum class ColorConversion : std::uint8_t { swap, rgb_to_grey, bgr_to_grey, from_grey };

/// `pixels` pixels; src and dst do not overlap.
using ConvertColorFn = void (*)(const void* src, void* dst, std::int64_t pixels);

/// For uint8, float and double; null for other types.
ConvertColorFn select_convert_color(ElementType type, ColorConversion conversion);

}  // namespace mxinfer::kernels

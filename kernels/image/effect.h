// Changes of brightness and colour, pixel by pixel, for (pixels, channels) of 1 or 3 channels:
//
//   brightness  x a
//   contrast    x a + b, b = (1 - a) times the grey mean of the image
//   saturation  x a + (1 - a) 0.114 B: MXNet takes the last term of the grey value for all of it
//   hue         RGB to hue, lightness and saturation; hue + 360 a degrees; and back
//   lighting    x + shift[c]
//
// in float, for doubles the sums of contrast and saturation in double. uint8 is clamped to 0..255 and cut,
// other types are converted as convert() of element_type.h does. Grey images have no colour: saturation,
// hue and lighting copy them. src and dst may be the same memory.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

struct ImageEffect {
  enum class Kind : std::uint8_t { brightness, contrast, saturation, hue, lighting };
  Kind kind = Kind::brightness;
  float amount = 1.0f;  ///< a
  float offset = 0.0f;  ///< b of contrast
  float shift[3] = {};  ///< of lighting
};

/// Pixels [begin, end) of an image.
using ImageEffectFn = void (*)(const ImageEffect& effect, const void* src, void* dst, std::int64_t channels,
                               std::int64_t begin, std::int64_t end);
/// Null for types without one.
ImageEffectFn select_image_effect(ElementType type);

/// The mean of 0.299 R + 0.587 G + 0.114 B over all pixels, or of a grey image's pixels, summed one by one
/// in float as MXNet does; 0 for no pixels.
using ImageGreyMeanFn = float (*)(const void* src, std::int64_t channels, std::int64_t pixels);
ImageGreyMeanFn select_image_grey_mean(ElementType type);

}  // namespace mxinfer::kernels

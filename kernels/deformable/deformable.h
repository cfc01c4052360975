// The patches of a deformable convolution: like those of a convolution, but each tap of each output pixel is
// moved by an offset of its own and read between pixels, bilinearly:
//
//   columns[c * taps + k][o] = mask[t][o] * src[c] at (y, x)
//   y = oy * stride + ky * dilate - pad + offset[2 * t][o]
//   x = ox * stride + kx * dilate - pad + offset[2 * t + 1][o]
//
// with k = ky * kernel_width + kx, t = g * taps + k and g the offset group of channel c. Pixels outside of
// the image are 0; DeformableBorder has the two ways to interpolate at its border.
//
//   deformable_columns(args, first, count, columns);   // columns: channels * taps rows of count pixels
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

enum class DeformableBorder : std::uint8_t {
  clamped,  ///< a place in [0, size) counts, behind the last pixel's middle the last pixel; others are 0
  faded     ///< a place in (-1, size) counts, and pixels outside are 0 in its interpolation
};

/// Height, then width, in pairs. Preconditions: sizes at least 1; channels a multiple of offset_groups.
struct DeformableShape {
  std::int64_t channels = 1, offset_groups = 1;
  std::int64_t input[2] = {1, 1}, output[2] = {1, 1};
  std::int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, pad[2] = {0, 0}, dilate[2] = {1, 1};
  DeformableBorder border = DeformableBorder::clamped;

  constexpr std::int64_t taps() const { return kernel[0] * kernel[1]; }
  constexpr std::int64_t pixels() const { return output[0] * output[1]; }
};

/// One image.
template <typename T>
struct DeformableArgs {
  DeformableShape shape;
  const T* src = nullptr;     ///< (channels, input)
  const T* offset = nullptr;  ///< (offset_groups, taps, 2, output)
  const T* mask = nullptr;    ///< (offset_groups, taps, output), or null: all 1
};

/// Output pixels that one call computes, at most.
inline constexpr std::int64_t kDeformablePixels = 64;

/// Output pixels [first, first + count), row by row of the image. T: float, double.
template <typename T>
void deformable_columns(const DeformableArgs<T>& args, std::int64_t first, std::int64_t count, T* columns);

}  // namespace mxinfer::kernels

// The colour of JPEGs that store it for every column but only every second row (4:4:0).
//
//   image::color_of_half_rows(ycc, rgb, width, height, /*bgr=*/false);
//
// Releases of libjpeg-turbo round its interpolation differently; this is how the one in MXNet 1.9.1 (2.0.2)
// does it.
#pragma once

#include <cstdint>

namespace mxinfer::image {

/// ycc: height * width pixels Y, Cb, Cr, in which each row of colour appears twice, without interpolation. A
/// row takes three quarters of its own colour and a quarter of the nearest other; then RGB is Y + 1.402 Cr',
/// Y - 0.34414 Cb' - 0.71414 Cr', Y + 1.772 Cb' with 16 fractional bits, Cb' = Cb - 128.
void color_of_half_rows(const std::uint8_t* ycc, std::uint8_t* out, std::int64_t width, std::int64_t height,
                        bool bgr);

}  // namespace mxinfer::image

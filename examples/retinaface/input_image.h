// Prepares an image of any size for the network, and maps faces back to the image.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

#include "faces/face.h"

namespace retinaface {

struct Input {
  mxinfer::Tensor tensor;  ///< (1, 3, height, width): RGB, 0 to 255
  mxinfer::Size image{};
  mxinfer::Size resized{};  ///< the part of the tensor that the image fills, at the upper left
};

/// Resizes the image to `long_side` pixels on its longer side, and adds black below and to the right up to
/// multiples of 32, the stride of the coarsest map. Images of nearly the same shape then share a plan.
Input prepare(const mxinfer::Image& image, int long_side);

/// Returns the face in pixels of the image, its box clipped to the image.
faces::Face to_image(const faces::Face& face, const Input& input);

}  // namespace retinaface

// An image of any size as the network's input, and the way back.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

#include "faces/face.h"

namespace retinaface {

struct Input {
  mxinfer::Tensor tensor;  ///< (1, 3, height, width): RGB, 0 to 255
  mxinfer::Size image{};
  mxinfer::Size resized{};  ///< the part of the tensor that the image fills, at its upper left
};

/// The image with its longer side at `long_side` pixels, and black below and to the right of it up to
/// multiples of 32, the coarsest map's stride: then images of nearly the same shape share a plan.
Input prepare(const mxinfer::Image& image, int long_side);

/// The face in pixels of the image, its box cut at the edges.
faces::Face to_image(const faces::Face& face, const Input& input);

}  // namespace retinaface

// The first stage: det1 looks at the image in many sizes, so that a face of any size is as large as its
// window in one of them, and proposes boxes.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

#include "mtcnn/boxes.h"

namespace mtcnn {

/// The scales of the pyramid for an image of that size, from large to small: at the first, a face of 20
/// pixels has the 12 pixels of det1's window; at the last, the image's shorter side has.
std::vector<double> pyramid_scales(mxinfer::Size image);

/// Squares at whole pixels that may hold a face.
std::vector<mxinfer::Box> propose(const mxinfer::Predictor& proposer, const mxinfer::Image& image);

}  // namespace mtcnn

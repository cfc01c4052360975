// The first stage: det1 proposes boxes in copies of the image at many sizes, so that a face of any size fits
// its window in one of them.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

#include "mtcnn/boxes.h"

namespace mtcnn {

/// The scales of the pyramid for an image of that size, from large to small. At the first scale a face of 20
/// pixels fills the 12 pixels of det1's window; at the last, the image's shorter side does.
std::vector<double> pyramid_scales(mxinfer::Size image);

/// Returns squares at whole pixels that may hold a face.
std::vector<mxinfer::Box> propose(const mxinfer::Predictor& proposer, const mxinfer::Image& image);

}  // namespace mtcnn

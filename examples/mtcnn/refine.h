// The second and the third stage: two networks check the proposed boxes.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

#include "faces/face.h"

namespace mtcnn {

/// Returns the boxes in which det2 finds a face, moved to the face.
std::vector<mxinfer::Box> refine(const mxinfer::Predictor& refiner, const mxinfer::Image& image,
                                 const std::vector<mxinfer::Box>& boxes);

/// Returns the faces that det3 finds in the boxes, with their landmarks, best first.
std::vector<faces::Face> finish(const mxinfer::Predictor& finisher, const mxinfer::Image& image,
                                const std::vector<mxinfer::Box>& boxes);

}  // namespace mtcnn

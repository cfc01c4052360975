// The second and the third stage: two networks look closer at what was proposed.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

#include "faces/face.h"

namespace mtcnn {

/// Those boxes in which det2 sees a face, moved to where it sees it.
std::vector<mxinfer::Box> refine(const mxinfer::Predictor& refiner, const mxinfer::Image& image,
                                 const std::vector<mxinfer::Box>& boxes);

/// Those in which det3 sees a face, with their landmarks, best first.
std::vector<faces::Face> finish(const mxinfer::Predictor& finisher, const mxinfer::Image& image,
                                const std::vector<mxinfer::Box>& boxes);

}  // namespace mtcnn

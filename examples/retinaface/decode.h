// Decodes RetinaFace's output maps into faces.
#pragma once

#include <mxinfer/mxinfer.h>

#include <vector>

#include "faces/face.h"

namespace retinaface {

/// The names of the network's outputs in the order in which decode() reads them: for each level, from the
/// coarse to the fine one, scores (1, 4, rows, columns), offsets of boxes (1, 8, rows, columns) and of
/// landmarks (1, 20, rows, columns).
std::vector<std::string> output_names();

/// Returns the faces that score at least `threshold`, in pixels of the network's input, overlapping ones too.
/// Throws Error(unsupported) for maps of other shapes.
std::vector<faces::Face> decode(const std::vector<mxinfer::Tensor>& maps, float threshold);

/// Drops the faces that overlap a better one by more than `iou_threshold`; returns the others, best first.
std::vector<faces::Face> suppress(const std::vector<faces::Face>& found, float iou_threshold);

}  // namespace retinaface

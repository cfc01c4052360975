// How pixels get their labels, from the struct of the C interface.
#pragma once

#include <mxinfer/vision/image_segmenter.h>
#include <mxinfer_c/image_segmenter.h>

namespace mxinfer::c_api {

/// NULL stands for the defaults.
SegmentOptions segment_options_of(const mxinfer_segment_options* options);

}  // namespace mxinfer::c_api

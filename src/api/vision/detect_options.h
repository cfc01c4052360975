// Checks the options of a detector's call.
#pragma once

#include <mxinfer/vision/object_detector.h>

#include <cmath>

#include "base/fail.h"
#include "vision/detect/suppress.h"

namespace mxinfer::api {

/// Throws Error(invalid_argument).
inline void check_detect_options(const DetectOptions& options) {
  if (options.max_detections && *options.max_detections < 1) {
    fail(ErrorCode::invalid_argument, "DetectOptions::max_detections is ", *options.max_detections,
         "; give at least 1");
  }
  if (std::isnan(options.score_threshold))
    fail(ErrorCode::invalid_argument, "DetectOptions::score_threshold is not a number");
  if (options.nms) check_nms_options(*options.nms, "DetectOptions::nms.");
}

}  // namespace mxinfer::api

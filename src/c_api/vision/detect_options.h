// Detection options from the struct of the C interface.
#pragma once

#include <mxinfer/vision/object_detector.h>
#include <mxinfer_c/object_detector.h>

#include "c_api/structs.h"

namespace mxinfer::c_api {

DetectOptions detect_options_of(const mxinfer_detect_options* options);

}  // namespace mxinfer::c_api

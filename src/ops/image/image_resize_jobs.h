// The jobs of the operators that resize images (image_resize_step.h), by their attributes.
#pragma once

#include <string_view>

#include "ops/image/image_resize_step.h"

namespace mxinfer::ops {

using ResizeJobFn = ResizeJob (*)(const Attrs&, const ImageShape&);

/// Of _image_resize, _cvimresize, _mxinfer_resize_short, _mxinfer_center_crop or _mxinfer_letterbox; null for
/// another name.
ResizeJobFn resize_job_of(std::string_view op);

}  // namespace mxinfer::ops

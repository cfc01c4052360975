// Options of the classes that take images, from the options by name.
#pragma once

#include <mxinfer/settings.h>
#include <mxinfer/vision/preprocess.h>
#include <mxinfer_c/options.h>

namespace mxinfer::c_api {

/// Rejects `min_score`, and `activation` unless `scores` are taken, which a class of this name would not
/// follow.
ImageOptions image_options_of(const mxinfer_options* options, const char* class_name, bool scores);

}  // namespace mxinfer::c_api

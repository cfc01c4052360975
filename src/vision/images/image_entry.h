// How images enter a model: preprocessed here, or unchanged if it has transforms that resize them.
#pragma once

#include <mxinfer/vision/preprocess.h>

namespace mxinfer::api {

struct ImageEntry {
  bool model_resizes = false;  ///< images are run as they were decoded, of any size
  ImageInput input;            ///< height and width only if the model does not resize
};

/// Throws Error(invalid_argument) if the model's input is not an image, and for options that would repeat
/// what the model does itself.
ImageEntry image_entry(const Model& model, const ImageOptions& options);

}  // namespace mxinfer::api

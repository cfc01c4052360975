// How images enter a model: preprocessed here, or as they are where the model has transforms of its own.
#pragma once

#include <mxinfer/vision/preprocess.h>

#include "vision/preprocessing.h"

namespace mxinfer::api {

enum class ImageWay {
  preprocessed,  ///< by ImageOptions::preprocess, all to one size
  pixels,        ///< as decoded: the model resizes
  encoded,       ///< as the bytes of their files
  path,          ///< as the names of their files
};

struct ImageEntry {
  ImageWay way = ImageWay::preprocessed;
  ImageInput input;  ///< height and width only where images are preprocessed
};

/// Throws Error(invalid_argument) where the model's input is no image, and for options that would do again
/// what the model does itself.
ImageEntry image_entry(const Model& model, const ImageOptions& options);

}  // namespace mxinfer::api

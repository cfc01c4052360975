// How pictures enter a model: preprocessed here, or as they are where the model has transforms of its own.
#pragma once

#include <mxinfer/vision/preprocess.h>

#include "api/preprocess.h"

namespace mxinfer::api {

enum class PictureWay {
  preprocessed,  ///< by ImageOptions::preprocess, all to one size
  pixels,        ///< as decoded: the model resizes
  encoded,       ///< as the bytes of their files
  path,          ///< as the names of their files
};

struct PictureInput {
  PictureWay way = PictureWay::preprocessed;
  ImageInput input;  ///< height and width only where pictures are preprocessed
};

/// Throws Error(invalid_argument) where the model's input is no picture, and for options that would do again
/// what the model does itself.
PictureInput picture_input(const Model& model, const ImageOptions& options);

}  // namespace mxinfer::api

// The options that all classes for images share.
#pragma once

#include <mxinfer/vision/preprocess.h>

namespace mxinfer::api {

/// How images are read and preprocessed, and what they run with, of DetectorOptions and its like.
template <typename ClassOptions>
ImageOptions image_options_of(const ClassOptions& options) {
  ImageOptions image;
  image.preprocess = options.preprocess;
  if constexpr (requires { options.apply_exif; }) image.apply_exif = options.apply_exif;
  image.height = options.height;
  image.width = options.width;
  image.options = options.options;
  return image;
}

}  // namespace mxinfer::api

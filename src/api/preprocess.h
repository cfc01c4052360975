// From a picture to one sample of a network's input.
#pragma once

#include <mxinfer/image_classifier.h>

#include <cstdint>

namespace mxinfer::api {

/// What the network's input looks like.
struct ImageInput {
  int channels = 3;
  int height = 0;
  int width = 0;
  bool channels_last = false;  ///< (H, W, C) rather than (C, H, W)
  DType dtype = DType::float32;
};

/// Throws Error(invalid_argument) for options that contradict themselves or the input: std of 0, scaling into
/// uint8.
void check_preprocess(const Preprocess& options, const ImageInput& input);

/// Writes one sample, input.channels * height * width elements of input.dtype.
void preprocess_image(const Image& image, const Preprocess& options, const ImageInput& input, void* sample);

/// Where a picture lies in the network's input: x of the picture = (x of the input - offset_x) * scale_x.
struct PictureMap {
  double offset_x = 0;
  double offset_y = 0;
  double scale_x = 1;
  double scale_y = 1;
};

/// What preprocess_image does to the coordinates of a picture of that size, which is not empty.
PictureMap map_picture(Size picture, const Preprocess& options, const ImageInput& input);

}  // namespace mxinfer::api

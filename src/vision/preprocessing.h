// From an image to one sample of a network's input.
#pragma once

#include <mxinfer/vision/preprocess.h>

namespace mxinfer::api {

/// Throws Error(invalid_argument) for options that contradict themselves or the input: std of 0, scaling into
/// uint8.
void check_preprocess(const Preprocess& options, const ImageInput& input);

/// Writes one sample, input.channels * height * width elements of input.dtype.
void preprocess_image(const Image& image, const Preprocess& options, const ImageInput& input, void* sample);

/// Of so many samples.
Shape batch_shape(const ImageInput& input, std::int64_t count);

/// What preprocess_image does to the coordinates of an image of that size, which is not empty.
PictureMap map_image(Size image, const Preprocess& options, const ImageInput& input);

}  // namespace mxinfer::api

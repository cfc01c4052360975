// Preprocess as transforms, and its effect on coordinates.
#pragma once

#include <mxinfer/tools/transforms.h>
#include <mxinfer/vision/preprocess.h>

#include <vector>

namespace mxinfer::api {

/// Whether pixels go into the network as floats, which scale, mean and std may change.
inline bool takes_floats(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float16;
}

/// Throws Error(invalid_argument) for options that contradict themselves or the input: std of 0, scaling into
/// uint8.
void check_preprocess(const Preprocess& options, const ImageInput& input);

/// The operators that turn an image, uint8 (1, H, W, 1) or RGB (1, H, W, 3), into a sample of the network's
/// input. Precondition: check_preprocess() has passed.
std::vector<Transform> transforms_of(const Preprocess& options, const ImageInput& input);

/// Of so many samples.
Shape batch_shape(const ImageInput& input, std::int64_t count);

/// How transforms_of() map the coordinates of an image of that size, which is not empty.
ImageMap map_image(Size image, const Preprocess& options, const ImageInput& input);

}  // namespace mxinfer::api

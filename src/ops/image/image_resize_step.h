// The step of every operator that resizes images: a region of each is resized and put on a canvas.
//
//   ResizeJob job{whole(image), {224, 224}, Interpolation::linear};
//   job.canvas = job.to;
//   return resize_step(context, image, job);
#pragma once

#include "ops/image/image_shape.h"
#include "ops/random/random_draws.h"

namespace mxinfer::ops {

struct ResizeJob {
  Region from;  ///< inside the image
  Size to;      ///< what the region becomes
  Interpolation interpolation = Interpolation::linear;
  Size canvas;  ///< the size of the output
  int x = 0;    ///< where on the canvas it is put
  int y = 0;
  double fill = 0;  ///< every channel of the canvas around it
  /// If it is set, the region's corner in each image: how far between 0 and what its size leaves free,
  /// 0..1, across and down.
  std::function<std::pair<float, float>(RandomDraws&)> place = nullptr;
};

ResizeJob resize_whole(Size from, Size to, Interpolation interpolation);

/// Error(unsupported) unless images of that dtype can be resized: uint8, float32, float64.
void require_resizable(DType dtype);

/// Error(invalid_argument) if a dtype of images cannot hold `value`; `attribute` is named.
void require_pixel_value(const char* attribute, DType dtype, double value);

/// Input 0 to output 0, which is image.with(canvas.height, canvas.width).
Step resize_step(LowerContext& context, const ImageShape& image, const ResizeJob& job);

}  // namespace mxinfer::ops

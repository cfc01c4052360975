// What nodes of operators on images ask of their kernels, for the backends that have them.
#pragma once

#include <array>

#include "kernels/image/border.h"
#include "kernels/image/convert_color.h"
#include "kernels/image/effect_draws.h"
#include "ops/image/image_resize_step.h"
#include "ops/image/image_shape.h"

namespace mxinfer::ops {

struct ImageBorder {
  kernels::ImageBorderArgs args;
  std::int64_t images;
  Tensor pixel;  ///< of a border that is constant
};

/// Of _cvcopyMakeBorder or _mxinfer_pad_image.
ImageBorder image_border(const OpProblem& node);

struct ColorChange {
  std::optional<kernels::ColorConversion> kind;  ///< nothing if the channels are those that are wanted
  std::int64_t from, to;                         ///< channels
};

/// Of images of so many channels.
ColorChange color_change(const Attrs& attrs, std::int64_t channels);

/// Of _image_adjust_lighting or one of the random changes of colour.
kernels::EffectDraws effect_draws(std::string_view op, const Attrs& attrs);

/// (x - mean) / deviation, by channel.
struct Normalization {
  ImageShape image;
  std::array<float, 3> mean;
  std::array<float, 3> deviation;
};

/// Error(invalid_argument) unless the shape is of channels-first images of 1 or 3 channels and the attributes
/// fit them.
Normalization normalization(const Attrs& attrs, const Shape& shape);

/// Of _image_random_crop; its place is drawn from the attributes xrange and yrange.
ResizeJob random_crop_job(const Attrs& attrs, const ImageShape& image);

using ResizeJobFn = ResizeJob (*)(const Attrs&, const ImageShape&);

/// Of _image_resize, _cvimresize, _mxinfer_resize_short, _mxinfer_center_crop or _mxinfer_letterbox; null for
/// another name.
ResizeJobFn resize_job_of(std::string_view op);

}  // namespace mxinfer::ops

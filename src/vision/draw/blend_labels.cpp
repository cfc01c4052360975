#include <mxinfer/vision/draw.h>

#include <cstdint>

#include "base/fail.h"
#include "vision/draw/draw_canvas.h"
#include "vision/draw/draw_colors.h"

namespace mxinfer {
namespace {

void check_blend(const Image& image, const TensorView& labels, const BlendOptions& options) {
  if (image.empty()) fail(ErrorCode::invalid_argument, "the image is empty: there is nothing to draw into");
  const Shape wanted{image.height(), image.width()};
  const bool dtype_fits =
      labels.dtype() == DType::uint8 || labels.dtype() == DType::int32 || labels.dtype() == DType::int64;
  if (!dtype_fits || labels.shape() != wanted) {
    fail(ErrorCode::invalid_argument, "the labels are ", to_string(labels.dtype()), " ",
         to_string(labels.shape()), "; for this image they must be uint8, int32 or int64 ", to_string(wanted),
         ", a label for each pixel. If they have the size of a network's input, resize them with "
         "Interpolation::nearest");
  }
  if (!(options.opacity >= 0 && options.opacity <= 1)) {
    fail(ErrorCode::invalid_argument, "BlendOptions::opacity is ", options.opacity,
         "; it must be from 0 to 1");
  }
}

template <typename Label>
void blend(api::Canvas& canvas, const Label* labels, const BlendOptions& options) {
  // Neighbours mostly have the same label, so its colour is looked up once.
  std::int64_t last = -1;
  Color color;
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      const auto label = static_cast<std::int64_t>(*labels++);
      if (label < 0 || label == options.background) continue;
      if (label != last) color = api::color_of(static_cast<int>(label & 0x7fffffff), options.palette);
      last = label;
      canvas.mix(x, y, color, options.opacity);
    }
  }
}

}  // namespace

Image MXINFER_ABI::blend_labels(const Image& image, const TensorView& labels,
                                const BlendOptions& options) try {
  check_blend(image, labels, options);
  api::Canvas canvas(image);
  if (labels.dtype() == DType::uint8) {
    blend(canvas, labels.data<std::uint8_t>(), options);
  } else if (labels.dtype() == DType::int32) {
    blend(canvas, labels.data<std::int32_t>(), options);
  } else {
    blend(canvas, labels.data<std::int64_t>(), options);
  }
  return std::move(canvas).finish();
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer

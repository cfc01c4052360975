// Preprocessing for programs that feed a predictor themselves.
#include <algorithm>

#include "base/fail.h"
#include "runtime/plan_options.h"
#include "vision/images/image_entry.h"
#include "vision/images/preprocessing.h"
#include "vision/images/preprocessor.h"

namespace mxinfer {
namespace {

void check_image_input(const ImageInput& input) {
  const bool fits = (input.channels == 1 || input.channels == 3) && input.height > 0 && input.width > 0 &&
                    (api::takes_floats(input.dtype) || input.dtype == DType::uint8);
  if (fits) return;
  fail(ErrorCode::invalid_argument, "ImageInput says ", input.channels, " channels of ", input.width, " x ",
       input.height, " ", to_string(input.dtype),
       "; expected 1 or 3 channels, sides of at least 1, and float32, float16 or uint8");
}

// Maps a coordinate of the network's input back into the image and clips it at the edge.
float led_back(float value, double offset, double scale, int side) {
  return static_cast<float>(
      std::clamp((static_cast<double>(value) - offset) * scale, 0.0, static_cast<double>(side)));
}

}  // namespace

Box ImageMap::to_source(const Box& box) const noexcept {
  return {led_back(box.left, offset_x, scale_x, source.width),
          led_back(box.top, offset_y, scale_y, source.height),
          led_back(box.right, offset_x, scale_x, source.width),
          led_back(box.bottom, offset_y, scale_y, source.height)};
}

Point ImageMap::to_source(const Point& point) const noexcept {
  return {static_cast<float>((static_cast<double>(point.x) - offset_x) * scale_x),
          static_cast<float>((static_cast<double>(point.y) - offset_y) * scale_y)};
}

ImageInput MXINFER_ABI::image_input(const Model& model, const ImageOptions& options) try {
  const api::ImageEntry entry = api::image_entry(model, options);
  if (entry.model_resizes) {
    fail(ErrorCode::invalid_argument, "model '", printable(model.name()),
         "' preprocesses its images itself; give them to predict_list, or load the bare network with "
         "LoadOptions::load_transforms = false");
  }
  return entry.input;
} catch (...) {
  throw_as_error();
}

PreparedImages MXINFER_ABI::prepare_images(Span<const Image> images, const Preprocess& options,
                                           const ImageInput& input) try {
  check_image_input(input);
  const Options on_this_thread{.threads = 1};
  const auto how = runtime::plan_options(on_this_thread, on_this_thread.threads);
  const auto memory =
      std::make_shared<runtime::MemoryBudget>(runtime::MemoryLimits{on_this_thread.max_plans, 1});
  api::Preprocessor preprocessor(options, input, how, memory);
  ThreadArena arena(on_this_thread.threads);
  runtime::BatchRunner runner(arena);
  PreparedImages prepared{preprocessor.batch_of(images, runner, nullptr), {}};
  for (const Image& image : images) prepared.maps.push_back(api::map_image(image.size(), options, input));
  return prepared;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer

#include <mxinfer/vision/draw.h>
#include <mxinfer_c/draw.h>

#include <algorithm>
#include <string>
#include <vector>

#include "c_api/call.h"
#include "c_api/structs.h"
#include "c_api/views.h"
#include "c_api/vision/handles.h"
#include "c_api/vision/images.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

std::vector<Color> colors_of(const std::uint8_t* colors, std::size_t count, const char* name) {
  std::vector<Color> list;
  if (count > 0) need(colors, name);
  for (std::size_t i = 0; i < count; ++i)
    list.push_back({colors[3 * i], colors[3 * i + 1], colors[3 * i + 2]});
  return list;
}

DrawOptions draw_options_of(const mxinfer_draw_options* options) {
  DrawOptions result;
  if (options == nullptr) return result;
  const mxinfer_draw_options given = read_struct(*options);
  result.line_width = given.line_width;
  if (given.text_scale != 0) result.text_scale = given.text_scale;
  result.labels = given.no_labels == 0;
  result.scores = given.no_scores == 0;
  result.colors = colors_of(given.colors, given.color_count, "options.colors");
  return result;
}

BlendOptions blend_options_of(const mxinfer_blend_options* options) {
  BlendOptions result;
  if (options == nullptr) return result;
  const mxinfer_blend_options given = read_struct(*options);
  if (given.opacity != 0) result.opacity = given.opacity;
  result.background = given.background;
  result.palette = colors_of(given.palette, given.palette_count, "options.palette");
  return result;
}

std::vector<Detection> detections_of(const mxinfer_detection* boxes, std::size_t count) {
  std::vector<Detection> list;
  if (count > 0) need(boxes, "boxes");
  for (std::size_t i = 0; i < count; ++i) {
    const mxinfer_detection given = read_element(boxes, i);
    Detection& one = list.emplace_back();
    if (given.label != nullptr) one.label = given.label;
    one.score = given.score;
    one.index = given.index;
    one.box = {given.left, given.top, given.right, given.bottom};
    const Span<const Point> points = points_of(given.landmarks, given.landmark_count, "landmarks");
    one.landmarks.assign(points.begin(), points.end());
  }
  return list;
}

std::vector<Limb> limbs_of(const std::int32_t* limbs, std::size_t count) {
  std::vector<Limb> list;
  if (count > 0) need(limbs, "limbs");
  for (std::size_t i = 0; i < count; ++i) list.push_back({limbs[2 * i], limbs[2 * i + 1]});
  return list;
}

/// A label image as blend_labels takes it, with -1, which stays as it is, for unknown labels.
Tensor known_labels(const Image& labels) {
  Tensor known = Tensor::uninitialized(DType::int32, {labels.height(), labels.width()});
  const Span<const std::uint8_t> pixels = labels.pixels();
  std::transform(pixels.begin(), pixels.end(), known.data<std::int32_t>(),
                 [](std::uint8_t label) { return label == kUnknownLabel ? -1 : label; });
  return known;
}

}  // namespace

mxinfer_status mxinfer_draw_detections(const mxinfer_image* image, const mxinfer_detections* detections,
                                       size_t index, const mxinfer_draw_options* options,
                                       mxinfer_owned_image** out) {
  return give(out, [&] {
    const auto& images = need(detections, "detections").images;
    if (index >= images.size()) no_such("image", index, images.size());
    return new mxinfer_owned_image{draw(image_of(image), images[index], draw_options_of(options))};
  });
}

mxinfer_status mxinfer_draw_boxes(const mxinfer_image* image, const mxinfer_detection* boxes, size_t count,
                                  const mxinfer_draw_options* options, mxinfer_owned_image** out) {
  return give(out, [&] {
    return new mxinfer_owned_image{
        draw(image_of(image), detections_of(boxes, count), draw_options_of(options))};
  });
}

mxinfer_status mxinfer_draw_points(const mxinfer_image* image, const float* points, size_t point_count,
                                   const mxinfer_draw_options* options, mxinfer_owned_image** out) {
  return give(out, [&] {
    return new mxinfer_owned_image{
        draw_points(image_of(image), points_of(points, point_count, "points"), draw_options_of(options))};
  });
}

mxinfer_status mxinfer_draw_skeleton(const mxinfer_image* image, const float* points, size_t point_count,
                                     const int32_t* limbs, size_t limb_count,
                                     const mxinfer_draw_options* options, mxinfer_owned_image** out) {
  return give(out, [&] {
    return new mxinfer_owned_image{draw_skeleton(image_of(image), points_of(points, point_count, "points"),
                                                 limbs_of(limbs, limb_count), draw_options_of(options))};
  });
}

mxinfer_status mxinfer_blend_labels(const mxinfer_image* image, const mxinfer_tensor* labels,
                                    const mxinfer_blend_options* options, mxinfer_owned_image** out) {
  return give(out, [&] {
    return new mxinfer_owned_image{blend_labels(image_of(image), view_of(read_struct(need(labels, "labels"))),
                                                blend_options_of(options))};
  });
}

mxinfer_status mxinfer_draw_segmentation(const mxinfer_image* image,
                                         const mxinfer_segmentations* segmentations, size_t index,
                                         const mxinfer_blend_options* options, mxinfer_owned_image** out) {
  return give(out, [&] {
    const Tensor labels = known_labels(label_image(segmentations, index));
    return new mxinfer_owned_image{blend_labels(image_of(image), labels, blend_options_of(options))};
  });
}

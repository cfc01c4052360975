#include <mxinfer/vision/draw.h>

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "vision/draw/draw_canvas.h"
#include "vision/draw/draw_colors.h"
#include "vision/draw/draw_options.h"

namespace mxinfer {
namespace {

using api::Canvas;

bool is_somewhere(Point point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

void check_limbs(Span<const Limb> limbs, std::size_t points) {
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    for (const int end : {limbs[i].from, limbs[i].to}) {
      if (end >= 0 && static_cast<std::size_t>(end) < points) continue;
      fail(ErrorCode::invalid_argument, "limb ", i, " leads to point ", end, "; there are ", points,
           " points, numbered from 0");
    }
  }
}

}  // namespace

Image MXINFER_ABI::draw_points(const Image& image, Span<const Point> points, const DrawOptions& options) try {
  api::check_drawing(image, options);
  const float radius = api::draw_sizes(image.size(), options).radius;
  Canvas canvas(image);
  for (std::size_t i = 0; i < points.size(); ++i)
    api::mark_point(canvas, points[i], radius, api::color_of(static_cast<int>(i), options.colors));
  return std::move(canvas).finish();
} catch (...) {
  throw_as_error();
}

Image MXINFER_ABI::draw_skeleton(const Image& image, Span<const Point> points, Span<const Limb> limbs,
                                 const DrawOptions& options) try {
  api::check_drawing(image, options);
  check_limbs(limbs, points.size());
  const api::DrawSizes sizes = api::draw_sizes(image.size(), options);
  Canvas canvas(image);
  std::vector<char> joined(points.size(), 0);
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    const auto from = static_cast<std::size_t>(limbs[i].from), to = static_cast<std::size_t>(limbs[i].to);
    joined[from] = joined[to] = 1;
    if (!is_somewhere(points[from]) || !is_somewhere(points[to])) continue;
    api::draw_line(canvas, points[from], points[to], static_cast<float>(sizes.line),
                   api::color_of(static_cast<int>(i), options.colors));
  }
  const float radius = std::max(sizes.radius, static_cast<float>(sizes.line) * 0.9f);
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    for (const int end : {limbs[i].from, limbs[i].to}) {
      const auto point = static_cast<std::size_t>(end);
      if (joined[point] == 0) continue;
      joined[point] = 0;  // once, in the colour of its first limb
      api::mark_point(canvas, points[point], radius, api::color_of(static_cast<int>(i), options.colors));
    }
  }
  return std::move(canvas).finish();
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer

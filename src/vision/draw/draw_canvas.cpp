#include "vision/draw/draw_canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mxinfer::api {
namespace {

/// Farther outside than the size of any image, but far from the limits of int.
constexpr float kFarOutside = 1e8f;

Tensor rgb_copy(const Image& image) {
  if (image.channels() == 3) return Tensor::copy_of(image.view());
  Tensor pixels = Tensor::uninitialized(DType::uint8, {image.height(), image.width(), 3});
  std::uint8_t* out = pixels.data<std::uint8_t>();
  for (const std::uint8_t grey : image.pixels()) out = std::fill_n(out, 3, grey);
  return pixels;
}

std::uint8_t mixed(std::uint8_t old, std::uint8_t added, float part) {
  const float value = static_cast<float>(old) + (static_cast<float>(added) - static_cast<float>(old)) * part;
  return static_cast<std::uint8_t>(std::lround(value));
}

Area inside(const Canvas& canvas, const Area& area) {
  return {std::max(area.left, 0), std::max(area.top, 0), std::min(area.right, canvas.width()),
          std::min(area.bottom, canvas.height())};
}

/// Mixes the colour into each pixel of `area` by what `part(centre of the pixel)` says.
template <typename Part>
void fill_by(Canvas& canvas, const Area& area, Color color, const Part& part) {
  const Area cut = inside(canvas, area);
  for (int y = cut.top; y < cut.bottom; ++y) {
    for (int x = cut.left; x < cut.right; ++x)
      canvas.mix(x, y, color, part(Point{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f}));
  }
}

/// The pixels covered by a shape with these extreme points.
Area reach(Point low, Point high, float radius) {
  return {whole(low.x - radius) - 1, whole(low.y - radius) - 1, whole(high.x + radius) + 2,
          whole(high.y + radius) + 2};
}

/// Moved closer in the same direction, so that squares of its coordinates do not overflow.
Point nearer(Point point) {
  const float farthest = std::max(std::abs(point.x), std::abs(point.y));
  const float scale = farthest > kFarOutside ? kFarOutside / farthest : 1;
  return {point.x * scale, point.y * scale};
}

/// The part of a line between two heights, as factors of its length; first > second if there is none.
std::pair<float, float> between_heights(Point from, Point to, float top, float bottom) {
  const float rise = to.y - from.y;
  if (rise == 0) return from.y < top || from.y > bottom ? std::pair(1.0f, 0.0f) : std::pair(0.0f, 1.0f);
  const float a = (top - from.y) / rise, b = (bottom - from.y) / rise;
  return {std::max(0.0f, std::min(a, b)), std::min(1.0f, std::max(a, b))};
}

}  // namespace

Canvas::Canvas(const Image& image) : pixels_(rgb_copy(image)), size_(image.size()) {}

void Canvas::mix(int x, int y, Color color, float part) {
  if (part <= 0) return;
  std::uint8_t* const at = pixel(x, y);
  at[0] = mixed(at[0], color.red, part);
  at[1] = mixed(at[1], color.green, part);
  at[2] = mixed(at[2], color.blue, part);
}

int whole(float coordinate) {
  return static_cast<int>(std::floor(std::clamp(coordinate, -kFarOutside, kFarOutside)));
}

void fill_area(Canvas& canvas, const Area& area, Color color) {
  fill_by(canvas, area, color, [](Point) { return 1.0f; });
}

void fill_frame(Canvas& canvas, const Area& outer, const Area& inner, Color color) {
  fill_area(canvas, {outer.left, outer.top, outer.right, inner.top}, color);
  fill_area(canvas, {outer.left, inner.bottom, outer.right, outer.bottom}, color);
  fill_area(canvas, {outer.left, inner.top, inner.left, inner.bottom}, color);
  fill_area(canvas, {inner.right, inner.top, outer.right, inner.bottom}, color);
}

void fill_disc(Canvas& canvas, Point centre, float radius, Color color) {
  fill_by(canvas, reach(centre, centre, radius), color,
          [=](Point at) { return covered(radius, std::hypot(at.x - centre.x, at.y - centre.y)); });
}

void mark_point(Canvas& canvas, Point centre, float radius, Color color) {
  if (!std::isfinite(centre.x) || !std::isfinite(centre.y)) return;
  fill_disc(canvas, centre, radius * 1.4f, {255, 255, 255});
  fill_disc(canvas, centre, radius, color);
}

void draw_line(Canvas& canvas, Point begin, Point end, float width, Color color) {
  const Point from = nearer(begin), to = nearer(end);
  const float radius = width / 2, margin = radius + 1;
  const Point low{std::min(from.x, to.x), std::min(from.y, to.y)};
  const Point high{std::max(from.x, to.x), std::max(from.y, to.y)};
  const Area all = inside(canvas, reach(low, high, margin));
  // Row by row, only near the line: the bounding box of a long line is much larger.
  for (int y = all.top; y < all.bottom; ++y) {
    const float middle = static_cast<float>(y) + 0.5f;
    const auto [first, last] = between_heights(from, to, middle - margin, middle + margin);
    if (first > last) continue;
    const float a = from.x + (to.x - from.x) * first, b = from.x + (to.x - from.x) * last;
    const Area row{whole(std::min(a, b) - margin), y, whole(std::max(a, b) + margin) + 1, y + 1};
    fill_by(canvas, row, color, [=](Point at) { return covered(radius, distance_to_line(at, from, to)); });
  }
}

float distance_to_line(Point point, Point from, Point to) {
  const float dx = to.x - from.x, dy = to.y - from.y;
  const float length = dx * dx + dy * dy;
  const float along = length > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / length : 0;
  const float t = std::clamp(along, 0.0f, 1.0f);
  return std::hypot(point.x - from.x - t * dx, point.y - from.y - t * dy);
}

}  // namespace mxinfer::api

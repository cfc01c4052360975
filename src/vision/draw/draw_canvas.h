// Canvas: an RGB copy of an image to draw into, and antialiased shapes.
//
//   Canvas canvas(image);
//   fill_disc(canvas, {20, 30}, 4, {255, 0, 0});
//   return std::move(canvas).finish();
//
// Nothing is written outside the image, for any coordinates.
#pragma once

#include <mxinfer/tensor.h>
#include <mxinfer/vision/draw.h>
#include <mxinfer/vision/image.h>

#include <cstdint>

namespace mxinfer::api {

class Canvas {
 public:
  /// Precondition: the image is not empty.
  explicit Canvas(const Image& image);

  int width() const { return size_.width; }
  int height() const { return size_.height; }
  /// The three bytes of a pixel. Precondition: it is in the image.
  std::uint8_t* pixel(int x, int y) {
    return pixels_.data<std::uint8_t>() + (static_cast<std::int64_t>(y) * size_.width + x) * 3;
  }
  /// Mixes a colour into a pixel: 0 leaves it unchanged, 1 replaces it. The same precondition.
  void mix(int x, int y, Color color, float part);
  Image finish() && { return Image(std::move(pixels_)); }

 private:
  Tensor pixels_;
  Size size_;
};

/// Columns left to right - 1 of rows top to bottom - 1, cut at the image's edges.
struct Area {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

void fill_area(Canvas& canvas, const Area& area, Color color);
/// The pixels of `outer` that are not in `inner`, which lies inside of it.
void fill_frame(Canvas& canvas, const Area& outer, const Area& inner, Color color);
void fill_disc(Canvas& canvas, Point centre, float radius, Color color);
/// A disc with a white rim, which separates it from a background of the same colour. Draws nothing if the
/// point is not finite.
void mark_point(Canvas& canvas, Point centre, float radius, Color color);
/// With round ends.
void draw_line(Canvas& canvas, Point begin, Point end, float width, Color color);

/// Rounds a coordinate to an int; far outside stays far outside.
int whole(float coordinate);

/// Part of a pixel that lies within `radius` of a line whose distance from the pixel's centre is `distance`.
inline float covered(float radius, float distance) {
  const float part = radius + 0.5f - distance;
  return part <= 0 ? 0 : part >= 1 ? 1 : part;
}
/// From a point to the line between two others.
float distance_to_line(Point point, Point from, Point to);

}  // namespace mxinfer::api

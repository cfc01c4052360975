// What was found in an image, drawn into it for people to look at: boxes with names, points, skeletons,
// areas by class.
//
//   const mxinfer::ObjectDetector detector("ssd_end_to_end");
//   const mxinfer::Image street = mxinfer::read_image("street.jpg");
//   const std::vector<mxinfer::Detection> objects = detector.detect(street);
//   mxinfer::write_image(mxinfer::draw(street, objects), "street-found.png");
//
// Every function gives a new RGB image of the same size and leaves the one that it was given as it is; a grey
// image becomes RGB. Coordinates are in pixels of the image: pixel (x, y) covers x to x + 1 and y to y + 1.
// What lies outside of the image is cut off; what has coordinates that are not finite is left out. Texts are
// UTF-8; the letters of ASCII and Latin-1 are drawn, and a box for every other one. All are safe to call on
// any thread.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>
#include <mxinfer/tensor.h>
#include <mxinfer/vision/detections.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/point.h>

#include <cstdint>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Color& a, const Color& b) noexcept {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
  }
  friend bool operator!=(const Color& a, const Color& b) noexcept { return !(a == b); }
};

/// The colour of a class by its index, always the same; classes with indices near each other differ well.
[[nodiscard]] MXINFER_API Color class_color(int index) noexcept;

struct DrawOptions {
  /// Of boxes and limbs, in pixels; 0: what suits the image's size, from 1 pixel on.
  int line_width = 0;
  /// The size of texts, as a multiple of what suits the image's size. Letters are at least 8 pixels high.
  float text_scale = 1;
  bool labels = true;  ///< the name of what is in a box
  bool scores = true;  ///< its score with two decimals
  /// By class, or by number of a point or limb; the list begins anew at its end. Empty: class_color().
  std::vector<Color> colors{};
};

/// The image with a box around each detection and a tab with its label and score, above the box if there is
/// room, else inside it; black or white letters by what can be read. Where they overlap, the one that scores
/// higher lies on top. Boxes without an area, outside of the image or with coordinates that are not finite
/// are left out; images lower than two lines of text get boxes alone. Landmarks are marked by small discs.
/// Errors (invalid_argument): an empty image, line_width outside 0..1000, text_scale outside 0.1..100.
[[nodiscard]] MXINFER_API Image draw(const Image& image, Span<const Detection> detections,
                                     const DrawOptions& options = {});

/// Small discs on points, such as the landmarks of a face. Colours are by position in the list. The errors of
/// draw().
[[nodiscard]] MXINFER_API Image draw_points(const Image& image, Span<const Point> points,
                                            const DrawOptions& options = {});

/// A line between two points of a skeleton, by their positions in its list.
struct Limb {
  int from = 0;
  int to = 0;
};

/// Limbs, and discs on the points that they join, as of a key-point network. A point with coordinates that
/// are not finite was not found: it is left out, and limbs to it with it. Colours are by position of a limb.
/// The errors of draw(), and for a limb to a point that the list has not.
[[nodiscard]] MXINFER_API Image draw_skeleton(const Image& image, Span<const Point> points,
                                              Span<const Limb> limbs, const DrawOptions& options = {});

struct BlendOptions {
  float opacity = 0.5f;          ///< of the colours, 0 (the image as it was) to 1 (colours alone)
  int background = 0;            ///< pixels of this label stay as they are, as do those below 0
  std::vector<Color> palette{};  ///< by label, begins anew at its end. Empty: class_color()
};

/// Each pixel mixed with the colour of its label, as of a segmentation network. `labels` is (height, width)
/// of the image, uint8, int32 or int64. Errors (invalid_argument): an empty image, another shape or dtype, an
/// opacity outside 0..1.
[[nodiscard]] MXINFER_API Image blend_labels(const Image& image, const TensorView& labels,
                                             const BlendOptions& options = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer

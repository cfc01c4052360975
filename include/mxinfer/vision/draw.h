// Draws results into an image for people to look at: boxes with names, points, skeletons, and areas by class.
//
//   const mxinfer::ObjectDetector detector("ssd_end_to_end");
//   const mxinfer::Image street = mxinfer::read_image("street.jpg");
//   const std::vector<mxinfer::Detection> objects = detector.detect(street);
//   mxinfer::write_image(mxinfer::draw(street, objects), "street-found.png");
//
// Every function returns a new RGB image of the same size and does not change its argument; a grey image
// becomes RGB. Coordinates are in pixels of the image: pixel (x, y) covers x to x + 1 and y to y + 1. Shapes
// are clipped at the edges of the image, and shapes with coordinates that are not finite are left out. Texts
// are UTF-8; letters of ASCII and Latin-1 are drawn, and every other character is a box. All functions are
// thread-safe.
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

/// An RGB colour.
struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Color& a, const Color& b) noexcept {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
  }
  friend bool operator!=(const Color& a, const Color& b) noexcept { return !(a == b); }
};

/// Returns the colour of a class by its index. It is always the same, and neighbouring indices differ
/// clearly.
[[nodiscard]] MXINFER_API Color class_color(int index) noexcept;

/// How boxes, points and limbs are drawn.
struct DrawOptions {
  /// The width of lines in pixels. 0: a width that suits the image's size, at least 1 pixel.
  int line_width = 0;
  /// The size of texts, as a multiple of what suits the image's size. Letters are at least 8 pixels high.
  float text_scale = 1;
  bool labels = true;  ///< draw the label of each box
  bool scores = true;  ///< draw the score, with two decimals
  /// Colours by class, or by the position of a point or limb. They repeat from the start. Empty:
  /// class_color().
  std::vector<Color> colors{};
};

/// Draws a box around each detection and a tab with its label and score. The tab is above the box, or inside
/// if there is no room. Letters are black or white, whichever is legible. Where detections overlap, the one
/// with the higher score is on top. Boxes that have no area or are outside the image are left out. Landmarks
/// are small discs. If the image is lower than two lines of text, only boxes are drawn. Throws
/// Error(invalid_argument) if the image is empty, line_width is not in 0 to 1000, or text_scale is not in 0.1
/// to 100.
[[nodiscard]] MXINFER_API Image draw(const Image& image, Span<const Detection> detections,
                                     const DrawOptions& options = {});

/// Draws small discs on points, such as the landmarks of a face. Colours are by position in the list. Throws
/// as draw().
[[nodiscard]] MXINFER_API Image draw_points(const Image& image, Span<const Point> points,
                                            const DrawOptions& options = {});

/// A line between two points of a skeleton, by their positions in its list.
struct Limb {
  int from = 0;
  int to = 0;
};

/// Draws the limbs of a skeleton, and discs on the points that they join, as for a key-point network. A point
/// with coordinates that are not finite was not found: it is left out with its limbs. Colours are by position
/// of the limb. Throws as draw(), and if a limb refers to a point that is not in the list.
[[nodiscard]] MXINFER_API Image draw_skeleton(const Image& image, Span<const Point> points,
                                              Span<const Limb> limbs, const DrawOptions& options = {});

/// How label images are blended.
struct BlendOptions {
  float opacity = 0.5f;          ///< of the colours: 0 leaves the image as it is, 1 shows colours only
  int background = 0;            ///< pixels with this label, or one below 0, are not coloured
  std::vector<Color> palette{};  ///< by label, repeating from the start. Empty: class_color()
};

/// Blends each pixel with the colour of its label, as for a segmentation network. `labels` has the image's
/// (height, width) and is uint8, int32 or int64. Throws Error(invalid_argument) if the image is empty, the
/// shape or dtype differs, or the opacity is not in 0 to 1.
[[nodiscard]] MXINFER_API Image blend_labels(const Image& image, const TensorView& labels,
                                             const BlendOptions& options = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer

// Texts in an image, in the letters of stroke_font, with lines on whole pixels where they are thin.
//
//   const TextLine line("dog 0.93", 12);
//   fill_area(canvas, {x, y, x + line.width(), y + line.height()}, background);
//   line.draw(canvas, x, y, {255, 255, 255});
#pragma once

#include <string_view>
#include <vector>

#include "vision/draw/draw_canvas.h"
#include "vision/draw/stroke_font.h"

namespace mxinfer::api {

/// Texts are cut after this many characters.
inline constexpr std::size_t kMostCharacters = 100;

/// Decodes UTF-8; an invalid byte becomes U+FFFD.
std::u32string characters_of(std::string_view text);

/// One line of text in a size. Its letters have room around them, as a tab with a background needs.
class TextLine {
 public:
  /// `capital` is the height of a capital letter in pixels, from 1 on.
  TextLine(std::string_view text, float capital);

  int width() const { return width_; }
  int height() const { return height_; }
  /// With its upper left corner there.
  void draw(Canvas& canvas, int left, int top, Color color) const;

 private:
  struct Placed {
    const Glyph* glyph;
    int left;
    int width;  ///< from its first line to its last
  };
  float height_of(float y) const;
  std::vector<Stroke> strokes_of(const Placed& letter, float left, float baseline) const;

  float scale_ = 1;  ///< pixels of a unit of the font
  int pen_ = 1;
  int padding_ = 1;
  int small_ = 0;    ///< the height of small letters, between the middles of their lines
  int capital_ = 0;  ///< that of capitals
  int descent_ = 0;
  int width_ = 0;
  int height_ = 0;
  std::vector<Placed> letters_;
};

}  // namespace mxinfer::api

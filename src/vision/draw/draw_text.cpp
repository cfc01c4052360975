#include "vision/draw/draw_text.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"

namespace mxinfer::api {
namespace {

/// In units of the font: the margin between letters and the edge of their background.
constexpr float kPadding = 5;

int rounded_pixels(float value) {
  return static_cast<int>(std::lround(value));
}

/// The character of which these are the bytes. Precondition: utf8_bytes() has counted them.
char32_t decoded(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return first;
  char32_t character = first & (0x7fU >> bytes.size());
  for (const char byte : bytes.substr(1))
    character = character << 6 | (static_cast<unsigned char>(byte) & 0x3fU);
  return character;
}

/// A rectangle of pixels around strokes as a pen draws them.
Area reach_of(const std::vector<Stroke>& strokes, float pen) {
  Point low{1e9f, 1e9f}, high{-1e9f, -1e9f};
  for (const Stroke& stroke : strokes) {
    for (const Point point : stroke) {
      low = {std::min(low.x, point.x), std::min(low.y, point.y)};
      high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
  }
  return {whole(low.x - pen), whole(low.y - pen), whole(high.x + pen) + 1, whole(high.y + pen) + 1};
}

float distance_to(const std::vector<Stroke>& strokes, Point at) {
  float nearest = 1e9f;
  for (const Stroke& stroke : strokes) {
    if (stroke.size() == 1) nearest = std::min(nearest, distance_to_line(at, stroke[0], stroke[0]));
    for (std::size_t i = 1; i < stroke.size(); ++i)
      nearest = std::min(nearest, distance_to_line(at, stroke[i - 1], stroke[i]));
  }
  return nearest;
}

}  // namespace

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty() && characters.size() < kMostCharacters) {
    const std::size_t bytes = utf8_bytes(text);
    characters += bytes == 0 ? U'\ufffd' : decoded(text.substr(0, bytes));
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return characters;
}

// Heights between the middles of lines are whole numbers of pixels, and so are the widths of letters. Lines
// of whole pixels then fill their pixels, and thin ones are not blurred.
TextLine::TextLine(std::string_view text, float capital) : scale_(capital / (kCapitalHeight + kPenWidth)) {
  pen_ = std::max(1, rounded_pixels(kPenWidth * scale_));
  padding_ = std::max(2, rounded_pixels(kPadding * scale_));
  small_ = rounded_pixels(kSmallHeight * scale_);
  capital_ = rounded_pixels(kCapitalHeight * scale_);
  descent_ = rounded_pixels(kDescent * scale_);
  const int gap = std::max(pen_ + 1, rounded_pixels(kLetterGap * scale_));
  int x = padding_;
  for (const char32_t character : characters_of(text)) {
    const Glyph& glyph = glyph_of(character);
    const int width = rounded_pixels(glyph.width * scale_);
    letters_.push_back({&glyph, x, width});
    x += width + gap;
  }
  width_ = letters_.empty() ? 0 : x - gap + pen_ + padding_;
  height_ = padding_ + capital_ + pen_ + std::max(padding_, descent_ + 2);
}

/// The distance from the baseline in pixels: exact at the heights of the font, interpolated between.
float TextLine::height_of(float y) const {
  const auto small = static_cast<float>(small_), capital = static_cast<float>(capital_);
  if (y < 0) return y * static_cast<float>(descent_) / kDescent;
  if (y <= kSmallHeight) return y * small / kSmallHeight;
  return small + (y - kSmallHeight) * (capital - small) / (kCapitalHeight - kSmallHeight);
}

std::vector<Stroke> TextLine::strokes_of(const Placed& letter, float left, float baseline) const {
  const float natural = letter.glyph->width;
  const float stretch = natural > 0 ? static_cast<float>(letter.width) / natural : scale_;
  std::vector<Stroke> strokes = letter.glyph->strokes;
  for (Stroke& stroke : strokes) {
    for (Point& point : stroke) point = {left + point.x * stretch, baseline - height_of(point.y)};
  }
  return strokes;
}

void TextLine::draw(Canvas& canvas, int left, int top, Color color) const {
  const float half = static_cast<float>(pen_) / 2;
  const float baseline = static_cast<float>(top + padding_ + capital_) + half;
  for (const Placed& letter : letters_) {
    const int begin = left + letter.left;
    if (begin >= canvas.width()) break;
    if (letter.glyph->strokes.empty()) continue;
    const std::vector<Stroke> strokes = strokes_of(letter, static_cast<float>(begin) + half, baseline);
    const Area area = reach_of(strokes, static_cast<float>(pen_));
    for (int y = std::max(area.top, 0); y < std::min(area.bottom, canvas.height()); ++y) {
      for (int x = std::max(area.left, 0); x < std::min(area.right, canvas.width()); ++x) {
        const Point centre{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
        canvas.mix(x, y, color, covered(half, distance_to(strokes, centre)));
      }
    }
  }
}

}  // namespace mxinfer::api

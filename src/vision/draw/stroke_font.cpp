#include "vision/draw/stroke_font.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "vision/draw/stroke_glyphs.h"

namespace mxinfer::api {
namespace {

constexpr float kPi = 3.14159265f;
/// Lines per quarter arc: for letters of 100 pixels the error is a twentieth of a pixel.
constexpr float kLinesOfQuarter = 8;
/// The scale of a capital under a mark: capitals reach as high as marks.
constexpr float kMarkedCapital = 12 / kCapitalHeight;
/// How much higher a mark is over such a capital than over a small letter.
constexpr float kMarkRaised = 2;
/// Digits above the line, and in fractions.
constexpr float kSmallDigit = 0.55f;
constexpr float kRaisedBy = kCapitalHeight * (1 - kSmallDigit);

/// Reads the texts of stroke_glyphs.h without checks: tests verify all of them.
class StrokeReader {
 public:
  explicit StrokeReader(std::string_view text) : text_(text) {}

  std::vector<Stroke> read() {
    std::vector<Stroke> strokes(1);
    while (!text_.empty()) {
      const char next = text_.front();
      if (next == ';' || next == ' ' || next == '(') text_.remove_prefix(1);
      if (next == ';') {
        strokes.emplace_back();
      } else if (next == '(') {
        add_arc(strokes.back());
      } else if (next != ' ') {
        const auto [x, y] = numbers<2>();
        strokes.back().push_back({x, y});
      }
    }
    return strokes;
  }

 private:
  /// Numbers with "," between, and what stands behind the last.
  template <std::size_t count>
  std::array<float, count> numbers() {
    std::array<float, count> values{};
    for (float& value : values) {
      const char* end = std::from_chars(text_.data(), text_.data() + text_.size(), value).ptr;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      if (&value != &values.back() && !text_.empty()) text_.remove_prefix(1);
    }
    return values;
  }

  void add_arc(Stroke& stroke) {
    const auto [x, y, rx, ry, from, to] = numbers<6>();
    if (!text_.empty()) text_.remove_prefix(1);  // ")"
    const int lines = static_cast<int>(std::ceil(std::abs(to - from) / 90 * kLinesOfQuarter));
    for (int i = 0; i <= lines; ++i) {
      const float angle =
          (from + (to - from) * static_cast<float>(i) / static_cast<float>(lines)) / 180 * kPi;
      stroke.push_back({x + rx * std::cos(angle), y + ry * std::sin(angle)});
    }
  }

  std::string_view text_;
};

/// Appends a scaled and moved copy of strokes to a glyph.
void add_strokes(Glyph& glyph, const std::vector<Stroke>& strokes, float factor_x, float factor_y, float x,
                 float y) {
  for (Stroke stroke : strokes) {
    for (Point& point : stroke) point = {point.x * factor_x + x, point.y * factor_y + y};
    glyph.strokes.push_back(std::move(stroke));
  }
}

/// The letters of ASCII and Latin-1 by their numbers; what stays empty is a space or is not there.
class Letters {
 public:
  Letters() {
    for (const GlyphText& text : kGlyphTexts)
      at(text.character) = {text.width, StrokeReader(text.strokes).read()};
    for (const MarkText& mark : kMarkTexts) add_alone(mark);
    for (const MarkedText& marked : kMarkedTexts) add_marked(marked);
    for (const auto& [character, digit] : {std::pair(U'\u00b9', U'1'), {U'\u00b2', U'2'}, {U'\u00b3', U'3'}})
      add_small(at(character), digit, 0, kRaisedBy);
    add_fraction(U'\u00bc', U'1', U'4');
    add_fraction(U'\u00bd', U'1', U'2');
    add_fraction(U'\u00be', U'3', U'4');
    at(U' ').width = at(U'\u00a0').width = kWordGap - kLetterGap;
    absent_ = {kAbsentWidth, StrokeReader(kAbsentStrokes).read()};
  }

  const Glyph& get(char32_t character) const {
    const bool known = character < letters_.size() && character != U'\t';
    if (!known) return absent_;
    const Glyph& glyph = letters_[character];
    const bool space = character == U' ' || character == U'\u00a0';
    return glyph.strokes.empty() && !space ? absent_ : glyph;
  }

 private:
  Glyph& at(char32_t character) { return letters_[character]; }

  /// A mark that is a character too.
  void add_alone(const MarkText& mark) {
    Glyph& glyph = at(mark.alone);
    if (!glyph.strokes.empty()) return;
    glyph.width = 4;
    add_strokes(glyph, StrokeReader(mark.strokes).read(), 1, 1, glyph.width / 2, 0);
  }

  void add_marked(const MarkedText& marked) {
    const bool below = marked.mark == U'\u00b8';
    const bool capital = marked.base < U'a' && !below;
    const Glyph& base = at(marked.base);
    Glyph& glyph = at(marked.character);
    glyph.width = base.width;
    std::vector<Stroke> strokes = base.strokes;
    if (marked.base == U'i') strokes.pop_back();  // its dot
    add_strokes(glyph, strokes, 1, capital ? kMarkedCapital : 1, 0, 0);
    for (const MarkText& mark : kMarkTexts) {
      if (mark.alone != marked.mark) continue;
      add_strokes(glyph, StrokeReader(mark.strokes).read(), 1, 1, base.width / 2, capital ? kMarkRaised : 0);
    }
  }

  void add_small(Glyph& glyph, char32_t digit, float x, float y) {
    const Glyph& base = at(digit);
    add_strokes(glyph, base.strokes, kSmallDigit, kSmallDigit, x, y);
    glyph.width = std::max(glyph.width, x + base.width * kSmallDigit);
  }

  void add_fraction(char32_t character, char32_t above, char32_t below) {
    Glyph& glyph = at(character);
    add_small(glyph, above, 0, kRaisedBy);
    add_strokes(glyph, StrokeReader("2.5,0 9.5,14").read(), 1, 1, 0, 0);
    add_small(glyph, below, 8, 0);
  }

  std::array<Glyph, 256> letters_{};
  Glyph absent_;
};

}  // namespace

const Glyph& glyph_of(char32_t character) {
  // Never destroyed: a thread may draw while the process exits.
  static const Letters& letters = *new Letters;
  return letters.get(character);
}

}  // namespace mxinfer::api

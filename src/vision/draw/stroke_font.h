// The letters of drawn texts as strokes of a pen, which look good at every size.
//
//   const Glyph& letter = glyph_of(U'A');
//   for (const Stroke& stroke : letter.strokes) ...   // points that the pen goes along; one point is a dot
//
// Units: capitals are 14 high, small letters 10, the pen is 2 wide; y goes up from the baseline, x to the
// right from the letter's first line.
#pragma once

#include <mxinfer/vision/point.h>

#include <vector>

namespace mxinfer::api {

inline constexpr float kCapitalHeight = 14;
inline constexpr float kSmallHeight = 10;
inline constexpr float kDescent = 4;
inline constexpr float kPenWidth = 2;
inline constexpr float kLetterGap = 5;  ///< between the lines of two letters
inline constexpr float kWordGap = 6;    ///< how wide a space is

using Stroke = std::vector<Point>;

struct Glyph {
  float width = 0;  ///< of its lines; the pen reaches farther by half its width
  std::vector<Stroke> strokes;
};

/// The glyphs of ASCII and Latin-1; an empty box for all other characters and for control characters.
const Glyph& glyph_of(char32_t character);

}  // namespace mxinfer::api

// Boxes, labels, points, skeletons and areas in pictures, pixel by pixel.
#include <gtest/gtest.h>
#include <mxinfer/vision/draw.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/special_floats.h"
#include "vision/draw/draw_colors.h"
#include "vision/draw/draw_text.h"
#include "vision/draw/stroke_font.h"

namespace mxinfer {

// For messages of tests.
std::ostream& operator<<(std::ostream& out, const Color& color) {
  return out << '(' << int{color.red} << ' ' << int{color.green} << ' ' << int{color.blue} << ')';
}

namespace {

constexpr std::uint8_t kGround = 100;
constexpr Color kGroundColor{kGround, kGround, kGround};
using test::kInfinity;
using test::kNaN;

Image ground(int width, int height, int channels = 3) {
  Tensor pixels = Tensor::uninitialized(DType::uint8, {height, width, channels});
  std::fill_n(pixels.data<std::uint8_t>(), pixels.elements(), kGround);
  return Image(std::move(pixels));
}

Color at(const Image& image, int x, int y) {
  const std::uint8_t* pixel =
      image.pixels().data() + (static_cast<std::ptrdiff_t>(y) * image.width() + x) * 3;
  return {pixel[0], pixel[1], pixel[2]};
}

/// How many pixels are of another colour than the ground, in a rectangle.
int painted(const Image& image, int left, int top, int right, int bottom) {
  int count = 0;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) count += at(image, x, y) != kGroundColor ? 1 : 0;
  return count;
}
int painted(const Image& image) {
  return painted(image, 0, 0, image.width(), image.height());
}

Detection box_of(float left, float top, float right, float bottom, int index = 0, float score = 0.9f,
                 const std::string& label = "dog") {
  Detection found;
  found.label = label;
  found.score = score;
  found.index = index;
  found.box = {left, top, right, bottom};
  return found;
}

DrawOptions bare(int line_width) {
  DrawOptions options;
  options.line_width = line_width;
  options.labels = options.scores = false;
  return options;
}

Image drawn(const Image& image, const std::vector<Detection>& found, const DrawOptions& options = {}) {
  return draw(image, Span<const Detection>(found), options);
}

TEST(Draw, LinesLieOnTheEdgesOfABox) {
  for (const int line : {1, 2, 3, 5}) {
    const Image picture = drawn(ground(100, 80), {box_of(20, 30, 60, 50, 3)}, bare(line));
    const Color color = class_color(3);
    const int half = line / 2;
    for (int x = 0; x < 100; ++x) {
      const bool left = x >= 20 - half && x < 20 - half + line;
      const bool right = x >= 60 + half - line && x < 60 + half;
      EXPECT_EQ(at(picture, x, 40), left || right ? color : kGroundColor) << line << ": " << x;
    }
    for (int y = 0; y < 80; ++y) {
      const bool top = y >= 30 - half && y < 30 - half + line;
      const bool bottom = y >= 50 + half - line && y < 50 + half;
      EXPECT_EQ(at(picture, 40, y), top || bottom ? color : kGroundColor) << line << ": " << y;
    }
    const int outer_width = 40 + 2 * half, outer_height = 20 + 2 * half;
    EXPECT_EQ(painted(picture),
              outer_width * outer_height - (outer_width - 2 * line) * (outer_height - 2 * line));
  }
}

TEST(Draw, LeavesTheImageAsItWas) {
  const Image image = ground(50, 50);
  const Image picture = drawn(image, {box_of(10, 30, 40, 45)});
  EXPECT_EQ(painted(image), 0);
  EXPECT_GT(painted(picture), 0);
  EXPECT_EQ(painted(drawn(image, {})), 0);
}

TEST(Draw, AGreyImageBecomesRgb) {
  const Image picture = drawn(ground(50, 40, 1), {box_of(10, 20, 30, 35, 1)}, bare(1));
  EXPECT_EQ(picture.channels(), 3);
  EXPECT_EQ(picture.size(), (Size{50, 40}));
  EXPECT_EQ(at(picture, 10, 25), class_color(1));
  EXPECT_EQ(at(picture, 20, 25), kGroundColor);
}

// The edges of the picture cut a box: its lines are drawn inside, where they can be seen.
TEST(Draw, ABoxThatReachesOutIsDrawnAtTheEdge) {
  const Image picture = drawn(ground(30, 20), {box_of(-50, -1e30f, 1e30f, 500)}, bare(2));
  for (const auto& [x, y] : {std::pair(0, 10), {1, 10}, {28, 10}, {29, 10}, {15, 0}, {15, 19}})
    EXPECT_EQ(at(picture, x, y), class_color(0)) << x << ' ' << y;
  EXPECT_EQ(painted(picture, 2, 2, 28, 18), 0);
}

TEST(Draw, BoxesThatAreNoneAreLeftOut) {
  const std::vector<Detection> found = {
      box_of(kNaN, 1, 5, 5), box_of(1, 1, kInfinity, 5), box_of(5, 5, 5, 9),
      box_of(9, 1, 3, 5),    box_of(30, 1, 40, 5),       box_of(1, 20, 5, 30),
      box_of(-9, 1, 0, 5),   box_of(1, -9, 5, 0),        box_of(1, -kInfinity, 5, 5)};
  EXPECT_EQ(painted(drawn(ground(30, 20), found)), 0);
}

TEST(Draw, SmallBoxesAreFilled) {
  const Image picture = drawn(ground(30, 20), {box_of(10, 10, 10.2f, 11)}, bare(6));
  EXPECT_GT(painted(picture), 0);
  EXPECT_EQ(at(picture, 10, 10), class_color(0));
}

TEST(Draw, TheBestLiesOnTop) {
  for (const bool turned : {false, true}) {
    std::vector<Detection> found = {box_of(5, 5, 25, 15, 1, 0.9f), box_of(5, 5, 25, 15, 2, 0.3f)};
    if (turned) std::swap(found[0], found[1]);
    EXPECT_EQ(at(drawn(ground(30, 20), found, bare(1)), 5, 10), class_color(1));
  }
}

TEST(Draw, WhatHasNoScoreLiesBelow) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const bool turned : {false, true}) {
    std::vector<Detection> found = {box_of(5, 5, 25, 15, 1, 0.1f), box_of(5, 5, 25, 15, 2, nan)};
    if (turned) std::swap(found[0], found[1]);
    EXPECT_EQ(at(drawn(ground(30, 20), found, bare(1)), 5, 10), class_color(1));
  }
}

TEST(Draw, ClassesHaveColoursOfTheirOwn) {
  const auto distance = [](Color a, Color b) {
    return std::sqrt(std::pow(a.red - b.red, 2) + std::pow(a.green - b.green, 2) +
                     std::pow(a.blue - b.blue, 2));
  };
  for (int a = 0; a < 80; ++a) {
    for (int b = a + 1; b < 80; ++b)
      EXPECT_GT(distance(class_color(a), class_color(b)), b < 20 ? 60 : 15) << a << ' ' << b;
  }
  EXPECT_EQ(class_color(7), class_color(7));
  EXPECT_EQ(class_color(-1), class_color(-1));
  EXPECT_EQ(class_color(0), (Color{36, 143, 242})) << "colours stay from version to version";
}

TEST(Draw, ColoursCanBeGiven) {
  DrawOptions options = bare(1);
  options.colors = {{1, 2, 3}, {4, 5, 6}};
  for (const auto& [index, color] : {std::pair(0, Color{1, 2, 3}), {1, {4, 5, 6}}, {2, {1, 2, 3}}})
    EXPECT_EQ(at(drawn(ground(30, 20), {box_of(5, 5, 25, 15, index)}, options), 5, 10), color) << index;
  drawn(ground(30, 20), {box_of(5, 5, 25, 15, -7)}, options);
}

TEST(Draw, LettersCanBeReadOnEveryColour) {
  EXPECT_EQ(api::readable_on({255, 255, 255}), (Color{0, 0, 0}));
  EXPECT_EQ(api::readable_on({255, 255, 0}), (Color{0, 0, 0}));
  EXPECT_EQ(api::readable_on({0, 0, 0}), (Color{255, 255, 255}));
  EXPECT_EQ(api::readable_on({0, 0, 160}), (Color{255, 255, 255}));
}

/// Where the tab of a picture's only box is: the rectangle of its colour and the letters on it.
api::Area tab_of(const Image& picture, int box_top) {
  api::Area tab{picture.width(), picture.height(), 0, 0};
  for (int y = 0; y < box_top; ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      if (at(picture, x, y) == kGroundColor) continue;
      tab = {std::min(tab.left, x), std::min(tab.top, y), std::max(tab.right, x + 1),
             std::max(tab.bottom, y + 1)};
    }
  }
  return tab;
}

TEST(DrawLabels, StandAboveTheBox) {
  const Image picture = drawn(ground(300, 200), {box_of(50, 100, 200, 150, 0, 0.934f)}, [] {
    DrawOptions options;
    options.line_width = 1;
    return options;
  }());
  const api::Area tab = tab_of(picture, 100);
  const api::TextLine line("dog 0.93", 8);
  EXPECT_EQ(tab.left, 50);
  EXPECT_EQ(tab.bottom, 100);
  EXPECT_EQ(tab.right - tab.left, line.width());
  EXPECT_EQ(tab.bottom - tab.top, line.height());
  // A rim of the class's colour all around: the letters are inside.
  const Color color = class_color(0), letters = api::readable_on(color);
  for (int x = tab.left; x < tab.right; ++x) {
    EXPECT_EQ(at(picture, x, tab.top), color);
    EXPECT_EQ(at(picture, x, tab.bottom - 1), color);
  }
  for (int y = tab.top; y < tab.bottom; ++y) {
    EXPECT_EQ(at(picture, tab.left, y), color);
    EXPECT_EQ(at(picture, tab.right - 1, y), color);
  }
  int full = 0;
  for (int y = tab.top; y < tab.bottom; ++y)
    for (int x = tab.left; x < tab.right; ++x) full += at(picture, x, y) == letters ? 1 : 0;
  EXPECT_GT(full, 40) << "thin lines fill whole pixels";
}

TEST(DrawLabels, StandInsideAtTheUpperEdgeAndMoveInFromTheRight) {
  const Image inside = drawn(ground(300, 200), {box_of(50, 2, 200, 150)});
  EXPECT_EQ(painted(inside, 0, 0, 300, 1), 0);
  EXPECT_GT(painted(inside, 60, 4, 80, 10), 100);
  const Image right = drawn(ground(300, 200), {box_of(290, 100, 299, 150)});
  const api::Area tab = tab_of(right, 99);
  EXPECT_EQ(tab.right, 300);
  EXPECT_GT(tab.right - tab.left, 40);
}

TEST(DrawLabels, CanBeLeftOut) {
  const auto width_of = [](bool labels, bool scores) {
    DrawOptions options;
    options.labels = labels;
    options.scores = scores;
    const api::Area tab = tab_of(drawn(ground(300, 200), {box_of(50, 100, 200, 150)}, options), 99);
    return std::max(0, tab.right - tab.left);
  };
  EXPECT_EQ(width_of(false, false), 0);
  EXPECT_GT(width_of(true, false), 10);
  EXPECT_GT(width_of(false, true), 10);
  EXPECT_GT(width_of(true, true), std::max(width_of(true, false), width_of(false, true)));
}

TEST(DrawLabels, GrowWithThePictureAndWithTheirScale) {
  const auto height_of = [](int side, float scale) {
    DrawOptions options;
    options.text_scale = scale;
    const float edge = static_cast<float>(side);
    const Image picture = drawn(ground(side, side), {box_of(edge / 4, edge / 2, edge, edge)}, options);
    const api::Area tab = tab_of(picture, side / 2 - side / 500);
    return tab.bottom - tab.top;
  };
  EXPECT_GT(height_of(4000, 1), 3 * height_of(1000, 1) / 2);
  EXPECT_GT(height_of(1000, 2), 3 * height_of(1000, 1) / 2);
}

// Of an image too low for it there is no label, but a box.
TEST(DrawLabels, TinyImagesHaveBoxesAlone) {
  for (const int side : {1, 2, 8, 16}) {
    const float edge = static_cast<float>(side);
    const Image picture = drawn(ground(side, side), {box_of(0, 0, edge, edge)});
    EXPECT_EQ(picture.size(), (Size{side, side}));
    EXPECT_EQ(painted(picture), side < 3 ? side * side : 4 * (side - 1));
  }
  EXPECT_GT(painted(drawn(ground(40, 40), {box_of(0, 20, 40, 40)}), 0, 0, 40, 19), 0);
}

TEST(DrawLabels, LongOnesAreCutOffAtTheEdge) {
  const std::string long_label(100000, 'W');
  const Image picture = drawn(ground(200, 100), {box_of(20, 50, 100, 80, 0, 0.5f, long_label)});
  EXPECT_EQ(at(picture, 199, 48), class_color(0));
}

/// The pixels of a text, white on black.
std::vector<std::uint8_t> pixels_of(const std::string& text, float capital) {
  const api::TextLine line(text, capital);
  api::Canvas canvas(Image(Tensor(DType::uint8, {std::max(line.height(), 1), std::max(line.width(), 1), 3})));
  line.draw(canvas, 0, 0, {255, 255, 255});
  const Image image = std::move(canvas).finish();
  return {image.pixels().begin(), image.pixels().end()};
}

std::string utf8_of(char32_t character) {
  if (character < 0x80) return std::string(1, static_cast<char>(character));
  return {static_cast<char>(0xc0 | character >> 6), static_cast<char>(0x80 | (character & 0x3f))};
}

// At every size, down to letters of eight pixels, each looks like no other.
TEST(DrawText, LettersDiffer) {
  for (const float capital : {8.0f, 12.0f, 40.0f}) {
    std::map<std::vector<std::uint8_t>, char32_t> seen;
    for (char32_t character = 0x21; character < 0x7f; ++character) {
      const auto [other, is_new] = seen.emplace(pixels_of(utf8_of(character), capital), character);
      EXPECT_TRUE(is_new) << static_cast<char>(character) << " looks like "
                          << static_cast<char>(other->second) << " at " << capital;
    }
    // Of the other half of Latin-1 a hyphen, and marks that ASCII has too, may look like those.
    for (char32_t character = 0xc0; character <= 0xff; ++character)
      EXPECT_TRUE(seen.emplace(pixels_of(utf8_of(character), capital), character).second)
          << std::hex << static_cast<unsigned>(character) << " at " << capital;
  }
}

TEST(DrawText, EveryLetterIsInsideOfItsLine) {
  for (const float capital : {8.0f, 13.0f, 60.0f}) {
    for (char32_t character = 0x20; character <= 0xff; ++character) {
      if (character >= 0x7f && character < 0xa0) continue;
      const api::TextLine line(utf8_of(character), capital);
      const std::vector<std::uint8_t> pixels = pixels_of(utf8_of(character), capital);
      const auto is_dark = [&](int x, int y) {
        return pixels[static_cast<std::size_t>((y * line.width() + x) * 3)] == 0;
      };
      for (int y = 0; y < line.height(); ++y)
        EXPECT_TRUE(is_dark(0, y) && is_dark(line.width() - 1, y)) << std::hex << unsigned(character);
      for (int x = 0; x < line.width(); ++x)
        EXPECT_TRUE(is_dark(x, 0) && is_dark(x, line.height() - 1)) << std::hex << unsigned(character);
      const bool space = character == 0x20 || character == 0xa0;
      EXPECT_EQ(std::any_of(pixels.begin(), pixels.end(), [](std::uint8_t p) { return p > 0; }), !space)
          << std::hex << unsigned(character);
    }
  }
}

TEST(DrawText, ReadsUtf8) {
  EXPECT_EQ(api::characters_of("a\u00e9\u20ac\U0001f415z"), U"a\u00e9\u20ac\U0001f415z");
  EXPECT_EQ(api::characters_of("a\xff\xc3"), U"a\ufffd\ufffd");
  EXPECT_EQ(api::characters_of(std::string(1000, 'x')).size(), api::kMostCharacters);
  EXPECT_TRUE(api::characters_of("").empty());
}

TEST(DrawText, WhatTheFontLacksIsABox) {
  const std::vector<std::uint8_t> box = pixels_of("\u20ac", 20);
  for (const std::string text : {"\u732b", "\xff", "\n", "\t", "\x7f", "\u0085"})
    EXPECT_EQ(pixels_of(text, 20), box) << text;
  EXPECT_NE(pixels_of("\u00e9", 20), box);
}

TEST(DrawText, ALineIsAsWideAsItsLetters) {
  EXPECT_EQ(api::TextLine("", 10).width(), 0);
  EXPECT_GT(api::TextLine("mm", 10).width(), api::TextLine("m", 10).width());
  EXPECT_GT(api::TextLine("m", 10).width(), api::TextLine("i", 10).width());
  EXPECT_GT(api::TextLine("a b", 10).width(), api::TextLine("ab", 10).width());
  EXPECT_GT(api::TextLine("a", 20).height(), api::TextLine("a", 10).height());
}

TEST(Draw, LargePicturesHaveThickerLines) {
  const Image picture =
      drawn(ground(4000, 3000), {box_of(1000, 1000, 3000, 2000), box_of(3900, 2900, 4100, 3100)});
  int thickness = 0;
  for (int x = 980; x < 1030; ++x) thickness += at(picture, x, 1500) != kGroundColor ? 1 : 0;
  EXPECT_GE(thickness, 8);
  EXPECT_LE(thickness, 20);
}

TEST(Draw, SaysWhatIsWrong) {
  const Image image = ground(10, 10);
  EXPECT_MXINFER_ERROR(drawn(Image(), {}), ErrorCode::invalid_argument, {"empty"});
  DrawOptions options;
  for (const int width : {-1, 1001}) {
    options.line_width = width;
    EXPECT_MXINFER_ERROR(drawn(image, {}, options), ErrorCode::invalid_argument, {"line_width", "1 to 1000"});
  }
  options.line_width = 0;
  for (const float scale : {0.0f, -1.0f, kNaN, kInfinity, 101.0f}) {
    options.text_scale = scale;
    EXPECT_MXINFER_ERROR(drawn(image, {}, options), ErrorCode::invalid_argument,
                         {"text_scale", "0.1 to 100"});
  }
  options.text_scale = 100;
  options.line_width = 1000;
  drawn(image, {box_of(1, 1, 9, 9)}, options);
}

TEST(DrawPoints, AreDiscs) {
  const std::vector<Point> points = {{50.5f, 40.5f}, {kNaN, 3}, {-100, 4}, {3e38f, -3e38f}};
  const Image picture = draw_points(ground(100, 80), points);
  EXPECT_EQ(at(picture, 50, 40), class_color(0));
  EXPECT_EQ(painted(picture), painted(picture, 45, 35, 56, 46));
  EXPECT_GT(painted(picture), 4);
  EXPECT_EQ(painted(draw_points(ground(100, 80), Span<const Point>())), 0);
  EXPECT_MXINFER_ERROR(draw_points(Image(), points), ErrorCode::invalid_argument, {"empty"});
}

TEST(DrawSkeleton, JoinsItsPoints) {
  const std::vector<Point> points = {{20, 20}, {80, 60}, {kNaN, 1}, {5, 75}};
  const std::vector<Limb> limbs = {{0, 1}, {1, 2}};
  DrawOptions options;
  options.line_width = 3;
  const Image picture = draw_skeleton(ground(100, 80), points, limbs, options);
  EXPECT_EQ(at(picture, 50, 40), class_color(0)) << "half way";
  EXPECT_EQ(at(picture, 20, 20), class_color(0));
  EXPECT_EQ(painted(picture, 0, 65, 15, 80), 0) << "a point without limbs";
  EXPECT_EQ(painted(picture, 60, 0, 100, 40), 0);
  for (int x = 20; x < 80; ++x)
    EXPECT_GT(painted(picture, x, 18 + (x - 20) * 2 / 3, x + 1, 24 + (x - 20) * 2 / 3), 0) << x;
}

TEST(DrawSkeleton, SurvivesEveryPoint) {
  const std::vector<float> values = {-3e38f, -1e9f, -1, 0, 7.5f, 1e9f, 3e38f, kNaN, kInfinity};
  std::vector<Point> points;
  for (const float x : values)
    for (const float y : values) points.push_back({x, y});
  std::vector<Limb> limbs;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) limbs.push_back({i, (i * 7 + 3) % 81});
  EXPECT_EQ(draw_skeleton(ground(16, 16), points, limbs).size(), (Size{16, 16}));
}

TEST(DrawSkeleton, SaysWhatIsWrong) {
  const std::vector<Point> points = {{1, 1}, {2, 2}};
  for (const int end : {-1, 2}) {
    const std::vector<Limb> limbs = {{0, 1}, {0, end}};
    EXPECT_MXINFER_ERROR(draw_skeleton(ground(9, 9), points, limbs), ErrorCode::invalid_argument,
                         {"limb 1", "point " + std::to_string(end), "2 points"});
  }
}

TEST(BlendLabels, MixesColoursByLabel) {
  const std::vector<std::int32_t> labels = {0, 1, 2, -1, 3, 1};
  BlendOptions options;
  options.palette = {{0, 0, 0}, {200, 100, 0}, {255, 255, 255}};
  options.opacity = 0.5f;
  const Image picture = blend_labels(ground(3, 2), TensorView(labels.data(), Shape{2, 3}), options);
  EXPECT_EQ(at(picture, 0, 0), kGroundColor) << "background";
  EXPECT_EQ(at(picture, 1, 0), (Color{150, 100, 50}));
  EXPECT_EQ(at(picture, 2, 0), (Color{178, 178, 178}));
  EXPECT_EQ(at(picture, 0, 1), kGroundColor) << "none";
  EXPECT_EQ(at(picture, 1, 1), (Color{50, 50, 50})) << "the palette begins anew";
  EXPECT_EQ(at(picture, 2, 1), at(picture, 1, 0));
}

TEST(BlendLabels, TakesEveryDtypeOfLabels) {
  const auto check = [](const TensorView& labels) {
    BlendOptions options;
    options.opacity = 1;
    options.background = 7;
    const Image picture = blend_labels(ground(2, 1, 1), labels, options);
    EXPECT_EQ(at(picture, 0, 0), class_color(0));
    EXPECT_EQ(at(picture, 1, 0), kGroundColor);
  };
  const std::vector<std::uint8_t> bytes = {0, 7};
  const std::vector<std::int32_t> ints = {0, 7};
  const std::vector<std::int64_t> longs = {0, 7};
  check(TensorView(bytes.data(), Shape{1, 2}));
  check(TensorView(ints.data(), Shape{1, 2}));
  check(TensorView(longs.data(), Shape{1, 2}));
}

TEST(BlendLabels, SaysWhatIsWrong) {
  const std::vector<float> floats(6);
  const std::vector<std::uint8_t> bytes(6);
  const TensorView labels(bytes.data(), Shape{2, 3});
  EXPECT_MXINFER_ERROR(blend_labels(ground(3, 2), TensorView(floats.data(), Shape{2, 3})),
                       ErrorCode::invalid_argument, {"float32", "uint8, int32 or int64"});
  EXPECT_MXINFER_ERROR(blend_labels(ground(2, 3), labels), ErrorCode::invalid_argument, {"(2, 3)", "(3, 2)"});
  EXPECT_MXINFER_ERROR(blend_labels(Image(), labels), ErrorCode::invalid_argument, {"empty"});
  for (const float opacity : {-0.1f, 1.1f, kNaN}) {
    BlendOptions options;
    options.opacity = opacity;
    EXPECT_MXINFER_ERROR(blend_labels(ground(3, 2), labels, options), ErrorCode::invalid_argument,
                         {"opacity", "0 to 1"});
  }
}

}  // namespace
}  // namespace mxinfer

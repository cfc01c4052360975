#include "vision/draw/draw_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace mxinfer {
namespace {

/// Turning the hue by the golden ratio puts every new class into the largest remaining gap.
constexpr double kGoldenTurn = 0.61803398875;
constexpr double kFirstHue = 0.58;  // blue

struct Tone {
  double saturation;
  double value;
};
constexpr std::array<Tone, 3> kTones = {{{0.85, 0.95}, {0.50, 1.00}, {0.75, 0.62}}};
/// Hues and tones nearly repeat after this many classes, so the next round is darker.
constexpr unsigned kRound = 21;
constexpr double kDarker = 0.2;

std::uint8_t as_byte(double part) {
  return static_cast<std::uint8_t>(std::lround(part * 255));
}

/// A channel of a colour by hue, saturation and value; `offset` is 5 for red, 3 for green, 1 for blue.
std::uint8_t channel(double hue, const Tone& tone, double offset) {
  const double sixth = std::fmod(offset + hue * 6, 6);
  const double fall = std::clamp(std::min(sixth, 4 - sixth), 0.0, 1.0);
  return as_byte(tone.value * (1 - tone.saturation * fall));
}

/// The relative luminance of sRGB, for the contrast of texts: 0 is black, 1 white.
double luminance(Color color) {
  const auto linear = [](std::uint8_t byte) {
    const double part = byte / 255.0;
    return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

}  // namespace

Color MXINFER_ABI::class_color(int index) noexcept {
  const auto number = static_cast<unsigned>(index);
  const double hue = std::fmod(kFirstHue + number * kGoldenTurn, 1);
  Tone tone = kTones[number % kTones.size()];
  tone.value *= 1 - kDarker * (number / kRound % 3);
  return {channel(hue, tone, 5), channel(hue, tone, 3), channel(hue, tone, 1)};
}

Color api::color_of(int index, const std::vector<Color>& palette) {
  return palette.empty() ? class_color(index) : palette[static_cast<unsigned>(index) % palette.size()];
}

Color api::readable_on(Color background) {
  // (lighter + 0.05) / (darker + 0.05), with white above and with black below.
  const double light = luminance(background);
  const bool black = (light + 0.05) / 0.05 > 1.05 / (light + 0.05);
  return black ? Color{0, 0, 0} : Color{255, 255, 255};
}

}  // namespace mxinfer

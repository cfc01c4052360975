#include "cli/preprocess_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "cli/suggest.h"
#include "cli/value_checks.h"

namespace mxinfer::cli {
namespace {

template <typename Value>
using Names = std::vector<std::pair<std::string, Value>>;

const Names<ResizePolicy>& resize_names() {
  static const Names<ResizePolicy> names = {{"stretch", ResizePolicy::stretch},
                                            {"short-side-crop", ResizePolicy::short_side_crop},
                                            {"letterbox", ResizePolicy::letterbox}};
  return names;
}

/// In the order of the numbers that OpenCV and MXNet give them.
const Names<Interpolation>& interpolation_names() {
  static const Names<Interpolation> names = {{"nearest", Interpolation::nearest},
                                             {"linear", Interpolation::linear},
                                             {"cubic", Interpolation::cubic},
                                             {"area", Interpolation::area},
                                             {"lanczos4", Interpolation::lanczos4}};
  return names;
}

std::vector<std::string> interpolation_numbers() {
  return {"0", "1", "2", "3", "4"};
}

const Names<ColorOrder>& color_names() {
  static const Names<ColorOrder> names = {{"rgb", ColorOrder::rgb}, {"bgr", ColorOrder::bgr}};
  return names;
}

template <typename Value>
std::vector<std::string> keys(const Names<Value>& names) {
  std::vector<std::string> result;
  for (const auto& [name, value] : names) result.push_back(name);
  return result;
}

/// The parser has checked that the name is one of them.
template <typename Value>
Value named_value(const Names<Value>& names, const std::string& wanted) {
  for (const auto& [name, value] : names) {
    if (name == wanted) return value;
  }
  throw UsageError("'" + wanted + "' is none of the names that are known");
}

/// By name or number.
Interpolation interpolation_of(const std::string& text) {
  const std::vector<std::string> numbers = interpolation_numbers();
  const auto number = std::find(numbers.begin(), numbers.end(), text);
  if (number == numbers.end()) return named_value(interpolation_names(), text);
  return interpolation_names()[static_cast<std::size_t>(number - numbers.begin())].second;
}

std::optional<float> parse_float(std::string_view text) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// "0.5", or "1/255": the two ways in which a scale is usually written.
float parse_scale(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::optional<float> above = parse_float(std::string_view(text).substr(0, slash));
  const std::optional<float> below = slash == std::string::npos
                                         ? std::optional<float>(1.0f)
                                         : parse_float(std::string_view(text).substr(slash + 1));
  if (!above || !below || *below == 0)
    throw UsageError("--scale wants a number or a fraction such as 1/255, got '" + text + "'");
  return *above / *below;
}

/// "127.5" for all channels, or "0.485,0.456,0.406".
std::array<float, 3> parse_channels(const std::string& option, const std::string& text) {
  std::vector<float> values;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::optional<float> value = parse_float(rest.substr(0, comma));
    if (!value) break;
    values.push_back(*value);
    if (comma == std::string_view::npos) {
      if (values.size() == 1) return {values[0], values[0], values[0]};
      if (values.size() == 3) return {values[0], values[1], values[2]};
      break;
    }
    rest.remove_prefix(comma + 1);
  }
  throw UsageError(option + " wants one number, or three with commas between, got '" + text + "'");
}

}  // namespace

void add_preprocess_options(CLI::App& command, PreprocessOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->group(kImageGroup)->type_name(type);
  };
  one_of(add("--preset", options.preset, "NAME",
             "Settings to start from, which the options below go over: " +
                 listed(Preprocess::preset_names()) + " (default raw)"),
         Preprocess::preset_names());
  one_of(add("--resize", options.resize, "POLICY", "How it gets its size: " + listed(keys(resize_names()))),
         keys(resize_names()));
  whole_number(
      add("--resize-short", options.resize_short, "N", "short-side-crop: the short side before the crop"), 1);
  one_of(add("--interpolation", options.interpolation, "NAME",
             "nearest, linear, cubic, area or lanczos4; or the numbers 0 to 4 that MXNet gives them"),
         keys(interpolation_names()), interpolation_numbers());
  one_of(add("--color", options.color, "ORDER", "The order of the channels: rgb or bgr"),
         keys(color_names()));
  add("--scale", options.scale, "X",
      "value = (pixel * scale - mean) / std; a number or a fraction such as 1/255");
  add("--mean", options.mean, "X[,X,X]", "For all channels, or for each in the order of --color");
  add("--std", options.std, "X[,X,X]", "Likewise");
  number(add("--pad-value", options.pad_value, "X", "letterbox: the pixel value around the image, 0 to 255"),
         0.0, 255.0);
  whole_number(add("--height", options.height, "N", "The network's height, if the model leaves it open"), 1);
  whole_number(add("--width", options.width, "N", "The network's width, if the model leaves it open"), 1);
  command.add_flag("--no-exif", options.no_exif, "Do not turn images as their EXIF orientation says")
      ->group(kImageGroup);
}

ImageOptions image_options_of(const PreprocessOptions& options) {
  ImageOptions result;
  Preprocess& preprocess = result.preprocess;
  preprocess = Preprocess::preset(options.preset);
  if (options.resize) preprocess.resize = named_value(resize_names(), *options.resize);
  if (options.resize_short) preprocess.resize_short = *options.resize_short;
  if (options.interpolation) {
    preprocess.interpolation = interpolation_of(*options.interpolation);
  }
  if (options.color) preprocess.color = named_value(color_names(), *options.color);
  if (options.scale) preprocess.scale = parse_scale(*options.scale);
  if (options.mean) preprocess.mean = parse_channels("--mean", *options.mean);
  if (options.std) preprocess.std = parse_channels("--std", *options.std);
  if (options.pad_value) preprocess.pad_value = *options.pad_value;
  result.height = options.height;
  result.width = options.width;
  result.apply_exif = !options.no_exif;
  return result;
}

}  // namespace mxinfer::cli

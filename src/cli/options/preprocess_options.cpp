#include "cli/options/preprocess_options.h"

#include <mxinfer/settings.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/text/suggest.h"
#include "cli/options/options.h"
#include "cli/options/value_checks.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {
namespace {

std::vector<std::string> resize_names() {
  return {"stretch", "short-side-crop", "letterbox"};
}

/// In the order of their numbers in OpenCV and MXNet.
std::vector<std::string> interpolation_names() {
  return {"nearest", "linear", "cubic", "area", "lanczos4"};
}

std::vector<std::string> interpolation_numbers() {
  return {"0", "1", "2", "3", "4"};
}

std::vector<std::string> color_names() {
  return {"rgb", "bgr"};
}

/// The name of an interpolation that may be given by its number.
std::string interpolation_name(const std::string& text) {
  const std::vector<std::string> numbers = interpolation_numbers();
  const auto number = std::find(numbers.begin(), numbers.end(), text);
  return number == numbers.end() ? text
                                 : interpolation_names()[static_cast<std::size_t>(number - numbers.begin())];
}

/// Sets what an option stands for. UsageError that names the option if the value is invalid.
void set(Settings& settings, const std::string& option, const char* name,
         const std::optional<std::string>& value) try {
  if (value) settings.set(name, *value);
} catch (const Error& e) {
  throw UsageError(setting_message(option, *value, e.what()));
}

}  // namespace

void add_preprocess_options(CLI::App& command, PreprocessOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& text) {
    return command.add_option(name, value, text)->group(kImageGroup)->type_name(type);
  };
  one_of(add("--preset", options.preset, "NAME",
             "Preprocessing preset, which the options below override: " + listed(Preprocess::preset_names()) +
                 " (default raw)"),
         Preprocess::preset_names());
  one_of(add("--resize", options.resize, "POLICY",
             "How to fit images to the network's input: " + listed(resize_names())),
         resize_names());
  whole_number(add("--resize-short", options.resize_short, "N",
                   "With short-side-crop, length of the short side before the crop"),
               1);
  one_of(
      add("--interpolation", options.interpolation, "NAME",
          "Interpolation method: nearest, linear, cubic, area or lanczos4, or its number in MXNet, 0 to 4"),
      interpolation_names(), interpolation_numbers());
  one_of(add("--color", options.color, "ORDER", "Channel order: rgb or bgr"), color_names());
  add("--scale", options.scale, "X",
      "Scale in value = (pixel * scale - mean) / std: a number or a fraction such as 1/255");
  add("--mean", options.mean, "X[,X,X]", "Mean of all channels, or of each in the order of --color");
  add("--std", options.std, "X[,X,X]",
      "Standard deviation of all channels, or of each in the order of --color");
  number(add("--pad-value", options.pad_value, "X", "With letterbox, pixel value around the image, 0 to 255"),
         0.0, 255.0);
  whole_number(
      add("--height", options.height, "N", "Height of the network's input, if the model leaves it open"), 1);
  whole_number(
      add("--width", options.width, "N", "Width of the network's input, if the model leaves it open"), 1);
  command.add_flag("--no-exif", options.no_exif, "Ignore the EXIF orientation of images")->group(kImageGroup);
}

ImageOptions image_options_of(const PreprocessOptions& options) {
  Settings settings;
  settings.set("preset", options.preset);
  set(settings, "--resize", "resize", options.resize);
  if (options.interpolation)
    set(settings, "--interpolation", "interpolation", interpolation_name(*options.interpolation));
  set(settings, "--color", "color", options.color);
  set(settings, "--scale", "scale", options.scale);
  set(settings, "--mean", "mean", options.mean);
  set(settings, "--std", "std", options.std);
  ImageOptions result = settings.image_options();
  if (options.resize_short) result.preprocess.resize_short = *options.resize_short;
  if (options.pad_value) result.preprocess.pad_value = *options.pad_value;
  result.height = options.height;
  result.width = options.width;
  result.apply_exif = !options.no_exif;
  return result;
}

}  // namespace mxinfer::cli

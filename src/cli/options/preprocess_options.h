// The options for image preprocessing: a preset, and overrides of its settings.
#pragma once

#include <mxinfer/vision/image_classifier.h>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace mxinfer::cli {

struct PreprocessOptions {
  std::string preset = "raw";
  std::optional<std::string> resize;
  std::optional<int> resize_short;
  std::optional<std::string> interpolation;
  std::optional<std::string> color;
  std::optional<std::string> mean;
  std::optional<std::string> std;
  std::optional<std::string> scale;
  std::optional<float> pad_value;
  std::optional<int> height;
  std::optional<int> width;
  bool no_exif = false;
};

void add_preprocess_options(CLI::App& command, PreprocessOptions& options);

/// The preset with the given options applied. UsageError for invalid values.
ImageOptions image_options_of(const PreprocessOptions& options);

/// The same as DetectorOptions, SegmenterOptions or EmbedderOptions.
template <typename ClassOptions>
ClassOptions class_options_of(const PreprocessOptions& options) {
  const ImageOptions image = image_options_of(options);
  ClassOptions result;
  result.preprocess = image.preprocess;
  result.apply_exif = image.apply_exif;
  result.height = image.height;
  result.width = image.width;
  return result;
}

}  // namespace mxinfer::cli

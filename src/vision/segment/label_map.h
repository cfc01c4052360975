// Turns a network's map of classes, of any size, into a label for each pixel of an image.
//
//   Image labels = label_map({scores, 21, 60, 60}, placement, {Activation::none, {}, true});
#pragma once

#include <mxinfer/activation.h>
#include <mxinfer/vision/image.h>
#include <mxinfer/vision/preprocess.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace mxinfer::api {

/// Scores of (classes, height, width), 1 to 255 classes.
struct ScoreMap {
  const float* scores;
  std::int64_t classes, height, width;
};

/// Labels of (height, width).
struct IndexMap {
  const std::uint8_t* labels;
  std::int64_t height, width;
};

/// Where an image lies in a map: image.source is the image's size, its other members are in pixels of an
/// input of that size, all of which the map covers.
struct MapPlacement {
  ImageMap image;
  double input_width, input_height;
};

struct LabelMapOptions {
  Activation activation;
  std::optional<float> min_score;
  bool smooth;
};

/// The label of the best class at each pixel; with one class, 1 where its score is above 0.5, else 0.
/// kUnknownLabel where the map does not reach, no score is a number, or the best is below min_score. Runs on
/// the threads of the current arena.
Image label_map(const ScoreMap& map, const MapPlacement& placement, const LabelMapOptions& options);

/// The label of the nearest element.
Image label_map(const IndexMap& map, const MapPlacement& placement);

}  // namespace mxinfer::api

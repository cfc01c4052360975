// The parts of an image that transforms of detectors draw.
//
//   const CropRules rules = crop_rules(attrs);
//   const Region part = draw_crop(rules, draws, image, boxes);     // boxes are now those of the part
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ops/augment/box_rows.h"
#include "ops/augment/drawn_numbers.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// How a canvas larger than the image is drawn.
struct ExpandRules {
  double max_ratio = 1;    ///< up to so many times each side; 1: never
  double probability = 1;  ///< of a larger canvas at all
  bool keep_ratio = true;  ///< both sides grow alike
};

/// Its most numbers.
std::int64_t most_draws(const ExpandRules& rules);

/// The canvas, seen from the image: its corner is at or left of and above the image's. Draws, in this order,
/// whether there is one, the ratio of the width, that of the height unless keep_ratio, and how far down and
/// across the image lies on it. Moves the boxes.
Region draw_canvas(const ExpandRules& rules, DrawnNumbers& draws, Size image, BoxRows& boxes);

/// How a part of an image is drawn.
struct CropRules {
  double min_scale = 0.3, max_scale = 1;  ///< of the sides
  double max_aspect_ratio = 2;
  std::int64_t trials = 50;  ///< for each of:
  std::vector<std::pair<double, double>>
      overlaps;  ///< the least and most that each box overlaps with the part
};

/// The attributes of CropRules, and their values. Throws Error(invalid_argument) for ranges without numbers.
std::vector<graph::AttrSpec> crop_rule_attrs();
CropRules crop_rules(const Attrs& attrs);

/// Its most numbers.
std::int64_t most_draws(const CropRules& rules);

/// Random crops as they are drawn for SSD (Liu et al. 2016). For each range of overlaps, up to `trials` parts
/// are drawn, each by its scale, its aspect and its place, down and across; the first that overlaps with each
/// box within the range is a candidate, as is the whole image. Of the candidates one is drawn until one
/// holds the centre of a box. Crops the boxes; where no candidate holds one, or there are none, they stay as
/// they are. A part without a pixel, or without a place to choose, is no candidate; its place is not drawn.
Region draw_crop(const CropRules& rules, DrawnNumbers& draws, Size image, BoxRows& boxes);

}  // namespace mxinfer::ops

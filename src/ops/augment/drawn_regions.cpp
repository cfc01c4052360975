#include "ops/augment/drawn_regions.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/fail.h"

namespace mxinfer::ops {
namespace {

constexpr std::size_t kMostOverlaps = 64;
constexpr std::int64_t kMostTrials = 1000;

int longer(int side, double ratio) {
  return std::max(side, static_cast<int>(side * ratio));
}

bool overlaps_within(const std::pair<double, double>& range, const BoxRows& boxes, const Region& part) {
  for (std::int64_t i = 0; i < boxes.count(); ++i) {
    const double share = overlap(boxes.row(i), part);
    if (!(range.first <= share && share <= range.second)) return false;
  }
  return true;
}

std::optional<Region> draw_part(const CropRules& rules, DrawnNumbers& draws, Size image) {
  const double scale = draws.uniform(rules.min_scale, rules.max_scale);
  const double area = scale * scale, aspect = draws.uniform(std::max(1 / rules.max_aspect_ratio, area),
                                                            std::min(rules.max_aspect_ratio, 1 / area));
  const int height = static_cast<int>(image.height * scale / std::sqrt(aspect));
  const int width = static_cast<int>(image.width * scale * std::sqrt(aspect));
  if (width < 1 || height < 1 || width >= image.width || height >= image.height) return std::nullopt;
  const auto top = static_cast<int>(draws.below(image.height - height));
  const auto left = static_cast<int>(draws.below(image.width - width));
  return Region{left, top, width, height};
}

}  // namespace

std::int64_t most_draws(const ExpandRules& rules) {
  if (rules.max_ratio <= 1) return 0;
  return rules.keep_ratio ? 4 : 5;
}

Region draw_canvas(const ExpandRules& rules, DrawnNumbers& draws, Size image, BoxRows& boxes) {
  const Region whole{0, 0, image.width, image.height};
  if (rules.max_ratio <= 1) return whole;
  const bool grows = draws.next() > 1 - rules.probability || rules.probability >= 1;
  if (!grows) return whole;
  const double across = draws.uniform(1, rules.max_ratio);
  const double down = rules.keep_ratio ? across : draws.uniform(1, rules.max_ratio);
  Region canvas{0, 0, longer(image.width, across), longer(image.height, down)};
  canvas.y = -static_cast<int>(draws.below(std::int64_t{canvas.height} - image.height + 1));
  canvas.x = -static_cast<int>(draws.below(std::int64_t{canvas.width} - image.width + 1));
  boxes.translate(-canvas.x, -canvas.y);
  return canvas;
}

std::vector<graph::AttrSpec> crop_rule_attrs() {
  return {graph::number_attr("min_scale", 0.3).at_least(0.001).at_most(1),
          graph::number_attr("max_scale", 1).at_least(0.001).at_most(1),
          graph::number_attr("max_aspect_ratio", 2).at_least(1).at_most(1e6),
          graph::number_tuple_attr("min_overlap", "(0.1, 0.3, 0.5, 0.7, 0.9, 0)"),
          graph::number_tuple_attr("max_overlap", "(1, 1, 1, 1, 1, 1)"),
          graph::integer_attr("max_trial", 50).at_least(0).at_most(kMostTrials)};
}

CropRules crop_rules(const Attrs& attrs) {
  const auto& least = attrs.number_tuple("min_overlap");
  const auto& most = attrs.number_tuple("max_overlap");
  if (least.size() != most.size() || least.size() > kMostOverlaps) {
    fail(ErrorCode::invalid_argument, "attributes min_overlap and max_overlap have ", least.size(), " and ",
         most.size(), " numbers; expected the same number of each, at most ", kMostOverlaps);
  }
  CropRules rules{attrs.number("min_scale"),
                  attrs.number("max_scale"),
                  attrs.number("max_aspect_ratio"),
                  attrs.integer("max_trial"),
                  {}};
  if (rules.min_scale > rules.max_scale) {
    fail(ErrorCode::invalid_argument, "attribute min_scale is ", rules.min_scale, " and max_scale ",
         rules.max_scale, "; the smaller one was expected first");
  }
  for (std::size_t i = 0; i < least.size(); ++i) rules.overlaps.emplace_back(least[i], most[i]);
  return rules;
}

std::int64_t most_draws(const CropRules& rules) {
  const auto ranges = static_cast<std::int64_t>(rules.overlaps.size());
  return ranges * rules.trials * 4 + ranges + 1;
}

Region draw_crop(const CropRules& rules, DrawnNumbers& draws, Size image, BoxRows& boxes) {
  const Region whole{0, 0, image.width, image.height};
  std::vector<Region> candidates = {whole};
  for (const auto& range : rules.overlaps) {
    for (std::int64_t i = 0; i < rules.trials; ++i) {
      const auto part = draw_part(rules, draws, image);
      if (!part || !overlaps_within(range, boxes, *part)) continue;
      if (boxes.count() == 0) return *part;
      candidates.push_back(*part);
      break;
    }
  }
  while (!candidates.empty()) {
    const auto chosen = candidates.begin() + draws.below(static_cast<std::int64_t>(candidates.size()));
    const Region part = *chosen;
    candidates.erase(chosen);
    BoxRows left = boxes;
    left.crop(part);
    if (left.count() == 0) continue;
    boxes = left;
    return part;
  }
  return whole;
}

}  // namespace mxinfer::ops

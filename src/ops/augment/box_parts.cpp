// Images with boxes, for training detectors: a part drawn, on a larger canvas or inside of the image, resized
// to a fixed size; or the whole resized. The boxes follow their objects.
// Images with boxes, mirrored: as attributes say, or at random.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "image/resize.h"
#include "ops/augment/inputs.h"
#include "ops/common/constant_step.h"
#include "ops/image/image_resize_step.h"

namespace mxinfer::ops {
namespace {

/// How a canvas larger than the image is drawn.
struct ExpandRules {
  double max_ratio = 1;    ///< up to so many times each side; 1: never
  double probability = 1;  ///< of a larger canvas at all
  bool keep_ratio = true;  ///< both sides grow alike
};

/// How a part of an image is drawn.
struct CropRules {
  double min_scale = 0.3, max_scale = 1;  ///< of the sides
  double max_aspect_ratio = 2;
  std::int64_t trials = 50;  ///< for each of:
  std::vector<std::pair<double, double>>
      overlaps;  ///< the least and most that each box overlaps with the part
};

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

std::int64_t most_draws(const ExpandRules& rules) {
  if (rules.max_ratio <= 1) return 0;
  return rules.keep_ratio ? 4 : 5;
}

/// The canvas, seen from the image: its corner is at or left of and above the image's. Draws, in this order,
/// whether there is one, the ratio of the width, that of the height unless keep_ratio, and how far down and
/// across the image lies on it. Moves the boxes.
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

/// The attributes of CropRules, and their values. Throws Error(invalid_argument) for ranges without numbers.
std::vector<AttrSpec> crop_rule_attrs() {
  return {number_attr("min_scale", 0.3).at_least(0.001).at_most(1),
          number_attr("max_scale", 1).at_least(0.001).at_most(1),
          number_attr("max_aspect_ratio", 2).at_least(1).at_most(1e6),
          number_tuple_attr("min_overlap", "(0.1, 0.3, 0.5, 0.7, 0.9, 0)"),
          number_tuple_attr("max_overlap", "(1, 1, 1, 1, 1, 1)"),
          integer_attr("max_trial", 50).at_least(0).at_most(kMostTrials)};
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

/// Random crops as they are drawn for SSD (Liu et al. 2016). For each range of overlaps, up to `trials` parts
/// are drawn, each by its scale, its aspect and its place, down and across; the first that overlaps with each
/// box within the range is a candidate, as is the whole image. Of the candidates one is drawn until one
/// holds the centre of a box. Crops the boxes; where no candidate holds one, or there are none, they stay as
/// they are. A part without a pixel, or without a place to choose, is no candidate; its place is not drawn.
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

constexpr std::int64_t kDrawnInterp = 10;
constexpr std::int64_t kMostImageSide = 1 << 24;

/// What becomes of one image, and of its boxes, which it changes.
struct Resizing {
  ExpandRules expand{};
  std::optional<CropRules> crop{};
  std::int64_t interp = 1;
  Size to{};
  std::vector<double> fill = {0};

  std::int64_t most() const {
    return most_draws(expand) + (crop ? most_draws(*crop) : 0) + (interp == kDrawnInterp ? 1 : 0);
  }

  Region draw(DrawnNumbers& draws, Size image, BoxRows& boxes) const {
    const Region canvas = draw_canvas(expand, draws, image, boxes);
    if (!crop) return canvas;
    Region part = draw_crop(*crop, draws, {canvas.width, canvas.height}, boxes);
    part.x += canvas.x;
    part.y += canvas.y;
    return part;
  }

  Interpolation interpolation(DrawnNumbers& draws, Size from) const {
    if (interp == kDrawnInterp) return static_cast<Interpolation>(draws.below(5));
    return interp == 9 ? auto_interpolation(from, to) : static_cast<Interpolation>(interp);
  }
};

Size wanted_size(const Attrs& attrs) {
  const Size size = size_attribute(attrs);
  if (size.width > kMostImageSide || size.height > kMostImageSide) {
    fail(ErrorCode::invalid_argument, "images of ", size.width, " x ", size.height, " pixels are too large");
  }
  return size;
}

std::vector<double> fill_of(const Attrs& attrs, const ImageShape& image, DType dtype) {
  auto fill = attrs.number_tuple("fill");
  const bool fits = fill.size() == 1 || static_cast<std::int64_t>(fill.size()) == image.channels;
  if (!fits) {
    fail(ErrorCode::invalid_argument, "attribute fill has ", fill.size(), " numbers for an image of ",
         image.channels, " channels; 1 or one for each was expected");
  }
  for (const double value : fill) require_pixel_value("fill", dtype, value);
  return fill;
}

Tensor fill_pixel(const std::vector<double>& fill, DType dtype, std::int64_t channels) {
  Tensor pixel(dtype, {channels});
  for (std::int64_t c = 0; c < channels; ++c) {
    store_number(pixel, c, fill[fill.size() == 1 ? 0 : static_cast<std::size_t>(c)]);
  }
  return pixel;
}

using ResizingFn = Resizing (*)(const Attrs&, const ImageShape&, DType);

Resizing whole_resizing(const Attrs& attrs, const ImageShape&, DType) {
  return {.interp = attrs.integer("interp"), .to = wanted_size(attrs)};
}

/// The largest canvas must be an image that could be.
void require_canvas(const ExpandRules& rules, const ImageShape& image, DType dtype) {
  const auto side = [&](std::int64_t size) {
    const double longest = static_cast<double>(size) * rules.max_ratio;
    if (longest > kMostImageSide) {
      fail(ErrorCode::invalid_argument, "a side of ", size, " pixels would become ", longest, "; at most ",
           kMostImageSide, " are expected");
    }
    return static_cast<std::int64_t>(longest);
  };
  require_possible({dtype, {side(image.height), side(image.width), image.channels}});
}

Resizing expand_resizing(const Attrs& attrs, const ImageShape& image, DType dtype) {
  Resizing resizing = whole_resizing(attrs, image, dtype);
  resizing.expand = {attrs.number("max_ratio"), attrs.number("p"), attrs.flag("keep_ratio")};
  resizing.fill = fill_of(attrs, image, dtype);
  require_canvas(resizing.expand, image, dtype);
  return resizing;
}

Resizing crop_resizing(const Attrs& attrs, const ImageShape& image, DType dtype) {
  Resizing resizing = expand_resizing(attrs, image, dtype);
  resizing.crop = crop_rules(attrs);
  return resizing;
}

Step lower_resizing(LowerContext& context, ResizingFn rules_of, Draws from) {
  const DType dtype = context.input(0).dtype;
  const ImageShape image = image_shape(context.input(0).shape);
  const Resizing rules = rules_of(context.attrs(), image, dtype);
  const auto fill = std::make_shared<const Tensor>(fill_pixel(rules.fill, dtype, image.channels));
  const auto element = static_cast<std::int64_t>(size_of(dtype));
  const std::int64_t src_bytes = image.image_elements() * element;
  const std::int64_t dst_bytes = std::int64_t{rules.to.width} * rules.to.height * image.channels * element;
  const DrawsOfRun draws_of(context, from);
  const BoxesOfRun boxes_of(context);
  Step step{.kernel = "part_with_boxes"};
  step.reason = "the size of the part is drawn, so that the tables of its resize are made when it runs";
  step.run = [=](const RunContext& run) {
    const std::uint64_t run_key = draws_of.next_run();
    for (std::int64_t i = 0; i < image.images; ++i) {
      DrawnNumbers draws = draws_of.of_image(run, run_key, i);
      BoxRows boxes = boxes_of.read(run, i);
      const Region region = rules.draw(draws, image.size(), boxes);
      const Size size{region.width, region.height};
      const Interpolation interpolation = rules.interpolation(draws, size);
      boxes.resize(size, rules.to);
      boxes_of.write(boxes, run, i);
      const Tensor part = cut_part(run.input<std::byte>(0) + i * src_bytes, image, dtype, region,
                                   static_cast<const std::byte*>(fill->raw()));
      const Tensor resized = image::resize(part, rules.to.width, rules.to.height, interpolation);
      std::memcpy(run.output<std::byte>(0) + i * dst_bytes, resized.raw(), resized.bytes());
    }
  };
  return step;
}

/// An operator whose `draws` are as said; the attributes are those of `rules_of`.
OpDef resizing_op(const std::string& name, std::string summary, std::vector<AttrSpec> attrs,
                  ResizingFn rules_of, Draws from) {
  OpDef op{.name = augment_name(name, from), .summary = std::move(summary)};
  op.traits.output_rank = always_same_rank;
  op.attrs = std::move(attrs);
  set_ports(op, "boxes", from);
  op.infer = [rules_of](const InferContext& context) -> std::vector<TensorType> {
    const ImageShape image = image_shape(context.shape(0));
    require_grey_or_color(image, context.shape(0));
    require_resizable(context.dtype(0));
    (void)image.size();
    require_boxes(context, image);
    const Resizing rules = rules_of(context.attrs, image, context.dtype(0));
    require_draws(context, image, rules.most());
    return {{context.dtype(0), image.with(rules.to.height, rules.to.width)},
            {context.dtype(1), context.shape(1)}};
  };
  op.lower = [rules_of, from](LowerContext& context) { return lower_resizing(context, rules_of, from); };
  return op;
}

std::vector<AttrSpec> size_attrs(std::int64_t most_interp) {
  return {tuple_attr("size"), interp_attr(most_interp)};
}

std::vector<AttrSpec> expand_attrs(double max_ratio, double probability) {
  auto attrs = size_attrs(kDrawnInterp);
  attrs.push_back(number_attr("max_ratio", max_ratio).at_least(0).at_most(64));
  attrs.push_back(number_attr("p", probability).at_least(0).at_most(1));
  attrs.push_back(flag_attr("keep_ratio", true));
  attrs.push_back(number_tuple_attr("fill", "(0,)"));
  return attrs;
}

OpDef expand_op(Draws from) {
  return resizing_op("expand_boxes",
                     "With probability p, puts images at a random position on a canvas of `fill` whose sides "
                     "are up to max_ratio times as long; resizes them to size (width, height), with their "
                     "boxes. interp as in _mxinfer_resize_short, or 10: drawn from 0 to 4.",
                     expand_attrs(4, 1), expand_resizing, from);
}

OpDef crop_op(Draws from) {
  auto attrs = expand_attrs(1, 0.5);
  for (auto& attr : crop_rule_attrs()) attrs.push_back(std::move(attr));
  return resizing_op("crop_boxes",
                     "SSD's random crop of images: a part that overlaps with each box by at least a "
                     "min_overlap, resized to size (width, height), with the boxes whose centres are in it. "
                     "If max_ratio is above 1, _mxinfer_random_expand_boxes comes first. interp as there.",
                     std::move(attrs), crop_resizing, from);
}

OpDef resize_op() {
  return resizing_op("resize_boxes",
                     "Resizes images to size (width, height), with their boxes (left, top, right, bottom, "
                     "...). interp as in _mxinfer_resize_short.",
                     size_attrs(9), whole_resizing, Draws::none);
}

/// Whether each axis is mirrored: drawn with these probabilities, down first, or as they say (0 or 1).
struct FlipRules {
  double across = 0, down = 0;
  bool drawn = false;

  static bool draw(DrawnNumbers& draws, double probability) {
    const double stays = 1 - probability;
    return draws.next() >= stays / (stays + probability);
  }
};

FlipRules flip_rules(const Attrs& attrs, Draws from) {
  if (from == Draws::none) return {attrs.flag("x") ? 1.0 : 0.0, attrs.flag("y") ? 1.0 : 0.0, false};
  return {attrs.number("px"), attrs.number("py"), true};
}

Step lower_flip_boxes(LowerContext& context, Draws from) {
  const ImageShape image = image_shape(context.input(0).shape);
  const FlipRules rules = flip_rules(context.attrs(), from);
  const auto pixel = image.channels * static_cast<std::int64_t>(size_of(context.input(0).dtype));
  const std::int64_t bytes = image.height * image.width * pixel;
  const DrawsOfRun draws_of(context, from);
  const BoxesOfRun boxes_of(context);
  Step step{.kernel = "flip_with_boxes [ref]", .reason = "moves elements only"};
  step.run = [=](const RunContext& run) {
    const std::uint64_t run_key = draws_of.next_run();
    for (std::int64_t i = 0; i < image.images; ++i) {
      DrawnNumbers draws = draws_of.of_image(run, run_key, i);
      const bool down = rules.drawn ? FlipRules::draw(draws, rules.down) : rules.down > 0;
      const bool across = rules.drawn ? FlipRules::draw(draws, rules.across) : rules.across > 0;
      BoxRows boxes = boxes_of.read(run, i);
      boxes.flip(image.size(), across, down);
      boxes_of.write(boxes, run, i);
      flip_image(run.input<std::byte>(0) + i * bytes, run.output<std::byte>(0) + i * bytes, image.size(),
                 pixel, across, down);
    }
  };
  return step;
}

OpDef flip_op(Draws from) {
  OpDef op;
  op.name = augment_name("flip_boxes", from);
  op.traits.output_rank = always_same_rank;
  if (from == Draws::none) {
    op.summary = "Mirrors images across (x) and down (y), with their boxes (left, top, right, bottom, ...).";
    op.attrs = {flag_attr("x", false), flag_attr("y", false)};
  } else {
    op.summary = "Mirrors each image and its boxes, across with probability px and down with probability py.";
    op.attrs = {number_attr("px", 0).at_least(0).at_most(1), number_attr("py", 0).at_least(0).at_most(1)};
  }
  set_ports(op, "boxes", from);
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    const ImageShape image = image_shape(context.shape(0));
    require_grey_or_color(image, context.shape(0));
    (void)image.size();
    require_boxes(context, image);
    require_draws(context, image, 2);
    return {{context.dtype(0), context.shape(0)}, {context.dtype(1), context.shape(1)}};
  };
  op.lower = [from](LowerContext& context) { return lower_flip_boxes(context, from); };
  return op;
}

}  // namespace

std::vector<OpDef> box_part_ops() {
  return {
      resize_op(),           expand_op(Draws::random), expand_op(Draws::input), crop_op(Draws::random),
      crop_op(Draws::input), flip_op(Draws::none),     flip_op(Draws::random),  flip_op(Draws::input),
  };
}

}  // namespace mxinfer::ops

// Images with boxes, for training detectors: a part drawn, on a larger canvas or inside of the image, resized
// to a fixed size; or the whole resized. The boxes follow their objects.
#include <cstring>
#include <memory>
#include <optional>

#include "base/fail.h"
#include "image/resize.h"
#include "ops/augment/boxes_input.h"
#include "ops/augment/drawn_regions.h"
#include "ops/augment/draws_input.h"
#include "ops/augment/image_part.h"
#include "ops/common/constant_step.h"
#include "ops/image/image_resize_step.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kDrawnInterp = 10;
constexpr std::int64_t kMostImageSide = 1 << 24;

/// What becomes of one image, and of its boxes, which it changes.
struct Resizing {
  ExpandRules expand;
  std::optional<CropRules> crop;
  std::int64_t interp = 1;
  Size to;
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
  Resizing resizing;
  resizing.to = wanted_size(attrs);
  resizing.interp = attrs.integer("interp");
  return resizing;
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
  Step step;
  step.kernel = "part_with_boxes";
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
OpDef resizing_op(const std::string& name, std::string summary, std::vector<graph::AttrSpec> attrs,
                  ResizingFn rules_of, Draws from) {
  OpDef op;
  op.name = augment_name(name, from);
  op.summary = std::move(summary);
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

std::vector<graph::AttrSpec> size_attrs(std::int64_t most_interp) {
  return {graph::tuple_attr("size"), interp_attr(most_interp)};
}

std::vector<graph::AttrSpec> expand_attrs(double max_ratio, double probability) {
  auto attrs = size_attrs(kDrawnInterp);
  attrs.push_back(graph::number_attr("max_ratio", max_ratio).at_least(0).at_most(64));
  attrs.push_back(graph::number_attr("p", probability).at_least(0).at_most(1));
  attrs.push_back(graph::flag_attr("keep_ratio", true));
  attrs.push_back(graph::number_tuple_attr("fill", "(0,)"));
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

}  // namespace

std::vector<OpDef> box_part_ops() {
  return {resize_op(), expand_op(Draws::random), expand_op(Draws::input), crop_op(Draws::random),
          crop_op(Draws::input)};
}

}  // namespace mxinfer::ops

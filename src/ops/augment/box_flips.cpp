// Images with boxes, mirrored: as attributes say, or at random.
#include "ops/augment/boxes_input.h"
#include "ops/augment/draws_input.h"
#include "ops/augment/image_part.h"

namespace mxinfer::ops {
namespace {

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
  Step step;
  step.kernel = "flip_with_boxes [ref]";
  step.reason = "moves elements only";
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
    op.attrs = {graph::flag_attr("x", false), graph::flag_attr("y", false)};
  } else {
    op.summary = "Mirrors each image and its boxes, across with probability px and down with probability py.";
    op.attrs = {graph::number_attr("px", 0).at_least(0).at_most(1),
                graph::number_attr("py", 0).at_least(0).at_most(1)};
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

std::vector<OpDef> box_flip_ops() {
  return {flip_op(Draws::none), flip_op(Draws::random), flip_op(Draws::input)};
}

}  // namespace mxinfer::ops

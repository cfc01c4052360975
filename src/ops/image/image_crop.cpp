// Operators that only move pixels: _image_crop, the flips, _mxinfer_list_to_batch.
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/image/image_shape.h"

namespace mxinfer::ops {
namespace {

/// Rows of pixels: (n, h, w, c) whatever the rank.
Shape with_batch(const ImageShape& image) {
  return {image.images, image.height, image.width, image.channels};
}

void require_inside(const Attrs& attrs, const ImageShape& image) {
  const std::int64_t x = attrs.integer("x"), y = attrs.integer("y");
  const std::int64_t width = attrs.integer("width"), height = attrs.integer("height");
  if (x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= image.width && height <= image.height &&
      x <= image.width - width && y <= image.height - height) {
    return;
  }
  fail(ErrorCode::invalid_argument, "the crop of ", width, " x ", height, " pixels at (", x, ", ", y,
       ") is not inside the image of ", image.width, " x ", image.height);
}

OpDef image_crop() {
  OpDef op;
  op.name = "_image_crop";
  op.traits.output_rank = always_same_rank;
  op.traits.image_source = ImageSource::pixels;
  op.aliases = {"_npx__image_crop"};
  op.summary =
      "Columns x .. x + width and rows y .. y + height of images (h, w, c) or (n, h, w, c) of 1 or 3 "
      "channels; they must be inside the image (MXNet accepts negative x and y, and reads other memory).";
  op.attrs = {graph::integer_attr("x"), graph::integer_attr("y"), graph::integer_attr("width"),
              graph::integer_attr("height")};
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    const ImageShape image = image_shape(context.shape(0));
    require_grey_or_color(image, context.shape(0));
    require_inside(context.attrs, image);
    return {{context.dtype(0), image.with(context.attrs.integer("height"), context.attrs.integer("width"))}};
  };
  op.lower = [](LowerContext& context) {
    const ImageShape image = image_shape(context.input(0).shape);
    const auto strides = row_major_strides(with_batch(image));
    Walk walk(with_batch(image_shape(context.output(0).shape)));
    walk.src_strides = strides;
    walk.src_offset = context.attrs().integer("y") * strides[1] + context.attrs().integer("x") * strides[2];
    return copy_step(context, {{0, 0, walk}});
  };
  return op;
}

/// axis: 1 for rows, 2 for columns of (n, h, w, c).
OpDef flip(const std::string& name, std::string summary, std::size_t axis) {
  OpDef op;
  op.name = "_image_" + name;
  op.traits.output_rank = always_same_rank;
  op.aliases = {"_npx__image_" + name};
  op.summary = std::move(summary);
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    require_grey_or_color(image_shape(context.shape(0)), context.shape(0));
    return {{context.dtype(0), context.shape(0)}};
  };
  op.lower = [axis](LowerContext& context) {
    const Shape shape = with_batch(image_shape(context.input(0).shape));
    Walk walk(shape);
    if (shape[axis] > 1) {
      walk.src_offset = (shape[axis] - 1) * walk.src_strides[axis];
      walk.src_strides[axis] = -walk.src_strides[axis];
    }
    return copy_step(context, {{0, 0, walk}});
  };
  return op;
}

/// An image, or a batch of one.
ImageShape list_item(const Shape& shape) {
  const ImageShape image = image_shape(shape);
  if (image.images != 1) {
    fail(ErrorCode::invalid_argument, "an item has shape ", to_string(shape),
         "; one image, (h, w, c) or (1, h, w, c), was expected");
  }
  return image;
}

std::vector<TensorType> infer_list(const InferContext& context) {
  if (context.count() == 0) fail(ErrorCode::invalid_argument, "there are no items to make a batch of");
  const Shape first = with_batch(list_item(context.shape(0)));
  for (std::size_t i = 1; i < context.count(); ++i) {
    const Shape other = with_batch(list_item(context.shape(i)));
    if (other == first && context.dtype(i) == context.dtype(0)) continue;
    fail(ErrorCode::invalid_argument, "item ", i, " is ", to_string(context.inputs[i]), ", item 0 is ",
         to_string(context.inputs[0]), "; all items of a batch need one shape and dtype");
  }
  Shape shape = first;
  shape[0] = static_cast<std::int64_t>(context.count());
  return {{context.dtype(0), shape}};
}

Step lower_list(LowerContext& context) {
  std::vector<CopyJob> jobs;
  const Shape item = with_batch(list_item(context.input(0).shape));
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    Walk walk(item);
    walk.dst_offset = static_cast<std::int64_t>(i) * item.elements();
    jobs.push_back({i, 0, walk});
  }
  return copy_step(context, jobs);
}

OpDef list_to_batch() {
  OpDef op;
  op.name = "_mxinfer_list_to_batch";
  op.summary = "Stacks images (h, w, c) or (1, h, w, c) of one shape into a batch (n, h, w, c).";
  op.attrs = {graph::integer_attr("num_args").at_least(1)};
  op.inputs = [](const Attrs&) { return PortNames{{}, false, "num_args"}; };
  op.infer = infer_list;
  op.lower = lower_list;
  return op;
}

}  // namespace

std::vector<OpDef> image_crop_ops() {
  return {image_crop(),
          flip("flip_left_right",
               "Mirrors images (h, w, c) or (n, h, w, c) of 1 or 3 channels: x[h, w] = data[h, W - 1 - w], "
               "the middle column too (MXNet leaves it unwritten, and accepts no batches).",
               2),
          flip("flip_top_bottom",
               "Turns images (h, w, c) or (n, h, w, c) of 1 or 3 channels upside down: x[h, w] = data[H - 1 "
               "- h, w], the middle row too (MXNet leaves it unwritten, and accepts no batches).",
               1),
          list_to_batch()};
}

}  // namespace mxinfer::ops

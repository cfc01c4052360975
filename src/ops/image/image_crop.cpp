// Operators that move pixels. _image_crop, the flips, _mxinfer_list_to_batch; and at random, flips and crops:
// each image of a batch has draws of its own.
#include <cmath>
#include <cstring>

#include "image/resize.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/image/image_kernels.h"
#include "ops/image/image_resize_step.h"
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

std::vector<TensorType> infer_image_crop(const InferContext& context) {
  const ImageShape image = image_shape(context.shape(0));
  require_grey_or_color(image, context.shape(0));
  require_inside(context.attrs, image);
  return {{context.dtype(0), image.with(context.attrs.integer("height"), context.attrs.integer("width"))}};
}

Step lower_image_crop(LowerContext& context) {
  const ImageShape image = image_shape(context.input(0).shape);
  const auto strides = row_major_strides(with_batch(image));
  Walk walk(with_batch(image_shape(context.output(0).shape)));
  walk.src_strides = strides;
  walk.src_offset = context.attrs().integer("y") * strides[1] + context.attrs().integer("x") * strides[2];
  return copy_step(context, {{0, 0, walk}});
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

/// The rows of an image, mirrored or upside down.
struct Flip {
  std::int64_t height, width;
  std::int64_t pixel;  ///< bytes
  bool across;

  void row(const std::byte* src, std::byte* dst, std::int64_t y, bool flipped) const {
    const std::int64_t from = flipped && !across ? height - 1 - y : y;
    const std::byte* in = src + from * width * pixel;
    std::byte* out = dst + y * width * pixel;
    if (!flipped || !across) {
      std::memcpy(out, in, static_cast<std::size_t>(width * pixel));
      return;
    }
    for (std::int64_t x = 0; x < width; ++x) {
      std::memcpy(out + x * pixel, in + (width - 1 - x) * pixel, static_cast<std::size_t>(pixel));
    }
  }
};

Step lower_flip(LowerContext& context, bool across) {
  const ImageShape image = image_shape(context.input(0).shape);
  const auto pixel = image.channels * static_cast<std::int64_t>(size_of(context.input(0).dtype));
  const Flip flip{image.height, image.width, pixel, across};
  const std::int64_t bytes = image.height * image.width * pixel;
  const RandomSource source(context);
  const std::int64_t grain = piece_grain(1 << 16, image.width * pixel);
  Step step{.kernel = "random_flip [ref]", .reason = "moves elements only"};
  step.run = [=](const RunContext& run) {
    const std::uint64_t run_key = source.next_run();
    parallel_for(image.images * image.height, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t n = row / image.height;
        const bool flipped = RandomSource::draws(run_key, n).unit() < 0.5;
        flip.row(run.input<std::byte>(0) + n * bytes, run.output<std::byte>(0) + n * bytes,
                 row % image.height, flipped);
      }
    });
  };
  return step;
}

OpDef random_flip(const std::string& name, const std::string& which, bool across) {
  OpDef op;
  op.name = "_image_random_" + name;
  op.traits.output_rank = always_same_rank;
  op.aliases = {"_npx__image_random_" + name};
  op.summary =
      "With equal probability, leaves each image unchanged or applies _image_" + name + " (" + which + ").";
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    require_grey_or_color(image_shape(context.shape(0)), context.shape(0));
    return {{context.dtype(0), context.shape(0)}};
  };
  op.lower = [across](LowerContext& context) { return lower_flip(context, across); };
  return op;
}

std::pair<float, float> range_attribute(const Attrs& attrs, const char* name, double low, double high) {
  const auto& range = attrs.number_tuple(name);
  const bool good = range.size() == 2 && range[0] >= low && range[0] <= range[1] && range[1] <= high;
  if (good) return {static_cast<float>(range[0]), static_cast<float>(range[1])};
  fail(ErrorCode::invalid_argument, "attribute ", name, " must be two numbers, the smaller one first, of ",
       low, " to ", high);
}

Size wanted_size(const Attrs& attrs) {
  constexpr std::int64_t kMost = 1 << 27;
  const std::int64_t width = attrs.integer("width"), height = attrs.integer("height");
  if (width > kMost || height > kMost) {
    fail(ErrorCode::invalid_argument, "a crop of ", width, " x ", height, " pixels is too large");
  }
  return {static_cast<int>(width), static_cast<int>(height)};
}

std::vector<TensorType> infer_crop(const InferContext& context) {
  const ImageShape image = image_shape(context.shape(0));
  require_grey_or_color(image, context.shape(0));
  require_resizable(context.dtype(0));
  const Size to = wanted_size(context.attrs);
  (void)center_crop_region(image.size(), to);
  (void)interp_attribute(context.attrs, to, to);
  return {{context.dtype(0), image.with(to.height, to.width)}};
}

std::vector<AttrSpec> with_size(std::vector<AttrSpec> attrs) {
  attrs.push_back(integer_attr("width").at_least(1));
  attrs.push_back(integer_attr("height").at_least(1));
  attrs.push_back(interp_attr(9));
  return attrs;
}

OpDef random_crop() {
  OpDef op;
  op.name = "_image_random_crop";
  op.traits.output_rank = always_same_rank;
  op.traits.image_source = ImageSource::pixels;
  op.aliases = {"_npx__image_random_crop"};
  op.summary =
      "A crop of width x height at a random position within xrange and yrange (0..1 of the free space); for "
      "a smaller image, the largest crop of that aspect, resized.";
  op.attrs = with_size({number_tuple_attr("xrange", "(0, 1)"), number_tuple_attr("yrange", "(0, 1)")});
  op.infer = [](const InferContext& context) {
    random_crop_job(context.attrs, image_shape(context.shape(0)));
    return infer_crop(context);
  };
  op.lower = [](LowerContext& context) {
    const ImageShape image = image_shape(context.input(0).shape);
    return resize_step(context, image, random_crop_job(context.attrs(), image));
  };
  return op;
}

/// What _image_random_resized_crop draws from.
struct AreaAndAspect {
  std::pair<float, float> area, log_aspect;
  std::int64_t trials;
  Size to;

  /// A part of a random share of the area and aspect at a random place; the centre if `trials` draws do
  /// not fit.
  Region draw(RandomDraws& draws, Size image) const {
    const double pixels = static_cast<double>(image.width) * image.height;
    for (std::int64_t i = 0; i < trials; ++i) {
      const double share = pixels * draws.uniform(area.first, area.second);
      const double aspect = std::exp(draws.uniform(log_aspect.first, log_aspect.second));
      const double width = std::round(std::sqrt(share * aspect));
      const double height = std::round(std::sqrt(share / aspect));
      if (!(width >= 1 && height >= 1 && width <= image.width && height <= image.height)) continue;
      Region region{0, 0, static_cast<int>(width), static_cast<int>(height)};
      region.x = static_cast<int>(draws.below(image.width - region.width + 1));
      region.y = static_cast<int>(draws.below(image.height - region.height + 1));
      return region;
    }
    return center_crop_region(image, to);
  }
};

AreaAndAspect area_and_aspect(const Attrs& attrs) {
  constexpr double kLeast = 1e-6, kMost = 1e6;
  const auto aspect = range_attribute(attrs, "ratio", kLeast, kMost);
  return {range_attribute(attrs, "area", 0, 1),
          {std::log(aspect.first), std::log(aspect.second)},
          attrs.integer("max_trial"),
          wanted_size(attrs)};
}

/// The region as an image of its own.
Tensor cut_out(const std::byte* src, const Region& region, std::int64_t width, std::int64_t channels,
               DType dtype) {
  Tensor part = Tensor::uninitialized(dtype, {region.height, region.width, channels});
  const auto pixel = channels * static_cast<std::int64_t>(size_of(dtype));
  const std::int64_t row = region.width * pixel;
  for (std::int64_t y = 0; y < region.height; ++y) {
    std::memcpy(static_cast<std::byte*>(part.raw()) + y * row,
                src + ((region.y + y) * width + region.x) * pixel, static_cast<std::size_t>(row));
  }
  return part;
}

Step lower_resized_crop(LowerContext& context) {
  const TensorType& input = context.input(0);
  const ImageShape image = image_shape(input.shape);
  const AreaAndAspect range = area_and_aspect(context.attrs());
  const std::int64_t interp = context.attrs().integer("interp");
  const auto element = static_cast<std::int64_t>(size_of(input.dtype));
  const std::int64_t src_bytes = image.image_elements() * element;
  const std::int64_t dst_bytes = std::int64_t{range.to.width} * range.to.height * image.channels * element;
  const RandomSource source(context);
  Step step{.kernel = "random_resized_crop"};
  step.reason = "the size of the part is drawn, so that the tables of its resize are made when it runs";
  step.run = [=, dtype = input.dtype](const RunContext& run) {
    const std::uint64_t run_key = source.next_run();
    for (std::int64_t i = 0; i < image.images; ++i) {
      RandomDraws draws = RandomSource::draws(run_key, i);
      const Region region = range.draw(draws, image.size());
      const Tensor part =
          cut_out(run.input<std::byte>(0) + i * src_bytes, region, image.width, image.channels, dtype);
      const Interpolation interpolation = interp == 9
                                              ? auto_interpolation({region.width, region.height}, range.to)
                                              : static_cast<Interpolation>(interp);
      const Tensor resized = image::resize(part, range.to.width, range.to.height, interpolation);
      std::memcpy(run.output<std::byte>(0) + i * dst_bytes, resized.raw(), resized.bytes());
    }
  };
  return step;
}

OpDef random_resized_crop() {
  OpDef op;
  op.name = "_image_random_resized_crop";
  op.traits.output_rank = always_same_rank;
  op.traits.image_source = ImageSource::pixels;
  op.aliases = {"_npx__image_random_resized_crop"};
  op.summary =
      "A random crop with a share of the image's area within `area` and an aspect within `ratio`, resized to "
      "width x height; the centre if none of max_trial draws fits.";
  op.attrs = with_size({number_tuple_attr("area", "(0.08, 1)"), number_tuple_attr("ratio", "(0.75, 1.3333)"),
                        integer_attr("max_trial", 10).at_least(0).at_most(1000)});
  op.infer = [](const InferContext& context) {
    area_and_aspect(context.attrs);
    return infer_crop(context);
  };
  op.lower = lower_resized_crop;
  return op;
}

}  // namespace

ResizeJob random_crop_job(const Attrs& attrs, const ImageShape& image) {
  const Size to = wanted_size(attrs), part = scale_down(image.size(), to);
  const auto across = range_attribute(attrs, "xrange", 0, 1), down = range_attribute(attrs, "yrange", 0, 1);
  ResizeJob job = resize_whole(part, to, interp_attribute(attrs, part, to));
  job.place = [across, down](RandomDraws& draws) {
    const float x = draws.uniform(across.first, across.second);
    return std::pair(x, draws.uniform(down.first, down.second));
  };
  return job;
}

std::vector<OpDef> image_crop_ops() {
  return {
      {.name = "_image_crop",
       .aliases = {"_npx__image_crop"},
       .summary = "Columns x .. x + width and rows y .. y + height of images (h, w, c) or (n, h, w, c) of 1 "
                  "or 3 channels; they must be inside the image (MXNet accepts negative x and y, and reads "
                  "other memory).",
       .attrs = {integer_attr("x"), integer_attr("y"), integer_attr("width"), integer_attr("height")},
       .traits = {.output_rank = always_same_rank, .image_source = ImageSource::pixels},
       .infer = infer_image_crop,
       .lower = lower_image_crop},
      flip("flip_left_right",
           "Mirrors images (h, w, c) or (n, h, w, c) of 1 or 3 channels: x[h, w] = data[h, W - 1 - w], the "
           "middle column too (MXNet leaves it unwritten, and accepts no batches).",
           2),
      flip("flip_top_bottom",
           "Turns images (h, w, c) or (n, h, w, c) of 1 or 3 channels upside down: x[h, w] = data[H - 1 - h, "
           "w], the middle row too (MXNet leaves it unwritten, and accepts no batches).",
           1),
      {.name = "_mxinfer_list_to_batch",
       .summary = "Stacks images (h, w, c) or (1, h, w, c) of one shape into a batch (n, h, w, c).",
       .attrs = {integer_attr("num_args").at_least(1)},
       .inputs = counted_ports("num_args"),
       .infer = infer_list,
       .lower = lower_list},
      random_flip("flip_left_right", "mirrored", true),
      random_flip("flip_top_bottom", "upside down", false),
      random_crop(),
      random_resized_crop(),
  };
}

}  // namespace mxinfer::ops

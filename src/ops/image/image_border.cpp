// _cvcopyMakeBorder and _mxinfer_pad_image: images with a border.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/common/constant_step.h"
#include "ops/image/image_kernels.h"
#include "ops/image/image_shape.h"

namespace mxinfer::ops {
namespace {

constexpr const char* kPadImage = "_mxinfer_pad_image";

struct Border {
  std::int64_t top = 0, bottom = 0, left = 0, right = 0;
  kernels::BorderMode mode = kernels::BorderMode::constant;
  std::vector<double> values;  ///< one for all channels, or one for each at least
};

using BorderFn = Border (*)(const Attrs&);

Border make_border(const Attrs& attrs) {
  Border border{attrs.integer("top"),
                attrs.integer("bot"),
                attrs.integer("left"),
                attrs.integer("right"),
                static_cast<kernels::BorderMode>(attrs.integer("type")),
                attrs.number_tuple("values")};
  if (border.values.empty()) border.values = {attrs.number("value")};
  return border;
}

Border pad_border(const Attrs& attrs) {
  return {attrs.integer("top"),   attrs.integer("bottom"),       attrs.integer("left"),
          attrs.integer("right"), kernels::BorderMode::constant, {attrs.number("value")}};
}

std::int64_t extended(std::int64_t size, std::int64_t before, std::int64_t after) {
  const auto sum = checked_add(before, after);
  const auto all = sum ? checked_add(size, *sum) : std::nullopt;
  if (!all || *all > std::numeric_limits<int>::max()) {
    fail(ErrorCode::invalid_argument, "a border of ", before, " and ", after, " pixels around ", size,
         " makes too large an image");
  }
  return *all;
}

/// As MXNet stores a number in an image: whole ones rounded to even if they are halves, and clamped.
double pixel_value(DType dtype, double value) {
  const auto clamped = [&](double low, double high) { return std::clamp(std::nearbyint(value), low, high); };
  if (std::isnan(value)) fail(ErrorCode::invalid_argument, "a border of nan was asked for");
  if (dtype == DType::uint8) return clamped(0, 255);
  if (dtype == DType::int32) {
    return clamped(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  }
  return value;
}

void require_values(const Border& border, std::int64_t channels) {
  const std::size_t count = border.values.size();
  if (count == 1 || static_cast<std::int64_t>(count) >= channels) return;
  fail(ErrorCode::invalid_argument, "attribute values has ", count, " numbers for an image of ", channels,
       " channels; 1 or one for each was expected");
}

Tensor border_pixel(const Border& border, DType dtype, std::int64_t channels) {
  const std::size_t count = border.values.size();
  Tensor pixel(dtype, {channels});
  for (std::int64_t c = 0; c < channels; ++c) {
    const std::size_t given = std::min(static_cast<std::size_t>(c), count - 1);
    store_number(pixel, c, pixel_value(dtype, border.values[given]));
  }
  return pixel;
}

void require_dtype(DType dtype) {
  for (const DType known : {DType::uint8, DType::int32, DType::float32, DType::float64}) {
    if (dtype == known) return;
  }
  fail(ErrorCode::unsupported, "a border around images of ", to_string(dtype),
       " is not supported; uint8, int32, float32 and float64 are");
}

std::vector<TensorType> infer_border(const InferContext& context, const Border& border) {
  const ImageShape image = image_shape(context.shape(0));
  require_dtype(context.dtype(0));
  (void)image.size();
  require_values(border, image.channels);
  for (const double value : border.values) pixel_value(context.dtype(0), value);
  return {{context.dtype(0), image.with(extended(image.height, border.top, border.bottom),
                                        extended(image.width, border.left, border.right))}};
}

Step lower_border(LowerContext& context) {
  ImageBorder border = image_border(context);
  const kernels::ImageBorderArgs args = border.args;
  const auto pixel = std::make_shared<const Tensor>(std::move(border.pixel));
  const std::int64_t rows = border.images * args.dst_height;
  const std::int64_t grain = piece_grain(1 << 16, args.dst_width * args.pixel_bytes);
  Step step{.kernel = "image_border [ref]", .reason = "moves elements only"};
  step.run = [=](const RunContext& run) {
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::image_border(args, run.input<std::byte>(0), static_cast<const std::byte*>(pixel->raw()),
                            run.output<std::byte>(0), begin, end);
    });
  };
  return step;
}

OpDef bordering(OpDef op, BorderFn border_of) {
  op.infer = [border_of](const InferContext& context) {
    return infer_border(context, border_of(context.attrs));
  };
  op.lower = lower_border;
  return op;
}

AttrSpec side_attr(const char* name) {
  return integer_attr(name).at_least(0);
}

OpDef copy_make_border() {
  OpDef op{.name = "_cvcopyMakeBorder", .aliases = {"_npi_cvcopyMakeBorder"}};
  op.summary =
      "Adds a border to images. type: 0 constant (values, one for each channel, or value), 1 the nearest "
      "pixel, 2 reflected with the border pixel, 3 wrapped around, 4 reflected at the border pixel.";
  op.attrs = {side_attr("top"),
              side_attr("bot"),
              side_attr("left"),
              side_attr("right"),
              integer_attr("type", 0).at_least(0).at_most(4),
              number_attr("value", 0),
              number_tuple_attr("values", "()")};
  op.inputs = named_ports({"src"});
  return bordering(op, make_border);
}

OpDef pad_image() {
  OpDef op;
  op.name = kPadImage;
  op.summary = "Adds a border of pixels of value to images (h, w, c) or (n, h, w, c).";
  for (const char* name : {"left", "top", "right", "bottom"}) {
    op.attrs.push_back(integer_attr(name, 0).at_least(0));
  }
  op.attrs.push_back(number_attr("value", 0));
  return bordering(op, pad_border);
}

}  // namespace

ImageBorder image_border(const OpProblem& node) {
  const BorderFn border_of = node.node().op->name == kPadImage ? pad_border : make_border;
  const Border border = border_of(node.attrs());
  const ImageShape from = image_shape(node.input(0).shape), to = image_shape(node.output(0).shape);
  const DType dtype = node.input(0).dtype;
  const auto pixel_bytes = from.channels * static_cast<std::int64_t>(size_of(dtype));
  return {{from.height, from.width, to.height, to.width, border.top, border.left, pixel_bytes, border.mode},
          to.images,
          border_pixel(border, dtype, from.channels)};
}

std::vector<OpDef> image_border_ops() {
  return {copy_make_border(), pad_image()};
}

}  // namespace mxinfer::ops

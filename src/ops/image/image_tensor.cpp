// _image_to_tensor, _image_normalize: from pixels to what networks take.
// Operators that make an image of a file. The shape of what they give is known only when they have run, so
// they are not part of a plan: a model runs them before its plans, on its inputs.
#include <algorithm>
#include <array>

#include "kernels/image/tensor.h"
#include "ops/elementwise/elementwise.h"
#include "ops/image/image_kernels.h"

namespace mxinfer::ops {
namespace {

Shape channels_first_shape(const ImageShape& image) {
  Shape shape{image.channels, image.height, image.width};
  if (image.batch) shape.insert(0, image.images);
  return shape;
}

template <typename Fn>
Fn require_kernel(Fn kernel, DType dtype) {
  if (kernel == nullptr) fail(ErrorCode::unsupported, "images of ", to_string(dtype), " are not supported");
  return kernel;
}

std::vector<TensorType> infer_to_tensor(const InferContext& context) {
  require_kernel(kernels::select_image_to_tensor(element_type(context.dtype(0))), context.dtype(0));
  return {{DType::float32, channels_first_shape(image_shape(context.shape(0)))}};
}

Step lower_to_tensor(LowerContext& context) {
  const TensorType& input = context.input(0);
  const ImageShape image = image_shape(input.shape);
  const auto run = kernels::select_image_to_tensor(element_type(input.dtype));
  const std::int64_t pixels = image.height * image.width, channels = image.channels;
  const std::int64_t grain = piece_grain(kElementGrain, channels);
  const std::int64_t pieces = (pixels + grain - 1) / grain;
  const auto image_bytes = image.image_elements() * static_cast<std::int64_t>(size_of(input.dtype));
  Step step{.kernel = concat("image_to_tensor_", to_string(input.dtype), " [ref]")};
  step.reason = concat(channels, channels == 1 ? " channel" : " channels");
  step.run = [=](const RunContext& at_run) {
    parallel_for(image.images * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t n = task / pieces, first = task % pieces * grain;
        run(at_run.input<std::byte>(0) + n * image_bytes, at_run.output<float>(0) + n * pixels * channels,
            channels, pixels, first, std::min(first + grain, pixels));
      }
    });
  };
  return step;
}

// An absent attribute leaves the values as they are: MXNet's declared default of four numbers fits no
// image that it takes.
std::array<float, 3> by_channel(const Attrs& attrs, const char* name, float absent, const ImageShape& image,
                                const Shape& shape) {
  std::array<float, 3> values{absent, absent, absent};
  if (!attrs.given(name)) return values;
  const std::vector<double>& given = attrs.number_tuple(name);
  if (given.size() != 1 && static_cast<std::int64_t>(given.size()) != image.channels) {
    fail(ErrorCode::invalid_argument, "attribute ", name, " has ", given.size(),
         " numbers; 1 or as many as channels are needed, data has shape ", to_string(shape));
  }
  for (std::size_t c = 0; c < values.size(); ++c) {
    values[c] = static_cast<float>(given[std::min(c, given.size() - 1)]);
  }
  return values;
}

std::vector<TensorType> infer_normalize(const InferContext& context) {
  normalization(context.attrs, context.shape(0));
  require_kernel(kernels::select_image_normalize(element_type(context.dtype(0))), context.dtype(0));
  return {{context.dtype(0), context.shape(0)}};
}

Step lower_normalize(LowerContext& context) {
  const TensorType& input = context.input(0);
  const Normalization all = normalization(context.attrs(), input.shape);
  const auto run = kernels::select_image_normalize(element_type(input.dtype));
  const std::int64_t pixels = all.image.height * all.image.width, channels = all.image.channels;
  const std::int64_t pieces = (pixels + kElementGrain - 1) / kElementGrain;
  const auto bytes = static_cast<std::int64_t>(size_of(input.dtype));
  context.may_overwrite(0, 0);
  Step step{.kernel = concat("image_normalize_", to_string(input.dtype), " [ref]")};
  step.reason = concat(channels, channels == 1 ? " channel" : " channels");
  step.flops = 2.0 * static_cast<double>(input.shape.elements());
  step.run = [=](const RunContext& at_run) {
    parallel_for(all.image.images * channels * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t plane = task / pieces, first = task % pieces * kElementGrain;
        const std::int64_t offset = (plane * pixels + first) * bytes;
        const auto c = static_cast<std::size_t>(plane % channels);
        run(at_run.input<std::byte>(0) + offset, at_run.output<std::byte>(0) + offset,
            std::min(kElementGrain, pixels - first), all.mean[c], all.deviation[c]);
      }
    });
  };
  return step;
}

OpDef decoder(std::string name, std::string summary, std::vector<std::string> inputs, std::string refusal) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {integer_attr("flag", 1).at_least(0).at_most(1), flag_attr("to_rgb", true)};
  op.inputs = named_ports(std::move(inputs));
  op.infer = [refusal = std::move(refusal)](const InferContext&) -> std::vector<TensorType> {
    fail(ErrorCode::unsupported, refusal);
  };
  op.lower = [](LowerContext&) -> Step { fail(ErrorCode::internal, "images are decoded outside of plans"); };
  return op;
}

OpDef imdecode() {
  OpDef op = decoder("_cvimdecode",
                     "Decodes the bytes of a JPEG or PNG to an image (h, w, 3) of RGB (BGR without to_rgb), "
                     "or with flag=0 to grey (h, w, 1); only as the first node of an input.",
                     {"buf"},
                     "the size of an image is known only when it is decoded: this can only be the first node "
                     "of an input, which is given one item at a time");
  op.traits.image_source = ImageSource::encoded;
  op.aliases = {"_npi_cvimdecode"};
  return op;
}

OpDef imread() {
  OpDef op =
      decoder("_cvimread", "Reads a fixed file as an image: known, but rejected when a model runs.", {},
              "a model that reads a fixed file does not run here; make the image an input, with "
              "_cvimdecode (bytes) or _mxinfer_read_image (a path) as its first node");
  op.aliases = {"_npi_cvimread"};
  op.attrs.insert(op.attrs.begin(), text_attr("filename", ""));
  return op;
}

OpDef read_image() {
  OpDef op =
      decoder("_mxinfer_read_image",
              "Reads the file at a path (uint8, UTF-8) and decodes it like _cvimdecode; only as the first "
              "node of an input.",
              {"path"},
              "the size of an image is known only when it is read: this can only be the first node of an "
              "input, which is given one item at a time");
  op.traits.image_source = ImageSource::path;
  return op;
}

}  // namespace

Normalization normalization(const Attrs& attrs, const Shape& shape) {
  const ImageShape image = planar_image_shape(shape);
  require_grey_or_color(image, shape);
  return {image, by_channel(attrs, "mean", 0.0f, image, shape), by_channel(attrs, "std", 1.0f, image, shape)};
}

std::vector<OpDef> image_tensor_ops() {
  return {
      {.name = "_image_to_tensor",
       .aliases = {"_npx__image_to_tensor"},
       .summary =
           "Pixels (h, w, c) or (n, h, w, c) as channels-first floats, (c, h, w) or (n, c, h, w): x / 255.",
       .traits = {.output_rank = always_same_rank, .image_source = ImageSource::pixels},
       .infer = infer_to_tensor,
       .lower = lower_to_tensor},
      {.name = "_image_normalize",
       .aliases = {"_npx__image_normalize"},
       .summary = "(x - mean) / std for channels-first images (c, h, w) or (n, c, h, w) of 1 or 3 channels, "
                  "in the input's dtype: uint8 wraps around. An omitted attribute has no effect (MXNet "
                  "rejects its own default).",
       .attrs = {number_tuple_attr("mean", "(0, 0, 0, 0)"), number_tuple_attr("std", "(1, 1, 1, 1)")},
       .traits = {.keeps_shape = true},
       .infer = infer_normalize,
       .lower = lower_normalize},
      imdecode(),
      imread(),
      read_image(),
  };
}

}  // namespace mxinfer::ops

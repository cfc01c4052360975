// GridGenerator, BilinearSampler and SpatialTransformer: images read at places that a network computes.
// _contrib_BilinearResize2D: planes brought to another height and width.
#include "kernels/sampler/sampler.h"

#include <algorithm>

#include "kernels/bilinear/bilinear_resize.h"
#include "ops/common/copy_step.h"
#include "ops/common/float_types.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kPiecePlaces = 1 << 10;

std::int64_t row_grain(std::int64_t width) {
  return piece_grain(kPiecePlaces, width);
}

/// Height and width of attribute target_shape, which an affine grid needs.
Shape target_shape(const Attrs& attrs, std::int64_t batch, std::int64_t channels) {
  const std::vector<std::int64_t> size = attrs.tuple("target_shape");
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;
  if (size.size() != 2 || size[0] < 1 || size[1] < 1 || size[0] > kLargest || size[1] > kLargest) {
    fail(ErrorCode::malformed,
         "attribute target_shape: expected (height, width) of at least 1 with transform_type=affine");
  }
  return Shape{batch, channels, size[0], size[1]};
}

void expect_image(const Shape& shape, const char* name) {
  if (shape.rank() == 4 && shape[2] > 0 && shape[3] > 0) return;
  fail(ErrorCode::invalid_argument, name, " has shape ", to_string(shape),
       ": expected (batch, channel, height, width) with at least one pixel");
}

bool is_affine(const Attrs& attrs) {
  return attrs.choice("transform_type") == "affine";
}

std::vector<TensorType> infer_grid(const InferContext& context) {
  const Shape& data = context.shape(0);
  if (context.dtype(0) != DType::float32) {
    fail(ErrorCode::unsupported, "data is ", to_string(context.dtype(0)), ": only float32 runs, as in MXNet");
  }
  if (is_affine(context.attrs)) {
    if (data.rank() != 2 || data[1] != 6) {
      fail(ErrorCode::invalid_argument, "data has shape ", to_string(data),
           ": expected (batch, 6) with transform_type=affine");
    }
    return {{DType::float32, target_shape(context.attrs, data[0], 2)}};
  }
  expect_image(data, "data");
  if (data[1] != 2) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data),
         ": expected (batch, 2, height, width) with transform_type=warp");
  }
  return {{DType::float32, data}};
}

Step lower_grid(LowerContext& context) {
  const Shape& out = context.output(0).shape;
  const bool affine = is_affine(context.attrs());
  Step step{.kernel = affine ? "affine_grid_ref_float32 [ref]" : "warp_grid_ref_float32 [ref]"};
  step.flops = 5.0 * static_cast<double>(out.elements());
  step.run = [height = out[2], width = out[3], rows = out[0] * out[2], affine](const RunContext& run) {
    parallel_for(rows, row_grain(width), [&](std::int64_t begin, std::int64_t end) {
      const auto kernel = affine ? kernels::affine_grid<float> : kernels::warp_grid_f32;
      kernel(run.input<float>(0), run.output<float>(0), height, width, begin, end);
    });
  };
  return step;
}

std::vector<TensorType> infer_sampler(const InferContext& context) {
  const DType dtype = context.dtype(0);
  const Shape& data = context.shape(0);
  const Shape& grid = context.shape(1);
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16) {
    fail(ErrorCode::unsupported, "data is ", to_string(dtype), ": expected floating point");
  }
  if (context.dtype(1) != dtype) {
    fail(ErrorCode::invalid_argument, "grid is ", to_string(context.dtype(1)), ", data is ", to_string(dtype),
         ": expected one dtype");
  }
  expect_image(data, "data");
  if (grid.rank() != 4 || grid[0] != data[0] || grid[1] != 2) {
    fail(ErrorCode::invalid_argument, "grid has shape ", to_string(grid), ": expected (", data[0],
         ", 2, height, width) for data of shape ", to_string(data));
  }
  return {{dtype, Shape{data[0], data[1], grid[2], grid[3]}}};
}

template <typename T>
kernels::SamplerArgs<T> sampler_args(const Shape& data, const Shape& out) {
  return {.channels = data[1], .height = data[2], .width = data[3], .places = out[2] * out[3]};
}

template <typename T>
void run_sampler(const RunContext& run, kernels::SamplerArgs<T> args, std::int64_t batch, const T* grid) {
  args.src = run.input<T>(0);
  args.grid = grid;
  args.dst = run.output<T>(0);
  const std::int64_t grain =
      std::max<std::int64_t>(16, kPiecePlaces / std::max<std::int64_t>(1, args.channels / 8));
  parallel_for(batch * args.places, grain,
               [&](std::int64_t begin, std::int64_t end) { kernels::bilinear_sampler(args, begin, end); });
}

template <typename T>
Step sampler_step(LowerContext& context) {
  const auto args = sampler_args<T>(context.input(0).shape, context.output(0).shape);
  Step step;
  step.run = [args, batch = context.input(0).shape[0]](const RunContext& run) {
    run_sampler(run, args, batch, run.input<T>(1));
  };
  return step;
}

Step lower_sampler(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  Step step = for_float(dtype, [&](auto zero) { return sampler_step<decltype(zero)>(context); });
  step.kernel = ref_kernel("bilinear_sampler", dtype);
  step.reason = "four pixels for a place, whose weights serve all channels";
  step.flops = 8.0 * static_cast<double>(context.output(0).shape.elements());
  return step;
}

std::vector<TensorType> infer_transformer(const InferContext& context) {
  expect_float_inputs(context);
  const Shape& data = context.shape(0);
  expect_image(data, "data");
  expect_shape(context, 1, "loc", Shape{data[0], 6}, "batch, the 6 numbers of an affine transformation");
  return {{context.dtype(0), target_shape(context.attrs, data[0], data[1])}};
}

template <typename T>
Step transformer_step(LowerContext& context) {
  const Shape& out = context.output(0).shape;
  const auto args = sampler_args<T>(context.input(0).shape, out);
  Step step{.scratch_bytes = static_cast<std::size_t>(2 * out[0] * args.places) * sizeof(T)};
  step.run = [args, batch = out[0], height = out[2], width = out[3]](const RunContext& run) {
    T* grid = reinterpret_cast<T*>(run.scratch);
    parallel_for(batch * height, row_grain(width), [&](std::int64_t begin, std::int64_t end) {
      kernels::affine_grid(run.input<T>(1), grid, height, width, begin, end);
    });
    run_sampler(run, args, batch, static_cast<const T*>(grid));
  };
  return step;
}

Step lower_transformer(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  Step step = dtype == DType::float64 ? transformer_step<double>(context) : transformer_step<float>(context);
  step.kernel = ref_kernel("bilinear_sampler", dtype);
  step.reason = "an affine grid, then its places";
  step.flops = 8.0 * static_cast<double>(context.output(0).shape.elements());
  return step;
}

AttrSpec cudnn_off() {
  return flag_attr("cudnn_off", false).optional_none().without_effect();
}

using kernels::BilinearTap;

constexpr std::int64_t kResizedElements = 1 << 13;

bool is_like(const Attrs& attrs) {
  return attrs.choice("mode") == "like";
}

/// One dimension after its scale, which must leave something of it.
std::int64_t scaled(const Attrs& attrs, const char* name, std::int64_t size, bool odd) {
  const double scale = static_cast<double>(attrs.number32(name));
  // MXNet multiplies in float, or for an odd size in float with the neighbour below.
  const bool minus_one = odd && size % 2 == 1;
  const float product = static_cast<float>(size - (minus_one ? 1 : 0)) * static_cast<float>(scale);
  const float result = product + (minus_one ? 1.0f : 0.0f);
  if (!(result >= 1.0f) || result > 2147483520.0f) {
    fail(ErrorCode::invalid_argument, "attribute ", name, "=", scale, " makes ", size, " pixels ", result,
         ": expected at least 1 pixel to be left, and fewer than 2^31");
  }
  return static_cast<std::int64_t>(product) + (minus_one ? 1 : 0);
}

std::int64_t rounded_to(const std::string& mode, std::int64_t size) {
  const bool fits = (size % 2 == 0) == (mode == "to_even_down" || mode == "to_even_up");
  const bool up = mode == "to_even_up" || mode == "to_odd_up";
  const auto rounded = fits ? size : checked_add(size, up ? 1 : -1);
  if (!rounded) fail(ErrorCode::invalid_argument, "mode=", mode, " makes ", size, " pixels one too many");
  return *rounded;
}

std::pair<std::int64_t, std::int64_t> resized_size(const Attrs& attrs, const Shape& data) {
  const std::string& mode = attrs.choice("mode");
  const bool odd = mode == "odd_scale";
  if (!odd && mode != "size") return {rounded_to(mode, data[2]), rounded_to(mode, data[3])};
  if (!odd && !attrs.has("scale_height")) return {attrs.integer("height"), attrs.integer("width")};
  if (!attrs.has("scale_height") || !attrs.has("scale_width")) {
    fail(ErrorCode::malformed, "attributes scale_height and scale_width: expected both",
         odd ? " with mode=odd_scale" : "", ", only one or none is given");
  }
  return {scaled(attrs, "scale_height", data[2], odd), scaled(attrs, "scale_width", data[3], odd)};
}

std::vector<TensorType> infer_resize(const InferContext& context) {
  const Shape& data = context.shape(0);
  const DType dtype = context.dtype(0);
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16) {
    fail(ErrorCode::unsupported, "data is ", to_string(dtype), ": expected floating point");
  }
  if (data.rank() != 4 || data[2] < 1 || data[3] < 1) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data),
         ": expected (batch, channel, height, width) with at least one pixel");
  }
  if (!is_like(context.attrs)) {
    const auto [height, width] = resized_size(context.attrs, data);
    if (height < 1 || width < 1) {
      fail(ErrorCode::invalid_argument, "attribute mode=", context.attrs.choice("mode"),
           " leaves nothing of data of shape ", to_string(data));
    }
    return {{dtype, Shape{data[0], data[1], height, width}}};
  }
  const Shape& like = context.shape(1);
  if (like.rank() < 4 || like[2] < 1 || like[3] < 1) {
    fail(ErrorCode::invalid_argument, "like has shape ", to_string(like),
         ": expected (batch, channel, height, width) with at least one pixel");
  }
  return {{dtype, Shape{data[0], data[1], like[2], like[3]}}};
}

/// The taps of one axis and those of the other, for all runs.
struct Taps {
  std::vector<BilinearTap> rows, columns;
};

template <typename T>
Step resize_step(const Shape& in, const Shape& out, const std::shared_ptr<const Taps>& taps) {
  const kernels::BilinearResizeArgs args{.planes = out[0] * out[1],
                                         .in_height = in[2],
                                         .in_width = in[3],
                                         .out_height = out[2],
                                         .out_width = out[3]};
  const std::int64_t rows = args.planes * args.out_height;
  const std::int64_t grain = std::max<std::int64_t>(8, kResizedElements / args.out_width);
  Step step{.thread_scratch_bytes =
                static_cast<std::size_t>(kernels::bilinear_scratch_elements(args.out_width)) * sizeof(T)};
  step.flops = 6.0 * static_cast<double>(out.elements());
  step.run = [=](const RunContext& run) {
    kernels::BilinearResizeArgs now = args;
    now.rows = taps->rows.data();
    now.columns = taps->columns.data();
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::bilinear_resize(now, run.input<T>(0), run.output<T>(0), reinterpret_cast<T*>(run.my_scratch()),
                               begin, end);
    });
  };
  return step;
}

Step lower_resize(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const Shape& out = context.output(0).shape;
  const DType dtype = context.input(0).dtype;
  if (in == out) return alias_step(context);
  auto taps = std::make_shared<Taps>();
  const bool corners = context.attrs().flag("align_corners");
  taps->rows.resize(static_cast<std::size_t>(out[2]));
  taps->columns.resize(static_cast<std::size_t>(out[3]));
  kernels::fill_bilinear_taps(in[2], corners, taps->rows.data(), out[2]);
  kernels::fill_bilinear_taps(in[3], corners, taps->columns.data(), out[3]);
  Step step = for_float(dtype, [&](auto zero) { return resize_step<decltype(zero)>(in, out, taps); });
  step.kernel = ref_kernel("bilinear_resize", dtype);
  step.reason = "rows are blended once each, then in pairs";
  return step;
}

PortNames bilinear_resize2_d_inputs(const Attrs& attrs) {
  return is_like(attrs) ? PortNames{{"data", "like"}} : PortNames{{"data"}};
}

}  // namespace

std::vector<OpDef> sampler_ops() {
  return {
      {.name = "GridGenerator",
       .summary =
           "Positions (x, y) in [-1, 1] for BilinearSampler: an affine transformation of a regular grid of "
           "target_shape, or a regular grid moved by a flow in pixels. NaN along an axis of one pixel.",
       .attrs = {choice_attr("transform_type", {"affine", "warp"}), tuple_attr("target_shape", "(0, 0)")},
       .infer = infer_grid,
       .lower = lower_grid},
      {.name = "BilinearSampler",
       .summary =
           "Samples data bilinearly at the positions (x, y) in [-1, 1] that grid holds; outside, data is 0.",
       .attrs = {cudnn_off()},
       .inputs = named_ports({"data", "grid"}),
       .infer = infer_sampler,
       .lower = lower_sampler},
      {.name = "SpatialTransformer",
       .summary = "BilinearSampler on the affine grid of target_shape that loc gives.",
       .attrs = {tuple_attr("target_shape", "(0, 0)"), choice_attr("transform_type", {"affine"}),
                 choice_attr("sampler_type", {"bilinear"}), cudnn_off()},
       .inputs = named_ports({"data", "loc"}),
       .traits = {.float16_on_gpus = true},
       .infer = infer_transformer,
       .lower = lower_transformer},
  };
}

std::vector<OpDef> bilinear_resize_ops() {
  return {{.name = "_contrib_BilinearResize2D",
           .summary = "Bilinear interpolation to height x width, to a multiple of the size (scale_height, "
                      "scale_width), to the size of the input like, or to the next even or odd size.",
           .attrs = {integer_attr("height", 1).at_least(1), integer_attr("width", 1).at_least(1),
                     number_attr("scale_height").optional_none(), number_attr("scale_width").optional_none(),
                     choice_attr("mode",
                                 {"like", "odd_scale", "size", "to_even_down", "to_even_up", "to_odd_down",
                                  "to_odd_up"},
                                 "size"),
                     flag_attr("align_corners", true)},
           .inputs = bilinear_resize2_d_inputs,
           .infer = infer_resize,
           .lower = lower_resize}};
}

}  // namespace mxinfer::ops

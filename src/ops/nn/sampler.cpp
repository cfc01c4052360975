// GridGenerator, BilinearSampler and SpatialTransformer: images read at places that a network computes.
#include "kernels/sampler/sampler.h"

#include <algorithm>

#include "base/fail.h"
#include "ops/common/float_dispatch.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kPiecePlaces = 1 << 10;

std::int64_t row_grain(std::int64_t width) {
  return std::max<std::int64_t>(1, kPiecePlaces / std::max<std::int64_t>(1, width));
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
  Step step;
  step.kernel = affine ? "affine_grid_ref_float32 [ref]" : "warp_grid_ref_float32 [ref]";
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
  kernels::SamplerArgs<T> args;
  args.channels = data[1];
  args.height = data[2];
  args.width = data[3];
  args.places = out[2] * out[3];
  return args;
}

/// Reads input 0 at `grid`.
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
  step.kernel = concat("bilinear_sampler_ref_", to_string(dtype), " [ref]");
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
  Step step;
  step.scratch_bytes = static_cast<std::size_t>(2 * out[0] * args.places) * sizeof(T);
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
  step.kernel = concat("bilinear_sampler_ref_", to_string(dtype), " [ref]");
  step.reason = "an affine grid, then its places";
  step.flops = 8.0 * static_cast<double>(context.output(0).shape.elements());
  return step;
}

AttrSpec cudnn_off() {
  return graph::flag_attr("cudnn_off", false).optional_none().without_effect();
}

}  // namespace

std::vector<OpDef> sampler_ops() {
  OpDef grid;
  grid.name = "GridGenerator";
  grid.summary =
      "Positions (x, y) in [-1, 1] for BilinearSampler: an affine transformation of a regular grid of "
      "target_shape, or a regular grid moved by a flow in pixels. NaN along an axis of one pixel.";
  grid.attrs = {graph::choice_attr("transform_type", {"affine", "warp"}),
                graph::tuple_attr("target_shape", "(0, 0)")};
  grid.infer = infer_grid;
  grid.lower = lower_grid;

  OpDef sampler;
  sampler.name = "BilinearSampler";
  sampler.summary =
      "Samples data bilinearly at the positions (x, y) in [-1, 1] that grid holds; outside, data is 0.";
  sampler.attrs = {cudnn_off()};
  sampler.inputs = [](const Attrs&) { return PortNames{{"data", "grid"}}; };
  sampler.infer = infer_sampler;
  sampler.lower = lower_sampler;

  OpDef transformer;
  transformer.name = "SpatialTransformer";
  transformer.summary = "BilinearSampler on the affine grid of target_shape that loc gives.";
  transformer.attrs = {graph::tuple_attr("target_shape", "(0, 0)"),
                       graph::choice_attr("transform_type", {"affine"}),
                       graph::choice_attr("sampler_type", {"bilinear"}), cudnn_off()};
  transformer.inputs = [](const Attrs&) { return PortNames{{"data", "loc"}}; };
  transformer.traits.float16_on_gpus = true;
  transformer.infer = infer_transformer;
  transformer.lower = lower_transformer;
  return {grid, sampler, transformer};
}

}  // namespace mxinfer::ops

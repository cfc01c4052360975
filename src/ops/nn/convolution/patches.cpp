// im2col and col2im: the patches under a kernel as columns, and the sums of columns where patches overlap.
// Correlation: the cost volume of optical flow networks.
#include "kernels/patches/patches.h"

#include <algorithm>
#include <limits>

#include "kernels/correlation/correlation.h"
#include "ops/common/float_types.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/nn/kernel_args.h"

namespace mxinfer::ops {
namespace {

using kernels::PatchShape;

constexpr std::int64_t kPatchElements = 1 << 14;

std::int64_t product(std::int64_t a, std::int64_t b) {
  if (const auto result = checked_mul(a, b)) return *result;
  fail(ErrorCode::invalid_argument, "the columns would have ", a, " x ", b, " elements");
}

PatchShape patch_shape(const Attrs& attrs, std::int64_t height, std::int64_t width) {
  const std::size_t rank = attrs.tuple("kernel").size();
  if (rank != 2) {
    fail(ErrorCode::unsupported, "attribute kernel has ", rank, " dimensions: 2 are expected, as in MXNet");
  }
  const kernels::Spatial kernel = spatial_attr(attrs, "kernel", 2, 1, 1);
  const kernels::Spatial stride = spatial_attr(attrs, "stride", 2, 1, 1);
  const kernels::Spatial dilate = spatial_attr(attrs, "dilate", 2, 1, 1);
  const kernels::Spatial pad = spatial_attr(attrs, "pad", 2, 0, 0);
  PatchShape s;
  s.plane[0] = height;
  s.plane[1] = width;
  for (std::size_t i = 0; i < 2; ++i) {
    s.kernel[i] = kernel[i + 1];
    s.stride[i] = stride[i + 1];
    s.dilate[i] = dilate[i + 1];
    s.pad[i] = pad[i + 1];
    const std::int64_t reach = s.dilate[i] * (s.kernel[i] - 1) + 1;
    const std::int64_t room = s.plane[i] + 2 * s.pad[i] - reach;
    if (s.plane[i] < 1 || room < 0) {
      fail(ErrorCode::invalid_argument, "the kernel covers ", reach, " elements of spatial dimension ", i,
           ", the image has ", s.plane[i], " and ", 2 * s.pad[i], " of padding");
    }
    s.places[i] = room / s.stride[i] + 1;
  }
  (void)product(s.places[0], s.places[1]);  // PatchShape::columns()
  (void)product(s.kernel[0], s.kernel[1]);
  return s;
}

void expect_float(const InferContext& context) {
  const DType dtype = context.dtype(0);
  if (dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16) return;
  fail(ErrorCode::unsupported, "data is ", to_string(dtype), ": expected floating point");
}

std::vector<TensorType> infer_im2col(const InferContext& context) {
  expect_float(context);
  const Shape& data = context.shape(0);
  if (data.rank() != 4) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data),
         ": expected (batch, channel, height, width)");
  }
  const PatchShape s = patch_shape(context.attrs, data[2], data[3]);
  return {
      {context.dtype(0), Shape{data[0], product(data[1], product(s.kernel[0], s.kernel[1])), s.columns()}}};
}

PatchShape folded_shape(const Attrs& attrs) {
  const std::vector<std::int64_t> size = attrs.tuple("output_size");
  if (size.size() != 2) {
    fail(ErrorCode::malformed, "attribute output_size has ", size.size(), " elements: expected 2");
  }
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;
  for (const std::int64_t side : size) {
    if (side >= 1 && side <= kLargest) continue;
    fail(ErrorCode::invalid_argument, "attribute output_size: (", size[0], ", ", size[1],
         "): expected sides of 1 to ", kLargest);
  }
  return patch_shape(attrs, size[0], size[1]);
}

std::vector<TensorType> infer_col2im(const InferContext& context) {
  expect_float(context);
  const Shape& data = context.shape(0);
  const PatchShape s = folded_shape(context.attrs);
  const std::int64_t taps = product(s.kernel[0], s.kernel[1]);
  if (data.rank() != 3 || data[1] % taps != 0 || data[2] != s.columns()) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data), ": expected (batch, a multiple of ",
         taps, ", ", s.columns(), ") for output_size=(", s.plane[0], ", ", s.plane[1], ")");
  }
  return {{context.dtype(0), Shape{data[0], data[1] / taps, s.plane[0], s.plane[1]}}};
}

template <typename T>
Step patches_step(const PatchShape& s, std::int64_t planes, bool fold) {
  const std::int64_t work = s.columns() * (fold ? s.taps() : 1);
  const std::int64_t grain = piece_grain(kPatchElements, work);
  const std::int64_t tasks = fold ? planes : planes * s.taps();
  Step step;
  step.run = [=](const RunContext& run) {
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) {
      const auto kernel = fold ? kernels::col2im<T> : kernels::im2col<T>;
      kernel(s, run.input<T>(0), run.output<T>(0), begin, end);
    });
  };
  return step;
}

Step lower_patches(LowerContext& context, bool fold) {
  const Shape& image = fold ? context.output(0).shape : context.input(0).shape;
  const PatchShape s = patch_shape(context.attrs(), image[2], image[3]);
  const std::int64_t planes = image[0] * image[1];
  const DType dtype = context.input(0).dtype;
  Step step = for_float(dtype, [&](auto zero) { return patches_step<decltype(zero)>(s, planes, fold); });
  step.kernel = concat(fold ? "col2im_ref_" : "im2col_ref_", to_string(dtype), " [ref]");
  step.reason = "moves elements only";
  return step;
}

OpDef patch_op(std::string name, std::string summary, bool fold) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {tuple_attr("kernel"), tuple_attr("stride", "()"), tuple_attr("dilate", "()"),
              tuple_attr("pad", "()")};
  if (fold) op.attrs.insert(op.attrs.begin(), tuple_attr("output_size"));
  op.infer = fold ? infer_col2im : infer_im2col;
  op.lower = [fold](LowerContext& context) { return lower_patches(context, fold); };
  return op;
}

using kernels::CorrelationShape;

constexpr std::int64_t kPieceWork = 1 << 15;

/// The sizes but for the images'.
CorrelationShape attribute_sizes(const Attrs& attrs) {
  CorrelationShape s;
  s.kernel = attrs.integer("kernel_size");
  s.max_displacement = attrs.integer("max_displacement");
  s.stride1 = attrs.integer("stride1");
  s.stride2 = attrs.integer("stride2");
  s.pad = attrs.integer("pad_size");
  s.multiply = attrs.flag("is_multiply");
  if (s.kernel % 2 == 0) {
    fail(ErrorCode::malformed, "attribute kernel_size=", s.kernel, ": expected an odd number");
  }
  return s;
}

std::int64_t correlated_size(const CorrelationShape& s, std::int64_t size) {
  const std::int64_t border = s.max_displacement + (s.kernel - 1) / 2;
  return ceil_div(std::max<std::int64_t>(0, size + 2 * s.pad - 2 * border), s.stride1);
}

std::vector<TensorType> infer_correlation(const InferContext& context) {
  const DType dtype = context.dtype(0);
  const Shape& data = context.shape(0);
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16) {
    fail(ErrorCode::unsupported, "data1 is ", to_string(dtype), ": expected floating point");
  }
  if (data.rank() != 4 || data[1] < 1 || context.inputs[1] != context.inputs[0]) {
    fail(ErrorCode::invalid_argument, "data1 is ", to_string(context.inputs[0]), ", data2 is ",
         to_string(context.inputs[1]), ": expected two equal ones, (batch, channel, height, width)");
  }
  const CorrelationShape s = correlation_shape(context.attrs, data);
  if (s.out_height < 1 || s.out_width < 1) {
    fail(ErrorCode::invalid_argument, "data1 has shape ", to_string(data), ": with pad_size=", s.pad,
         " it is too small for max_displacement=", s.max_displacement, " and kernel_size=", s.kernel);
  }
  if (!checked_mul(s.kernel, s.kernel, s.channels)) {
    fail(ErrorCode::invalid_argument, "attribute kernel_size=", s.kernel, " is too large for ", s.channels,
         " channels");
  }
  return {{dtype, Shape{data[0], s.side() * s.side(), s.out_height, s.out_width}}};
}

template <typename T>
Step correlation_step(const CorrelationShape& s, std::int64_t batch) {
  const std::int64_t rows = batch * s.side() * s.side() * s.out_height;
  const std::int64_t row_work = checked_mul(s.out_width, s.kernel, s.kernel, s.channels)
                                    .value_or(std::numeric_limits<std::int64_t>::max());
  const std::int64_t grain = std::max<std::int64_t>(1, kPieceWork / row_work);
  Step step{.flops = 2.0 * static_cast<double>(rows) * static_cast<double>(row_work)};
  step.run = [=](const RunContext& run) {
    parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::correlation(s, run.input<T>(0), run.input<T>(1), run.output<T>(0), begin, end);
    });
  };
  return step;
}

Step lower_correlation(LowerContext& context) {
  const Shape& data = context.input(0).shape;
  const DType dtype = context.input(0).dtype;
  const CorrelationShape s = correlation_shape(context.attrs(), data);
  Step step = for_float(dtype, [&](auto zero) { return correlation_step<decltype(zero)>(s, data[0]); });
  step.kernel = ref_kernel("correlation", dtype);
  step.reason = concat(s.side() * s.side(), " displacements");
  return step;
}

AttrSpec size_attr(const char* name, std::int64_t default_value, std::int64_t minimum) {
  constexpr double kLargest = 1 << 24;
  return integer_attr(name, default_value).at_least(static_cast<double>(minimum)).at_most(kLargest);
}

}  // namespace

CorrelationShape correlation_shape(const Attrs& attrs, const Shape& data) {
  CorrelationShape s = attribute_sizes(attrs);
  s.channels = data[1];
  s.height = data[2];
  s.width = data[3];
  s.out_height = correlated_size(s, s.height);
  s.out_width = correlated_size(s, s.width);
  return s;
}

std::vector<OpDef> patch_ops() {
  return {
      patch_op("im2col",
               "The patches under the positions of a kernel as columns: (batch, channels * kernel, "
               "positions), with 0 in the padding.",
               false),
      patch_op("col2im",
               "Adds columns of patches at the pixels that they come from: an image of output_size for each "
               "channel.",
               true),
      {.name = "Correlation",
       .summary =
           "For each displacement up to max_displacement in steps of stride2, the mean over channels and "
           "kernel of data1 * (displaced data2), or without is_multiply of |data1 - displaced data2|.",
       .attrs = {size_attr("kernel_size", 1, 1), size_attr("max_displacement", 1, 0),
                 size_attr("stride1", 1, 1), size_attr("stride2", 1, 1), size_attr("pad_size", 0, 0),
                 flag_attr("is_multiply", true)},
       .inputs = named_ports({"data1", "data2"}),
       .infer = infer_correlation,
       .lower = lower_correlation},
  };
}

}  // namespace mxinfer::ops

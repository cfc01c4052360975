// Correlation: the cost volume of optical flow networks.
#include "kernels/correlation/correlation.h"

#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/float_dispatch.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

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

CorrelationShape correlation_shape(const Attrs& attrs, const Shape& data) {
  CorrelationShape s = attribute_sizes(attrs);
  s.channels = data[1];
  s.height = data[2];
  s.width = data[3];
  s.out_height = correlated_size(s, s.height);
  s.out_width = correlated_size(s, s.width);
  return s;
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
  Step step;
  step.flops = 2.0 * static_cast<double>(rows) * static_cast<double>(row_work);
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
  step.kernel = concat("correlation_ref_", to_string(dtype), " [ref]");
  step.reason = concat(s.side() * s.side(), " displacements");
  return step;
}

AttrSpec size_attr(const char* name, std::int64_t default_value, std::int64_t minimum) {
  constexpr double kLargest = 1 << 24;
  return graph::integer_attr(name, default_value).at_least(static_cast<double>(minimum)).at_most(kLargest);
}

}  // namespace

std::vector<OpDef> correlation_ops() {
  OpDef op;
  op.name = "Correlation";
  op.summary =
      "For each displacement up to max_displacement in steps of stride2, the mean over channels and kernel "
      "of data1 * (displaced data2), or without is_multiply of |data1 - displaced data2|.";
  op.attrs = {size_attr("kernel_size", 1, 1), size_attr("max_displacement", 1, 0),
              size_attr("stride1", 1, 1),     size_attr("stride2", 1, 1),
              size_attr("pad_size", 0, 0),    graph::flag_attr("is_multiply", true)};
  op.inputs = [](const Attrs&) { return PortNames{{"data1", "data2"}}; };
  op.infer = infer_correlation;
  op.lower = lower_correlation;
  return {op};
}

}  // namespace mxinfer::ops

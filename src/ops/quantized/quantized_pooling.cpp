// _contrib_quantized_pooling, _contrib_quantized_act and _contrib_quantized_flatten, which keep the range of
// their data.
#include <algorithm>
#include <array>

#include "ops/nn/kernel_args.h"
#include "ops/quantized/elements.h"
#include "ops/registry.h"
#include "ops/unify.h"

namespace mxinfer::ops {

std::vector<OpDef> pooling_ops();  // the registry is not there yet when it asks for these operators

namespace {

std::vector<TensorType> expect_data(const InferContext& context) {
  expect_8bit(context, 0, "data");
  expect_ranges(context, 1, 2);
  return with_range(context.inputs[0]);
}

/// The pooling of floats of the same shape.
kernels::PoolArgs pooling_of(const Attrs& attrs, const Shape& shape) {
  return pool_args(attrs, {DType::float32, shape}, false);
}

std::vector<TensorType> infer_pooling(const InferContext& context) {
  std::vector<TensorType> outputs = expect_data(context);
  const std::string& type = context.attrs.choice("pool_type");
  if (type != "max" && type != "avg")
    fail(ErrorCode::unsupported, "pool_type=", type, " of 8-bit data: expected max or avg");
  const InferContext of_floats{context.attrs, {{DType::float32, context.shape(0)}}};
  outputs[0].shape = find_op("Pooling")->infer(of_floats)[0].shape;
  return outputs;
}

using kernels::PoolWindow;

/// The largest of a window, or its mean rounded to the nearest.
template <typename T>
T pooled(const kernels::PoolArgs& args, const T* plane, const std::array<PoolWindow, 3>& w) {
  std::int32_t largest = 0 + std::numeric_limits<T>::min();
  std::int64_t sum = 0, valid = 0;
  for (std::int64_t z = w[0].first; z < w[0].last; ++z) {
    for (std::int64_t y = w[1].first; y < w[1].last; ++y) {
      const T* row = plane + (z * args.in[1] + y) * args.in[2] * args.inner;
      for (std::int64_t x = w[2].first; x < w[2].last; ++x) {
        const std::int32_t value = 0 + row[x * args.inner];  // the sum is an int
        largest = std::max(largest, value);
        sum += value;
        ++valid;
      }
    }
  }
  if (args.kind == kernels::PoolKind::max) return static_cast<T>(largest);
  const bool all = args.divisor == kernels::PoolDivisor::padded;
  const std::int64_t count = all ? w[0].padded * w[1].padded * w[2].padded : valid;
  return kernels::saturate<T>(static_cast<float>(sum) / static_cast<float>(std::max<std::int64_t>(count, 1)));
}

/// Planes [begin, end): of one channel of one image.
template <typename T>
void pool_planes(const kernels::PoolArgs& args, const T* src, T* dst, std::int64_t begin, std::int64_t end) {
  for (std::int64_t plane = begin; plane < end; ++plane) {
    const std::int64_t image = plane / args.inner, channel = plane % args.inner;
    const T* from = src + image * args.in[0] * args.in[1] * args.in[2] * args.inner + channel;
    T* to = dst + image * args.out_plane() * args.inner + channel;
    for (std::int64_t z = 0; z < args.out[0]; ++z) {
      for (std::int64_t y = 0; y < args.out[1]; ++y) {
        for (std::int64_t x = 0; x < args.out[2]; ++x, to += args.inner)
          *to =
              pooled(args, from, {pool_window(args, 0, z), pool_window(args, 1, y), pool_window(args, 2, x)});
      }
    }
  }
}

Step lower_pooling(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const kernels::PoolArgs args = pooling_of(context.attrs(), context.input(0).shape);
  const std::int64_t planes = args.planes * args.inner;
  const std::int64_t grain = piece_grain(kQuantizedGrain, args.in[0] * args.in[1] * args.in[2]);
  Step step{.kernel = ref_kernel("quantized_pool", dtype)};
  step.run = [=](const RunContext& run) {
    with_8bit(dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const T* src = run.input<T>(0);
      T* dst = run.output<T>(0);
      parallel_for(planes, grain, [&](auto begin, auto end) { pool_planes(args, src, dst, begin, end); });
    });
    write_range(run, 1, range_at(run, 1));
  };
  return step;
}

std::vector<TensorType> infer_act(const InferContext& context) {
  std::vector<TensorType> outputs = expect_data(context);
  if (context.attrs.choice("act_type") != "relu") {
    fail(ErrorCode::unsupported, "act_type=", context.attrs.choice("act_type"),
         " of 8-bit data: expected relu, the only one that MXNet computes");
  }
  outputs[0].dtype = DType::int8;
  return outputs;
}

/// MXNet hands the bytes of uint8 data on as int8.
Step lower_act(LowerContext& context) {
  const std::int64_t count = context.input(0).shape.elements();
  const bool is_signed = context.input(0).dtype == DType::int8;
  Step step{.kernel = ref_kernel("quantized_relu", context.input(0).dtype)};
  step.run = [=](const RunContext& run) {
    const auto* src = run.input<std::int8_t>(0);
    auto* dst = run.output<std::int8_t>(0);
    for (std::int64_t i = 0; i < count; ++i) dst[i] = is_signed ? std::max<std::int8_t>(src[i], 0) : src[i];
    write_range(run, 1, range_at(run, 1));
  };
  return step;
}

std::vector<TensorType> infer_flatten(const InferContext& context) {
  std::vector<TensorType> outputs = expect_data(context);
  outputs[0] = find_op("Flatten")->infer({context.attrs, {context.inputs[0]}})[0];
  return outputs;
}

Step lower_flatten(LowerContext& context) {
  Step step{.kernel = "alias", .reason = "the same elements under another shape"};
  context.alias(0, 0, 0);
  step.run = [](const RunContext& run) { write_range(run, 1, range_at(run, 1)); };
  return step;
}

OpDef op_on_data(std::string name, std::string summary, std::vector<AttrSpec> attrs) {
  OpDef op{.name = std::move(name), .summary = std::move(summary), .attrs = std::move(attrs)};
  op.inputs = named_ports({"data", "min_data", "max_data"});
  op.outputs = ports_with_range();
  return op;
}

}  // namespace

std::vector<OpDef> quantized_pooling_ops() {
  OpDef pool = op_on_data("_contrib_quantized_pooling",
                          "Pooling of 8-bit values, by max or avg; means are rounded to the nearest.",
                          pooling_ops().front().attrs);
  pool.traits.keeps_channels = true;
  pool.unify = unify_batch;
  pool.infer = infer_pooling;
  pool.lower = lower_pooling;

  OpDef act = op_on_data("_contrib_quantized_act", "max(q, 0) of int8 values q.",
                         {choice_attr("act_type", {"relu", "sigmoid", "softrelu", "softsign", "tanh"})});
  act.traits.keeps_shape = true;
  act.unify = unify_first;
  act.infer = infer_act;
  act.lower = lower_act;

  OpDef flatten = op_on_data("_contrib_quantized_flatten", "Flatten of 8-bit values.", {});
  flatten.unify = unify_batch;
  flatten.infer = infer_flatten;
  flatten.lower = lower_flatten;
  return {std::move(pool), std::move(act), std::move(flatten)};
}

}  // namespace mxinfer::ops

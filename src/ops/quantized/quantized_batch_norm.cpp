// _contrib_quantized_batch_norm, and _contrib_quantized_embedding, which looks up rows of int8 weights.
#include <cmath>

#include "ops/common/axes.h"
#include "ops/quantized/elements.h"
#include "ops/unify.h"

namespace mxinfer::ops {

std::vector<OpDef> batch_norm_ops();  // the registry is not there yet when it asks for these operators

namespace {

std::vector<TensorType> infer_batch_norm(const InferContext& context) {
  expect_8bit(context, 0, "data");
  expect_ranges(context, 5, 2);
  const Shape& data = context.shape(0);
  const std::size_t axis = resolve_axis("axis", context.attrs.integer("axis"), data.rank());
  const TensorType each{DType::float32, Shape{data[axis]}};
  for (std::size_t i = 1; i < 5; ++i) {
    if (context.inputs[i] == each) continue;
    fail(ErrorCode::invalid_argument, "parameter ", i, " is ", to_string(context.inputs[i]), "; expected ",
         to_string(each), " for data of ", to_string(context.inputs[0]));
  }
  if (!calibrated_range(context.attrs)) {
    fail(ErrorCode::unsupported,
         "attributes min_calib_range and max_calib_range are missing: MXNet does not compute the range of a "
         "batch norm; quantize the network with calibration data (calib_mode)");
  }
  return with_range({DType::int8, data});
}

struct BatchNorm {
  std::int64_t outer, channels, inner;
  double eps;
  ValueRange made;

  /// Writes factor and shift of a channel.
  std::pair<float, float> of_channel(const RunContext& run, std::int64_t c, const ValueRange& data) const {
    const float gamma = run.input<float>(1)[c];
    const auto inverse = static_cast<float>(1.0 / std::sqrt(run.input<float>(4)[c] + eps));
    const float factor = gamma * inverse * data.largest() / made.largest();
    const float shift =
        (run.input<float>(2)[c] - run.input<float>(3)[c] * gamma * inverse) * kInt8Range / made.largest();
    // MXNet hands oneDNN a batch norm of mean 0 and variance 1, with the eps that is in `inverse` already.
    return {factor / std::sqrt(1.0F + static_cast<float>(eps)), shift};
  }
};

/// int8 data; uint8 data is brought to its steps first.
template <typename T>
float as_int8(T value) {
  if constexpr (std::is_same_v<T, std::int8_t>) return value;
  return static_cast<float>(
      kernels::saturate<std::int8_t>(static_cast<float>(value) * (kInt8Range / kUint8Range)));
}

template <typename T>
void run_batch_norm(const BatchNorm& norm, const RunContext& run) {
  const T* src = run.input<T>(0);
  auto* dst = run.output<std::int8_t>(0);
  const ValueRange data = range_at(run, 5);
  parallel_for(norm.outer * norm.channels, piece_grain(kQuantizedGrain, norm.inner),
               [&](auto begin, auto end) {
                 for (std::int64_t row = begin; row < end; ++row) {
                   const auto [factor, shift] = norm.of_channel(run, row % norm.channels, data);
                   for (std::int64_t i = row * norm.inner; i < (row + 1) * norm.inner; ++i)
                     dst[i] = kernels::saturate<std::int8_t>(std::fma(as_int8(src[i]), factor, shift));
                 }
               });
}

Step lower_batch_norm(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const Attrs& attrs = context.attrs();
  const std::size_t axis = resolve_axis("axis", attrs.integer("axis"), shape.rank());
  const BatchNorm norm{shape.elements(0, axis), shape[axis], shape.elements(axis + 1, shape.rank()),
                       attrs.number("eps"), *calibrated_range(attrs)};
  const DType dtype = context.input(0).dtype;
  Step step{.kernel = ref_kernel("quantized_batch_norm", dtype)};
  step.run = [=](const RunContext& run) {
    with_8bit(dtype, [&](auto* type) { run_batch_norm<std::remove_pointer_t<decltype(type)>>(norm, run); });
    write_range(run, 1, norm.made);
  };
  return step;
}

std::vector<TensorType> infer_embedding(const InferContext& context) {
  const TensorType weight{DType::int8,
                          Shape{context.attrs.integer("input_dim"), context.attrs.integer("output_dim")}};
  if (!(context.inputs[1] == weight)) {
    fail(ErrorCode::invalid_argument, "weight is ", to_string(context.inputs[1]), "; expected ",
         to_string(weight), ", input_dim and output_dim");
  }
  const DType ids = context.dtype(0);
  if (ids != DType::float32 && ids != DType::int32 && ids != DType::int64) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]),
         "; expected float32, int32 or int64");
  }
  expect_ranges(context, 2, 2);
  Shape shape = context.shape(0);
  shape.push_back(weight.shape[1]);
  return with_range({DType::int8, shape});
}

template <typename Id>
void look_up(const RunContext& run, std::int64_t count, std::int64_t rows, std::int64_t length) {
  for (std::int64_t i = 0; i < count; ++i) {
    // Ids outside are those at the ends; so is NaN.
    const Id id = run.input<Id>(0)[i];
    const std::int64_t row = !(id > Id{0})                     ? 0
                             : id >= static_cast<Id>(rows - 1) ? rows - 1
                                                               : static_cast<std::int64_t>(id);
    std::copy_n(run.input<std::int8_t>(1) + row * length, length, run.output<std::int8_t>(0) + i * length);
  }
}

Step lower_embedding(LowerContext& context) {
  const std::int64_t count = context.input(0).shape.elements();
  const std::int64_t rows = context.input(1).shape[0], length = context.input(1).shape[1];
  const DType ids = context.input(0).dtype;
  Step step{.kernel = ref_kernel("quantized_embedding", DType::int8)};
  step.run = [=](const RunContext& run) {
    if (ids == DType::float32) look_up<float>(run, count, rows, length);
    if (ids == DType::int32) look_up<std::int32_t>(run, count, rows, length);
    if (ids == DType::int64) look_up<std::int64_t>(run, count, rows, length);
    write_range(run, 1, range_at(run, 2));
  };
  return step;
}

}  // namespace

std::vector<OpDef> quantized_batch_norm_ops() {
  OpDef norm{.name = "_contrib_quantized_batch_norm"};
  norm.summary =
      "BatchNorm of 8-bit values as int8 in the calibrated range; then the range. As in MXNet, gamma counts "
      "even with "
      "fix_gamma.";
  norm.attrs = batch_norm_ops().front().attrs;
  for (AttrSpec& spec : norm.attrs) {
    if (spec.name == "min_calib_range" || spec.name == "max_calib_range") spec.ignored = false;
  }
  norm.inputs = named_ports({"data", "gamma", "beta", "moving_mean", "moving_var", "min_data", "max_data"});
  norm.outputs = ports_with_range();
  norm.auxiliary = {"moving_mean", "moving_var"};
  norm.traits.keeps_shape = true;
  norm.unify = unify_first;
  norm.infer = infer_batch_norm;
  norm.lower = lower_batch_norm;
  return {std::move(norm)};
}

std::vector<OpDef> quantized_embedding_ops() {
  OpDef embedding{.name = "_contrib_quantized_embedding"};
  embedding.summary = "The rows of int8 weights with the given ids; then their range.";
  embedding.attrs = {integer_attr("input_dim").at_least(1), integer_attr("output_dim").at_least(1),
                     dtype_attr("dtype", "float32").without_effect(),
                     flag_attr("sparse_grad", false).without_effect()};
  embedding.inputs = named_ports({"data", "weight", "min_weight", "max_weight"});
  embedding.outputs = ports_with_range();
  embedding.infer = infer_embedding;
  embedding.lower = lower_embedding;
  return {std::move(embedding)};
}

}  // namespace mxinfer::ops

#include "ops/quantized/ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/layout/layout_rewriter.h"

namespace mxinfer::ops {

float ValueRange::largest() const {
  return std::max(std::abs(min), std::abs(max));
}

float quantized_range(DType dtype) {
  if (dtype == DType::int32) return kInt32Range;
  return dtype == DType::int8 ? kInt8Range : kUint8Range;
}

float plain_scale(DType dtype, const ValueRange& range) {
  return quantized_range(dtype) / range.largest();
}

float product_scale(DType dtype, const ValueRange& range) {
  const float largest = range.largest();
  return largest != 0 ? quantized_range(dtype) / largest : std::numeric_limits<float>::max() / 10.0F;
}

ValueRange product_range(float data_step, float weight_step) {
  const float end = data_step * weight_step * kInt32Range;
  return {-end, end};
}

ValueRange joined_range(const ValueRange& a, const ValueRange& b) {
  return {std::min({0.0F, a.min, b.min}), std::max({0.0F, a.max, b.max})};
}

std::vector<AttrSpec> calibration_attrs() {
  return {number_attr("min_calib_range").optional_none(), number_attr("max_calib_range").optional_none()};
}

std::optional<ValueRange> calibrated_range(const Attrs& attrs) {
  if (!attrs.has("min_calib_range") || !attrs.has("max_calib_range")) return std::nullopt;
  const ValueRange range{attrs.number32("min_calib_range"), attrs.number32("max_calib_range")};
  if (std::isfinite(range.min) && std::isfinite(range.max)) return range;
  fail(ErrorCode::malformed, "attributes min_calib_range=", range.min, " and max_calib_range=", range.max,
       ": expected finite numbers; quantize the network again with data that has no NaN");
}

DType quantized_dtype(const Attrs& attrs) {
  const std::string& type = attrs.choice("out_type");
  if (type != "auto") return type == "uint8" ? DType::uint8 : DType::int8;
  const auto range = calibrated_range(attrs);
  return range && range->min >= 0 ? DType::uint8 : DType::int8;
}

ValueRange quantized_range_of(DType dtype, const ValueRange& range) {
  return dtype == DType::int8 ? ValueRange{-range.largest(), range.largest()} : range;
}

std::optional<ValueRange> quantize_v2_range(const Attrs& attrs) {
  const auto range = calibrated_range(attrs);
  if (!range) return std::nullopt;
  return quantized_range_of(quantized_dtype(attrs), *range);
}

std::optional<ValueRange> requantize_range(const Attrs& attrs) {
  const auto range = calibrated_range(attrs);
  if (!range) return std::nullopt;
  return quantized_range_of(quantized_dtype(attrs), {0, range->largest()});
}

ValueRange range_at(const RunContext& run, std::size_t i) {
  return {*run.input<float>(i), *run.input<float>(i + 1)};
}

std::optional<ValueRange> constant_range(const LowerContext& context, std::size_t i) {
  const Tensor* min = context.is_constant(i) ? context.constant(i) : nullptr;
  const Tensor* max = context.is_constant(i + 1) ? context.constant(i + 1) : nullptr;
  if (min == nullptr || max == nullptr) return std::nullopt;
  return ValueRange{*min->data<float>(), *max->data<float>()};
}

void write_range(const RunContext& run, std::size_t first_output, const ValueRange& range) {
  *run.output<float>(first_output) = range.min;
  *run.output<float>(first_output + 1) = range.max;
}

void expect_ranges(const InferContext& context, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    if (context.dtype(i) == DType::float32 && context.shape(i).elements() == 1) continue;
    fail(ErrorCode::invalid_argument, "input ", i, ", one end of a range, is ", to_string(context.inputs[i]),
         "; expected one float32");
  }
}

TensorType range_type() {
  return {DType::float32, Shape{1}};
}

std::vector<TensorType> with_range(TensorType values) {
  return {values, range_type(), range_type()};
}

PortsFn ports_with_range() {
  return named_ports({"output", "min_output", "max_output"});
}

bool values_layout(LayoutRewriter& rewriter, std::size_t id, std::size_t count) {
  const std::int64_t rank = rewriter.input_rank(id);
  for (std::size_t i = 0; i < count; ++i) {
    const graph::Value moved = rewriter.as_moved(rewriter.node(id).inputs[i], rank);
    rewriter.node(id).inputs[i] = moved;
  }
  rewriter.mark_first_output_moved(id, rank);
  return true;
}

bool is_8bit(DType dtype) {
  return dtype == DType::int8 || dtype == DType::uint8;
}

void expect_8bit(const InferContext& context, std::size_t i, const char* name) {
  if (is_8bit(context.dtype(i))) return;
  fail(ErrorCode::invalid_argument, name, " is ", to_string(context.inputs[i]),
       "; expected int8 or uint8, as _contrib_quantize_v2 gives them");
}

kernels::Int8Type int8_type(DType dtype) {
  switch (dtype) {
    case DType::int8:
      return kernels::Int8Type::s8;
    case DType::uint8:
      return kernels::Int8Type::u8;
    case DType::int32:
      return kernels::Int8Type::s32;
    case DType::float32:
      return kernels::Int8Type::f32;
    default:
      fail(ErrorCode::internal, "int8_type of ", to_string(dtype));
  }
}

}  // namespace mxinfer::ops

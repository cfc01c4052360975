// The ranges behind 8-bit values: a value q stands for q * max(|min|, |max|) / R, where R is 127.5 for int8
// and 255.5 for uint8, as in MXNet's operators on CPUs. Operators hand a range on as two arrays of one
// float32.
#pragma once

#include <optional>

#include "kernels/conv/int8/int8_conv.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct ValueRange {
  float min = 0, max = 0;
  float largest() const;  ///< max(|min|, |max|)
};

inline constexpr float kInt8Range = 127.5F;
inline constexpr float kUint8Range = 255.5F;
inline constexpr float kInt32Range = 2147483647.0F;

/// R of a dtype.
float quantized_range(DType dtype);

/// R / largest; infinity or NaN of a range without width, which rounding limits.
float plain_scale(DType dtype, const ValueRange& range);

/// The same for products, finite: with a range without width, MXNet takes a very large number.
float product_scale(DType dtype, const ValueRange& range);

/// The range of 32-bit sums of products: one step of a sum is the product of one step of each operand.
ValueRange product_range(float data_step, float weight_step);

/// The range of arrays that are concatenated: it reaches from the least of their ends, or 0, to the largest.
ValueRange joined_range(const ValueRange& a, const ValueRange& b);

/// The attributes min_calib_range and max_calib_range, optional both; nothing unless both are given.
std::vector<AttrSpec> calibration_attrs();
std::optional<ValueRange> calibrated_range(const Attrs& attrs);

/// The dtype of an attribute out_type: "auto" is uint8 only if calibration has seen no negative value.
DType quantized_dtype(const Attrs& attrs);
/// The range of values of that dtype, made from data in `range`: int8 values are symmetric around 0.
ValueRange quantized_range_of(DType dtype, const ValueRange& range);
/// The ranges that _contrib_quantize_v2 (of float32) and _contrib_requantize hand on if they are calibrated.
std::optional<ValueRange> quantize_v2_range(const Attrs& attrs);
std::optional<ValueRange> requantize_range(const Attrs& attrs);

/// What _contrib_requantize multiplies sums by, of which 2^31 - 1 is `sums`, for 8-bit values up to `made`.
float requantize_scale(DType dtype, float sums, float made);

/// The range at inputs i and i + 1.
ValueRange range_at(const RunContext& run, std::size_t i);
/// The same where both are parameters.
std::optional<ValueRange> constant_range(const LowerContext& context, std::size_t i);
void write_range(const RunContext& run, std::size_t first_output, const ValueRange& range);

/// Fails unless inputs [first, first + count) are one float32 each.
void expect_ranges(const InferContext& context, std::size_t first, std::size_t count);
/// The type of one end of a range.
TensorType range_type();
/// Three outputs: the values, and their range.
std::vector<TensorType> with_range(TensorType values);
PortsFn ports_with_range();

/// For LayoutRule: the first `count` inputs are read in the new order, and output 0 is in it; the ranges
/// behind them stay.
bool values_layout(LayoutRewriter& rewriter, std::size_t id, std::size_t count);

bool is_8bit(DType dtype);
/// Fails unless input i is int8 or uint8.
void expect_8bit(const InferContext& context, std::size_t i, const char* name);
/// Precondition: is_8bit(), int32 or float32.
kernels::Int8Type int8_type(DType dtype);

}  // namespace mxinfer::ops

// _contrib_quantized_concat: 8-bit values one behind the other, in the widest of their ranges.
#include <array>
#include <cstring>

#include "ops/common/axes.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/quantized/elements.h"
#include "ops/unify.h"

namespace mxinfer::ops {
namespace {

std::size_t arrays(const Attrs& attrs) {
  return static_cast<std::size_t>(attrs.integer("num_args"));
}

PortNames concat_ports(const Attrs& attrs) {
  PortNames ports;
  for (std::size_t i = 0; i < arrays(attrs); ++i) ports.names.push_back(concat("arg", i));
  for (std::size_t i = 0; i < arrays(attrs); ++i) {
    ports.names.push_back(concat("arg", i, "_min"));
    ports.names.push_back(concat("arg", i, "_max"));
  }
  return ports;
}

std::vector<TensorType> infer_concat(const InferContext& context) {
  const std::size_t count = arrays(context.attrs);
  TensorType joined = context.inputs[0];
  const std::size_t axis = resolve_axis("dim", context.attrs.integer("dim"), joined.shape.rank());
  joined.shape[axis] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    expect_8bit(context, i, "an array");
    Shape shape = context.shape(i), expected = joined.shape;
    if (shape.rank() == expected.rank()) expected[axis] = shape[axis];
    if (shape != expected) {
      fail(ErrorCode::invalid_argument, "array ", i, " is ", to_string(context.inputs[i]), ", the first ",
           to_string(context.inputs[0]), "; expected the same sizes except along dim=", axis);
    }
    joined.shape[axis] += shape[axis];
    if (context.dtype(i) == DType::int8) joined.dtype = DType::int8;
  }
  expect_ranges(context, count, 2 * count);
  return with_range(joined);
}

struct ConcatPart {
  DType dtype;
  std::int64_t length = 0;  ///< elements of one row
  std::int64_t offset = 0;  ///< in a row of the output
};

/// Copies rows of a part, with the range that all have.
template <typename From, typename To>
void copy_part(const From* from, To* to, const ConcatPart& part, std::int64_t rows, std::int64_t row,
               float scale) {
  // By the value's bits: a value is looked up in less time than it is rounded.
  std::array<To, 256> rounded{};
  for (std::size_t bits = 0; bits < rounded.size(); ++bits)
    rounded[bits] = kernels::saturate<To>(static_cast<float>(static_cast<From>(bits)) * scale);
  const bool as_is = std::is_same_v<From, To> && scale == 1.0F;
  const std::int64_t grain = piece_grain(kQuantizedGrain, part.length);
  parallel_for(rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const From* src = from + r * part.length;
      To* dst = to + r * row + part.offset;
      if (as_is) {
        std::memcpy(dst, src, static_cast<std::size_t>(part.length));
        continue;
      }
      for (std::int64_t i = 0; i < part.length; ++i) dst[i] = rounded[static_cast<std::uint8_t>(src[i])];
    }
  });
}

Step lower_concat(LowerContext& context) {
  const std::size_t count = arrays(context.attrs());
  const Shape& out = context.output(0).shape;
  const std::size_t axis = resolve_axis("dim", context.attrs().integer("dim"), out.rank());
  const std::int64_t rows = out.elements(0, axis), row = out.elements(axis, out.rank());
  std::vector<ConcatPart> parts;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Shape& shape = context.input(i).shape;
    parts.push_back({context.input(i).dtype, shape.elements(axis, shape.rank()), offset});
    offset += parts.back().length;
  }
  const DType made = context.output(0).dtype;
  Step step{.kernel = ref_kernel("quantized_concat", made)};
  step.run = [=](const RunContext& run) {
    ValueRange range;
    for (std::size_t i = 0; i < count; ++i) range = joined_range(range, range_at(run, count + 2 * i));
    const float scale = plain_scale(made, range);
    for (std::size_t i = 0; i < count; ++i) {
      const ConcatPart& part = parts[i];
      const float of_part = plain_scale(part.dtype, range_at(run, count + 2 * i));
      const float factor = of_part == scale ? 1.0F : scale / of_part;
      with_8bit(part.dtype, [&](auto* from) {
        with_8bit(made, [&](auto* to) {
          using From = std::remove_pointer_t<decltype(from)>;
          using To = std::remove_pointer_t<decltype(to)>;
          copy_part(run.input<From>(i), run.output<To>(0), part, rows, row, factor);
        });
      });
    }
    write_range(run, 1, range);
  };
  return step;
}

/// LayoutRule: the arrays, not their ranges.
bool concat_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  const auto axis = moved_axis(rewriter, rewriter.node(id).attrs.integer("dim"), rank);
  const std::size_t count = arrays(rewriter.node(id).attrs);
  if (!axis || !values_layout(rewriter, id, count)) return false;
  rewriter.node(id).attrs.set("dim", *axis);
  return true;
}

}  // namespace

std::vector<OpDef> quantized_concat_ops() {
  OpDef op{.name = "_contrib_quantized_concat"};
  op.summary = "Concat of 8-bit values, brought to the widest of their ranges; int8 if one of them is.";
  op.attrs = {integer_attr("num_args").at_least(1), integer_attr("dim", 1)};
  op.inputs = concat_ports;
  op.outputs = ports_with_range();
  op.traits.channels_last = concat_layout;
  op.infer = infer_concat;
  op.lower = lower_concat;
  return {std::move(op)};
}

}  // namespace mxinfer::ops

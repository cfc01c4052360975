// _npi_boolean_mask_assign_scalar, _npi_boolean_mask_assign_tensor: data with what a mask chooses replaced.
#include <algorithm>
#include <cstring>

#include "kernels/elementwise/cast.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

/// data as [outer][chosen][inner]; the mask has one element for each in the middle.
struct Masked {
  std::int64_t outer = 1, chosen = 1, inner = 1;
  Shape behind;  ///< the dimensions behind the mask's
};

Masked masked(const Attrs& attrs, const Shape& data, const Shape& mask) {
  const std::int64_t start = attrs.integer("start_axis");
  const auto rank = static_cast<std::int64_t>(data.rank());
  bool fits = start >= 0 && start <= rank && static_cast<std::int64_t>(mask.rank()) <= rank - start;
  const auto first = static_cast<std::size_t>(start);
  for (std::size_t d = 0; fits && d < mask.rank(); ++d) fits = mask[d] == data[first + d];
  if (!fits) {
    fail(ErrorCode::invalid_argument, "a mask of shape ", to_string(mask), " does not fit data of shape ",
         to_string(data), " from dimension ", start, " on");
  }
  Masked sides{data.elements(0, first), mask.elements(), data.elements(first + mask.rank(), data.rank()), {}};
  for (std::size_t d = first + mask.rank(); d < data.rank(); ++d) sides.behind.push_back(data[d]);
  return sides;
}

/// How the value is read: all of it anew for each chosen place, one row for all, or a row for each.
struct Value {
  bool is_one = false;
  bool is_row = false;
  std::int64_t rows = 0;
};

Value value_of(const Masked& sides, const Shape& value) {
  if (value.elements() == 1) return {true, true, 1};
  const std::size_t behind = sides.behind.rank();
  bool fits = value.rank() == behind || value.rank() == behind + 1;
  for (std::size_t d = 0; fits && d < behind; ++d) fits = value[value.rank() - behind + d] == sides.behind[d];
  if (!fits || sides.outer != 1) {
    fail(ErrorCode::invalid_argument, "a value of shape ", to_string(value),
         " does not fit the chosen rows of shape ", to_string(sides.behind));
  }
  const std::int64_t rows = value.rank() == behind ? 1 : value[0];
  return {false, rows == 1, rows};
}

std::vector<TensorType> infer_assign_masked(const InferContext& context) {
  const Masked sides = masked(context.attrs, context.shape(0), context.shape(1));
  if (context.count() > 2) {
    if (context.dtype(2) != context.dtype(0)) {
      fail(ErrorCode::invalid_argument, "a value of ", to_string(context.dtype(2)), " for data of ",
           to_string(context.dtype(0)), ": expected the same");
    }
    (void)value_of(sides, context.shape(2));
  }
  return {context.inputs[0]};
}

Step lower_assign_masked(LowerContext& context) {
  const TensorType& data = context.input(0);
  const Masked sides = masked(context.attrs(), data.shape, context.input(1).shape);
  const bool has_tensor = context.num_inputs() > 2;
  const Value value = has_tensor ? value_of(sides, context.input(2).shape) : Value{true, true, 1};
  const std::size_t element = size_of(data.dtype), row = static_cast<std::size_t>(sides.inner) * element;
  const std::size_t bytes = bytes_of(data);
  if (bytes == 0) return {.kernel = "nothing [ref]", .reason = "there are no elements"};
  const StoredNumber number =
      has_tensor ? StoredNumber{} : stored_number(data.dtype, context.attrs().number("value"));
  const auto to_bool =
      kernels::select_cast(element_type(context.input(1).dtype), kernels::ElementType::boolean);
  if (to_bool == nullptr) fail(ErrorCode::unsupported, "a mask of ", to_string(context.input(1).dtype));
  Step step{.kernel = "assign_masked [ref]", .reason = "moves elements only"};
  step.scratch_bytes = static_cast<std::size_t>(sides.chosen);
  step.run = [=](const RunContext& run) {
    auto* mask = reinterpret_cast<bool*>(run.scratch);
    to_bool(run.inputs[1], mask, sides.chosen);
    const std::int64_t chosen = std::count(mask, mask + sides.chosen, true);
    if (!value.is_row && value.rows != chosen) {
      fail(ErrorCode::invalid_argument, "the mask chooses ", chosen, " rows, the value has ", value.rows);
    }
    std::byte* dst = run.output<std::byte>(0);
    std::memcpy(dst, run.inputs[0], bytes);
    for (std::int64_t o = 0; o < sides.outer; ++o) {
      const std::byte* from = has_tensor ? run.input<std::byte>(2) : number.bytes;
      for (std::int64_t i = 0; i < sides.chosen; ++i, dst += row) {
        if (!mask[i]) continue;
        if (!value.is_one) {
          std::memcpy(dst, from, row);
        } else {
          for (std::size_t at = 0; at < row; at += element) std::memcpy(dst + at, from, element);
        }
        if (!value.is_row) from += row;
      }
    }
  };
  return step;
}

OpDef mask_assign_op(std::string name, std::string summary, std::vector<std::string> inputs) {
  OpDef op{.name = std::move(name), .summary = std::move(summary)};
  op.attrs = {integer_attr("start_axis", 0)};
  op.inputs = named_ports(std::move(inputs));
  op.traits.keeps_shape = true;
  op.infer = infer_assign_masked;
  op.lower = lower_assign_masked;
  return op;
}

}  // namespace

std::vector<OpDef> numpy_mask_assign_ops() {
  OpDef scalar = mask_assign_op("_npi_boolean_mask_assign_scalar",
                                "data with the attribute `value` where mask is not 0.", {"data", "mask"});
  scalar.attrs.push_back(number_attr("value"));
  return {std::move(scalar),
          mask_assign_op("_npi_boolean_mask_assign_tensor",
                         "data with a row of value, or the only one, for each where mask is not 0.",
                         {"data", "mask", "value"})};
}

}  // namespace mxinfer::ops

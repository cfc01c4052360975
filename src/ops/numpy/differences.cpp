// Differences of neighbours: _npi_diff along an axis, _npi_ediff1d of the flattened input.
#include "kernels/scan/differences.h"

#include <algorithm>
#include <cstring>

#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

/// MXNet's coefficients are no numbers any more beyond that.
constexpr std::int64_t kMostDifferences = 60;

void require_numbers(DType dtype) {
  if (kernels::select_differences(element_type(dtype)) == nullptr)
    fail(ErrorCode::unsupported, "differences of ", to_string(dtype));
}

std::vector<TensorType> infer_diff(const InferContext& context) {
  require_numbers(context.dtype(0));
  Shape shape = context.shape(0);
  const std::size_t axis = resolve_axis("axis", context.attrs.integer("axis"), shape.rank());
  const std::int64_t n = context.attrs.integer("n");
  shape[axis] = n < shape[axis] ? shape[axis] - n : 0;
  if (shape[axis] > 0 && n > kMostDifferences)
    fail(ErrorCode::unsupported, "n=", n, "; expected at most ", kMostDifferences);
  return {{context.dtype(0), shape}};
}

/// (-1)^(n - k) (n over k), by k.
std::vector<std::int64_t> binomials(std::int64_t n) {
  std::vector<std::int64_t> row{1};
  for (std::int64_t i = 0; i < n; ++i) {
    row.push_back(1);
    for (auto k = row.size() - 2; k > 0; --k) row[k] += row[k - 1];
  }
  for (std::size_t k = 0; k < row.size(); ++k) {
    if ((row.size() - 1 - k) % 2 == 1) row[k] = -row[k];
  }
  return row;
}

Step difference_step(DType dtype, kernels::DifferenceArgs args, std::int64_t outer, std::size_t dst_bytes) {
  const auto run = kernels::select_differences(element_type(dtype));
  Step step{.kernel = ref_kernel("differences", dtype), .reason = "one line after another"};
  step.run = [=, factors = binomials(args.n)](const RunContext& at) {
    kernels::DifferenceArgs now = args;
    now.coefficients = factors.data();
    now.src = at.inputs[0];
    now.dst = at.output<std::byte>(0) + dst_bytes;
    parallel_for(outer, piece_grain(kElementGrain, args.length * args.inner),
                 [&](std::int64_t begin, std::int64_t end) { run(now, begin, end); });
  };
  return step;
}

Step lower_diff(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const std::size_t axis = resolve_axis("axis", context.attrs().integer("axis"), shape.rank());
  kernels::DifferenceArgs args{.length = shape[axis], .inner = shape.elements(axis + 1, shape.rank())};
  const std::int64_t n = context.attrs().integer("n");
  if (n >= args.length || shape.elements() == 0)
    return {.kernel = "nothing [ref]", .reason = "no differences are left"};
  args.n = static_cast<int>(n);
  return difference_step(context.input(0).dtype, args, shape.elements(0, axis), 0);
}

/// One end of _npi_ediff1d: an input, a number or nothing.
struct End {
  std::int64_t elements = 0;
  std::size_t input = 0;  ///< 0: none
  StoredNumber number{};
};

End end_of(const Attrs& attrs, const std::string& name, std::size_t input) {
  End end;
  if (attrs.flag(name + "_arr_given")) {
    end.input = input;
  } else if (attrs.has(name + "_scalar")) {
    end.elements = 1;
  }
  return end;
}

PortNames ediff1d_inputs(const Attrs& attrs) {
  PortNames ports{{"input1"}};
  for (const char* given : {"to_begin_arr_given", "to_end_arr_given"}) {
    if (attrs.flag(given)) ports.names.push_back(concat("input", ports.names.size() + 1));
  }
  return ports;
}

std::pair<End, End> ends_of(const Attrs& attrs) {
  return {end_of(attrs, "to_begin", 1), end_of(attrs, "to_end", attrs.flag("to_begin_arr_given") ? 2 : 1)};
}

std::vector<TensorType> infer_ediff1d(const InferContext& context) {
  require_numbers(context.dtype(0));
  std::int64_t size = std::max<std::int64_t>(0, context.shape(0).elements() - 1);
  const auto [front, back] = ends_of(context.attrs);
  for (const End* end : {&front, &back}) {
    size += end->elements;
    if (end->input == 0) continue;
    const TensorType& given = context.inputs[end->input];
    if (given.dtype != context.dtype(0)) {
      fail(ErrorCode::invalid_argument, "inputs of ", to_string(context.dtype(0)), " and of ",
           to_string(given.dtype), ": expected one type");
    }
    size += given.shape.elements();
  }
  return {{context.dtype(0), Shape{size}}};
}

Step lower_ediff1d(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const std::size_t bytes = size_of(dtype);
  auto [front, back] = ends_of(context.attrs());
  const auto fill = [&](End& end, const char* name) {
    if (end.input != 0) end.elements = context.input(end.input).shape.elements();
    if (end.input != 0 || end.elements == 0) return;
    end.number = stored_number(dtype, context.attrs().number(name));
  };
  fill(front, "to_begin_scalar");
  fill(back, "to_end_scalar");
  const std::int64_t length = context.input(0).shape.elements();
  const std::size_t begin = static_cast<std::size_t>(front.elements) * bytes;
  const std::size_t end = begin + static_cast<std::size_t>(std::max<std::int64_t>(0, length - 1)) * bytes;
  Step step = difference_step(dtype, {.length = length}, length > 1 ? 1 : 0, begin);
  step.run = [=, differences = step.run, first = front, last = back](const RunContext& run) {
    const auto copy = [&](const End& from, std::size_t to) {
      if (from.elements == 0) return;
      const auto* src = from.input != 0 ? run.input<std::byte>(from.input) : from.number.bytes;
      std::memcpy(run.output<std::byte>(0) + to, src, static_cast<std::size_t>(from.elements) * bytes);
    };
    copy(first, 0);
    differences(run);
    copy(last, end);
  };
  return step;
}

}  // namespace

std::vector<OpDef> numpy_difference_ops() {
  return {
      {.name = "_npi_diff",
       .summary = "The n-th differences of neighbours along axis.",
       .attrs = {integer_attr("n", 1).at_least(0), integer_attr("axis", -1)},
       .inputs = named_ports({"a"}),
       .infer = infer_diff,
       .lower = lower_diff},
      {.name = "_npi_ediff1d",
       .summary =
           "The differences of neighbours of the flattened input, between two ends: arrays or numbers.",
       .attrs = {flag_attr("to_begin_arr_given", false), flag_attr("to_end_arr_given", false),
                 number_attr("to_begin_scalar").optional_none(),
                 number_attr("to_end_scalar").optional_none()},
       .inputs = ediff1d_inputs,
       .infer = infer_ediff1d,
       .lower = lower_ediff1d},
  };
}

}  // namespace mxinfer::ops

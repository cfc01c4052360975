// _np_cumsum: running sums.

#include "kernels/elementwise/cast.h"
#include "kernels/scan/cumulative_sum.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

DType sum_dtype(const Attrs& attrs, DType input) {
  if (attrs.has("dtype")) return dtype_of(attrs, "dtype");
  return input == DType::boolean ? DType::int64 : input;
}

std::vector<TensorType> infer_cumsum(const InferContext& context) {
  const DType from = context.dtype(0), to = sum_dtype(context.attrs, from);
  if (kernels::select_cumulative_sum(element_type(to)) == nullptr ||
      kernels::select_cast(element_type(from), element_type(to)) == nullptr) {
    fail(ErrorCode::unsupported, "sums of ", to_string(from), " in ", to_string(to),
         ": expected float32, float64, ", "float16, int8, uint8, int32 or int64");
  }
  const Shape& shape = context.shape(0);
  if (!context.attrs.has("axis")) return {{to, Shape{shape.elements()}}};
  resolve_axis("axis", context.attrs.integer("axis"), shape.rank());
  return {{to, shape}};
}

Step lower_cumsum(LowerContext& context) {
  const TensorType &in = context.input(0), &out = context.output(0);
  kernels::CumulativeSumArgs args;
  args.length = in.shape.elements();
  std::int64_t outer = 1;
  if (context.attrs().has("axis")) {
    const std::size_t axis = resolve_axis("axis", context.attrs().integer("axis"), in.shape.rank());
    outer = in.shape.elements(0, axis);
    args.length = in.shape[axis];
    args.inner = in.shape.elements(axis + 1, in.shape.rank());
  }
  const std::int64_t lines = args.length == 0 ? 0 : outer * args.inner, count = in.shape.elements();
  const std::int64_t grain = piece_grain(kElementGrain, args.length);
  const auto sum = kernels::select_cumulative_sum(element_type(out.dtype));
  const kernels::CastFn cast =
      in.dtype == out.dtype ? nullptr : kernels::select_cast(element_type(in.dtype), element_type(out.dtype));
  const std::size_t from = size_of(in.dtype), to = size_of(out.dtype);
  if (cast == nullptr) context.may_overwrite(0, 0);

  Step step{.kernel = ref_kernel("cumulative_sum", out.dtype)};
  step.reason = concat(lines, " lines of ", args.length, " elements, one after another");
  step.flops = static_cast<double>(count);
  step.run = [=](const RunContext& run) {
    kernels::CumulativeSumArgs now = args;
    now.src = run.inputs[0];
    now.dst = run.outputs[0];
    if (cast != nullptr) {
      parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
        const auto at = static_cast<std::size_t>(begin);
        cast(run.input<std::byte>(0) + at * from, run.output<std::byte>(0) + at * to, end - begin);
      });
      now.src = now.dst;
    }
    parallel_for(lines, grain, [&](std::int64_t begin, std::int64_t end) { sum(now, begin, end); });
  };
  return step;
}

}  // namespace

std::vector<OpDef> cumsum_ops() {
  return {{.name = "_np_cumsum",
           .aliases = {"cumsum"},
           .summary = "Running sums along axis (by default, of the flattened input), computed in dtype (by "
                      "default, the input's).",
           .attrs = {integer_attr("axis").optional_none(),
                     choice_attr("dtype", {"float16", "float32", "float64", "int32", "int64", "int8"})
                         .optional_none()},
           .inputs = named_ports({"a"}),
           .infer = infer_cumsum,
           .lower = lower_cumsum}};
}

}  // namespace mxinfer::ops

// Cast, and its forms for mixed precision.
#include "kernels/elementwise/cast.h"

#include "ops/elementwise/elementwise.h"
#include "tensor/floating.h"

namespace mxinfer::ops {
namespace {

/// Without a change of dtype the output is the input.
Step lower_cast_or_alias(LowerContext& ctx) {
  return ctx.input(0).dtype == ctx.output(0).dtype ? lower_identity(ctx) : lower_cast(ctx);
}

std::vector<TensorType> infer_cast(const InferContext& ctx) {
  return {{ctx.attrs.dtype("dtype"), ctx.shape(0)}};
}

std::vector<TensorType> infer_amp_cast(const InferContext& ctx) {
  const bool casts = is_float(ctx.dtype(0)) && is_float(ctx.attrs.dtype("dtype"));
  return {{casts ? ctx.attrs.dtype("dtype") : ctx.dtype(0), ctx.shape(0)}};
}

/// The widest floating point dtype among the inputs, or the narrowest.
DType common_dtype(const InferContext& ctx, bool narrow) {
  DType common = DType::float32;
  bool any = false;
  for (const TensorType& input : ctx.inputs) {
    if (!is_float(input.dtype)) continue;
    const bool better =
        narrow ? size_of(input.dtype) < size_of(common) : size_of(input.dtype) > size_of(common);
    if (!any || better) common = input.dtype;
    any = true;
  }
  return common;
}

std::vector<TensorType> infer_multicast(const InferContext& ctx) {
  const DType common = common_dtype(ctx, ctx.attrs.flag("cast_narrow"));
  std::vector<TensorType> outputs = ctx.inputs;
  for (TensorType& output : outputs) {
    if (is_float(output.dtype)) output.dtype = common;
  }
  return outputs;
}

Step lower_multicast(LowerContext& ctx) {
  struct Part {
    kernels::CastFn cast;
    std::int64_t count;
    std::size_t from_size, to_size;
  };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < ctx.num_inputs(); ++i) {
    const TensorType &from = ctx.input(i), &to = ctx.output(i);
    const auto cast = kernels::select_cast(element_type(from.dtype), element_type(to.dtype));
    if (cast == nullptr) {
      fail(ErrorCode::unsupported, "a cast from ", to_string(from.dtype), " to ", to_string(to.dtype),
           " is not supported");
    }
    parts.push_back({cast, from.shape.elements(), size_of(from.dtype), size_of(to.dtype)});
  }
  Step step{.kernel = "cast_each [ref]", .reason = concat(parts.size(), " casts to a common dtype")};
  step.run = [parts = std::move(parts)](const RunContext& run) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      parallel_for(part.count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
        part.cast(run.input<std::byte>(i) + static_cast<std::size_t>(begin) * part.from_size,
                  run.output<std::byte>(i) + static_cast<std::size_t>(begin) * part.to_size, end - begin);
      });
    }
  };
  return step;
}

}  // namespace

std::vector<OpDef> casts() {
  return {
      {.name = "Cast",
       .aliases = {"_npi_cast", "_npx_cast", "cast"},
       .summary = "The input as another dtype; floats become integers by truncation.",
       .attrs = {dtype_attr("dtype")},
       .traits = {.elementwise = Elementwise::same_shape},
       .infer = infer_cast,
       .lower = lower_cast_or_alias,
       .unify = unify_equal},
      {.name = "amp_cast",
       .summary = "A floating point input as another dtype; integers unchanged.",
       .attrs = {dtype_attr("dtype")},
       .traits = {.elementwise = Elementwise::same_shape},
       .infer = infer_amp_cast,
       .lower = lower_cast_or_alias,
       .unify = unify_equal},
      {.name = "amp_multicast",
       .summary =
           "Each floating point input as the widest dtype among them, or the narrowest with cast_narrow.",
       .attrs = {integer_attr("num_outputs").at_least(1), flag_attr("cast_narrow", false)},
       .inputs = counted_ports("num_outputs"),
       .outputs = counted_ports("num_outputs"),
       .infer = infer_multicast,
       .lower = lower_multicast},
  };
}

}  // namespace mxinfer::ops

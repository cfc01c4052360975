#include "ops/elementwise/elementwise.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/elementwise/bfloat16.h"
#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/cast.h"
#include "ops/common/broadcast.h"
#include "ops/common/copy_step.h"
#include "ops/common/post_op_inputs.h"
#include "ops/elementwise/converted_rows.h"
#include "ops/elementwise/element_function.h"

namespace mxinfer::ops {
namespace {

/// Elements that are passed through all stages before the next ones, so that they stay in the first cache.
constexpr std::int64_t kBlock = 2048;

[[noreturn]] void fail_dtype(std::string_view function, DType dtype) {
  fail(ErrorCode::unsupported, function, " of ", to_string(dtype),
       " elements is not supported; cast the input to float32");
}

kernels::UnaryKernel choose_unary(std::string_view function, DType dtype, kernels::Target target) {
  const kernels::UnaryKernel kernel = kernels::select_unary(function, element_type(dtype), target);
  if (kernel.run == nullptr) fail_dtype(function, dtype);
  return kernel;
}

/// out: the inputs' dtype, or boolean.
kernels::BinaryKernel choose_binary(std::string_view function, DType dtype, DType out,
                                    kernels::Target target) {
  kernels::BinaryKernel kernel;
  if (out == DType::boolean) kernel = kernels::comparison_ref(function, element_type(dtype));
  if (out == dtype && kernel.rows == nullptr)
    kernel = kernels::select_binary(function, element_type(dtype), target);
  if (kernel.rows == nullptr) fail_dtype(function, dtype);
  return kernel;
}

const std::byte* at(const std::byte* base, std::int64_t offset, std::size_t size) {
  return base + static_cast<std::size_t>(offset) * size;
}
std::byte* at(std::byte* base, std::int64_t offset, std::size_t size) {
  return base + static_cast<std::size_t>(offset) * size;
}

std::string_view reason_of(std::string_view variant, DType dtype, kernels::Target target) {
  if (variant != "ref") return "vector code for float32";
  if (target == kernels::Target::ref) return "the reference was requested";
  return dtype == DType::float32 ? "only the reference has this function"
                                 : "only the reference has this dtype";
}

struct ChosenCast {
  kernels::CastFn run;
  kernels::Target target;  ///< whose instructions it uses
};

/// bfloat16 has casts from and to float32 alone.
ChosenCast choose_cast(DType from, DType to, kernels::Target target) {
  const kernels::BFloat16Casts& casts = kernels::select_bfloat16_casts(target);
  if (from == DType::float32 && to == DType::bfloat16) return {casts.from_float32, target};
  if (from == DType::bfloat16 && to == DType::float32) return {casts.to_float32, target};
  return {kernels::select_cast(element_type(from), element_type(to)), kernels::Target::ref};
}

}  // namespace

std::string kernel_name(std::string_view family, std::string_view function, std::string_view variant,
                        DType dtype, kernels::Target target) {
  return labelled(concat(family, "_", function, "_", variant, "_", to_string(dtype)), target);
}

kernels::BinaryFn binary_loop(const kernels::BinaryKernel& kernel, bool lhs_advances, bool rhs_advances) {
  if (!lhs_advances) return kernel.scalar_rows;
  return rhs_advances ? kernel.rows : kernel.rows_scalar;
}

ElementFunction activation_function(const graph::PostOps& post_ops) {
  using graph::Activation;
  switch (post_ops.activation) {
    case Activation::relu:
      return unary_function("relu");
    case Activation::sigmoid:
      return unary_function("sigmoid");
    case Activation::tanh:
      return unary_function("tanh");
    case Activation::softrelu:
      return unary_function("softrelu");
    case Activation::softsign:
      return unary_function("softsign");
    case Activation::clip:
      return unary_function("clip", {post_ops.alpha, post_ops.beta});
    case Activation::leaky:
      return unary_function("leaky", {post_ops.alpha, 0});
    case Activation::elu:
      return unary_function("elu", {post_ops.alpha, 0});
    case Activation::gelu_erf:
      return unary_function("gelu");
    case Activation::swish:
      return unary_function("swish", {1, 0});
    default:
      break;
  }
  fail(ErrorCode::internal, "an activation that is not handled");
}

void allow_overwriting(LowerContext& ctx, std::size_t inputs) {
  for (std::size_t i = 0; i < inputs; ++i) {
    if (ctx.input(i) == ctx.output(0)) ctx.may_overwrite(0, i);
  }
}

UnaryStage activation_stage(const graph::PostOps& post_ops, DType dtype, kernels::Target target) {
  if (post_ops.activation == graph::Activation::none) return {};
  const ElementFunction function = activation_function(post_ops);
  return {choose_unary(function.name, dtype, target).run, function.params};
}

std::vector<TensorType> infer_same(const InferContext& ctx) {
  return {ctx.inputs[0]};
}

std::vector<TensorType> infer_same_float(const InferContext& ctx) {
  const DType dtype = ctx.dtype(0);
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16 &&
      dtype != DType::bfloat16) {
    fail(ErrorCode::unsupported, "input of ", to_string(dtype), ": expected a floating point dtype");
  }
  return {ctx.inputs[0]};
}

std::vector<TensorType> infer_same_bits(const InferContext& ctx) {
  if (!computes_integers(ctx.dtype(0)) && ctx.dtype(0) != DType::boolean) {
    fail(ErrorCode::unsupported, "input of ", to_string(ctx.dtype(0)), ": expected integers or booleans");
  }
  return {ctx.inputs[0]};
}

Step lower_unary(LowerContext& ctx, std::string_view function, kernels::UnaryParams params) {
  const DType dtype = ctx.output(0).dtype;
  if (dtype == DType::bfloat16) return lower_unary_bf16(ctx, function, params);
  const kernels::UnaryKernel kernel = choose_unary(function, dtype, ctx.target());
  const UnaryStage activation = activation_stage(ctx.post_ops(), dtype, ctx.target());
  allow_overwriting(ctx, 1);
  const std::int64_t count = ctx.output(0).shape.elements();
  const std::size_t size = size_of(dtype);

  Step step{.kernel = kernel_name("unary", function, kernel.variant, dtype, kernel.target)};
  step.reason = reason_of(kernel.variant, dtype, ctx.target());
  step.flops = static_cast<double>(count);
  step.run = [=, first = kernel.run](const RunContext& run) {
    const auto* src = run.input<std::byte>(0);
    auto* dst = run.output<std::byte>(0);
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      if (activation.run == nullptr) {
        first(at(src, begin, size), at(dst, begin, size), end - begin, params);
        return;
      }
      for (std::int64_t i = begin; i < end; i += kBlock) {
        const std::int64_t n = std::min(kBlock, end - i);
        first(at(src, i, size), at(dst, i, size), n, params);
        activation.run(at(dst, i, size), at(dst, i, size), n, activation.params);
      }
    });
  };
  return step;
}

Step lower_predicate(LowerContext& ctx, std::string_view function) {
  const DType in = ctx.input(0).dtype;
  const kernels::UnaryFn predicate = kernels::predicate_ref(function, element_type(in));
  if (predicate == nullptr) fail_dtype(function, in);
  allow_overwriting(ctx, 1);
  const std::int64_t count = ctx.output(0).shape.elements();
  const std::size_t size = size_of(in);
  Step step{.kernel = kernel_name("predicate", function, "ref", in, kernels::Target::ref)};
  step.reason = "into booleans";
  step.flops = static_cast<double>(count);
  step.run = [=](const RunContext& run) {
    const auto* src = run.input<std::byte>(0);
    auto* dst = run.output<std::byte>(0);
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      predicate(at(src, begin, size), at(dst, begin, 1), end - begin, {});
    });
  };
  return step;
}

Step lower_identity(LowerContext& ctx) {
  Step step = alias_step(ctx);
  step.reason = "the output is the input";
  return step;
}

Step lower_cast(LowerContext& ctx, std::size_t input, std::size_t output) {
  const DType from = ctx.input(input).dtype, to = ctx.output(output).dtype;
  const auto [cast, target] = choose_cast(from, to, ctx.target());
  if (cast == nullptr) {
    fail(ErrorCode::unsupported, "a cast from ", to_string(from), " to ", to_string(to), " is not supported");
  }
  const std::int64_t count = ctx.output(output).shape.elements();
  const std::size_t from_size = size_of(from), to_size = size_of(to);
  Step step{.kernel = labelled(concat("cast_", to_string(from), "_to_", to_string(to)), target),
            .reason = "one loop for each pair of dtypes"};
  step.run = [=, cast = cast](const RunContext& run) {
    const auto* src = run.input<std::byte>(input);
    auto* dst = run.output<std::byte>(output);
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      cast(at(src, begin, from_size), at(dst, begin, to_size), end - begin);
    });
  };
  return step;
}

Shape broadcast_shape(const Shape& lhs, const Shape& rhs) {
  const std::size_t rank = std::max(lhs.rank(), rhs.rank());
  Shape out;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t a = d + lhs.rank() < rank ? 1 : lhs[d + lhs.rank() - rank];
    const std::int64_t b = d + rhs.rank() < rank ? 1 : rhs[d + rhs.rank() - rank];
    if (a != b && a != 1 && b != 1) {
      fail(ErrorCode::invalid_argument, "shapes ", to_string(lhs), " and ", to_string(rhs),
           " do not broadcast: from the last dimension backwards, sizes must be equal or one of them 1");
    }
    out.push_back(a == 1 ? b : a);
  }
  return out;
}

Step lower_binary(LowerContext& ctx, std::string_view function) {
  return lower_binary(ctx, function, ctx.input(1).shape);
}

Step lower_binary(LowerContext& ctx, std::string_view function, const Shape& rhs) {
  const TensorType& out = ctx.output(0);
  const DType compute = out.dtype == DType::boolean ? ctx.input(0).dtype : out.dtype;
  if (compute == DType::bfloat16) return lower_binary_bf16(ctx, function);
  const kernels::BinaryKernel kernel = choose_binary(function, compute, out.dtype, ctx.target());
  const UnaryStage activation = activation_stage(ctx.post_ops(), out.dtype, ctx.target());
  const std::optional<std::size_t> residual = residual_input(ctx);
  const kernels::BinaryFn add =
      residual ? choose_binary("add", out.dtype, out.dtype, ctx.target()).rows : nullptr;
  // A residual is read behind what has been written.
  allow_overwriting(ctx, 2);
  const Broadcast<2> walk({&ctx.input(0).shape, &rhs}, out.shape);
  const ConvertedRows rows(kernel, {{ctx.input(0).dtype, ctx.input(1).dtype}, compute, out.dtype},
                           {walk.advances(0), walk.advances(1)});
  const std::int64_t count = out.shape.elements();
  const std::size_t size = size_of(out.dtype);

  Step step{.kernel = kernel_name("binary", function, kernel.variant, out.dtype, kernel.target)};
  step.reason = concat(reason_of(kernel.variant, out.dtype, ctx.target()), ", rows of ", walk.row_length(),
                       rows.converts() ? ", converted block by block" : "");
  step.flops = static_cast<double>(count);
  step.run = [=](const RunContext& run) {
    const auto* lhs = run.input<std::byte>(0);
    const auto* other = run.input<std::byte>(1);
    auto* dst = run.output<std::byte>(0);
    const auto block = [&](std::int64_t begin, std::int64_t end) {
      walk.rows(begin, end, [&](const std::array<std::int64_t, 2>& from, std::int64_t to, std::int64_t n) {
        rows.run({at(lhs, from[0], rows.size(0)), at(other, from[1], rows.size(1))}, at(dst, to, size), n);
      });
      if (add != nullptr) {
        add(at(dst, begin, size), at(run.input<std::byte>(*residual), begin, size), at(dst, begin, size),
            end - begin);
      }
      if (activation.run != nullptr) {
        activation.run(at(dst, begin, size), at(dst, begin, size), end - begin, activation.params);
      }
    };
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t length = activation.run != nullptr || add != nullptr ? kBlock : end - begin;
      for (std::int64_t i = begin; i < end; i += length) block(i, std::min(i + length, end));
    });
  };
  return step;
}

Step lower_binary_scalar(LowerContext& ctx, std::string_view function, double scalar, bool reversed) {
  const TensorType& out = ctx.output(0);
  const DType from = ctx.input(0).dtype;
  // MXNet divides a number by integers in float, and integers by a number in their own type.
  if (reversed && function == "div" && computes_integers(out.dtype)) function = "float_div";
  const kernels::BinaryKernel kernel = choose_binary(function, out.dtype, out.dtype, ctx.target());
  const UnaryStage activation = activation_stage(ctx.post_ops(), out.dtype, ctx.target());
  const kernels::BinaryFn loop = reversed ? kernel.scalar_rows : kernel.rows_scalar;
  // If the scalar makes the result wider than the input, the input is converted first, into the output.
  const kernels::CastFn cast =
      from == out.dtype ? nullptr : kernels::select_cast(element_type(from), element_type(out.dtype));
  if (from != out.dtype && cast == nullptr) fail_dtype(function, from);
  allow_overwriting(ctx, 1);
  const std::int64_t count = out.shape.elements();
  const std::size_t size = size_of(out.dtype), from_size = size_of(from);
  std::array<std::byte, 8> value{};
  kernels::select_cast(kernels::ElementType::float64, element_type(out.dtype))(&scalar, value.data(), 1);

  Step step{.kernel = kernel_name("binary", function, kernel.variant, out.dtype, kernel.target)};
  step.reason = concat(reason_of(kernel.variant, out.dtype, ctx.target()), ", with a scalar");
  step.flops = static_cast<double>(count);
  step.run = [=](const RunContext& run) {
    const auto* src = run.input<std::byte>(0);
    auto* dst = run.output<std::byte>(0);
    const auto block = [&](std::int64_t begin, std::int64_t n) {
      std::byte* to = at(dst, begin, size);
      const std::byte* values = at(src, begin, from_size);
      if (cast != nullptr) {
        cast(values, to, n);
        values = to;
      }
      if (reversed) {
        loop(value.data(), values, to, n);
      } else {
        loop(values, value.data(), to, n);
      }
      if (activation.run != nullptr) activation.run(to, to, n, activation.params);
    };
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t length = activation.run != nullptr || cast != nullptr ? kBlock : end - begin;
      for (std::int64_t i = begin; i < end; i += length) block(i, std::min(length, end - i));
    });
  };
  return step;
}

Step lower_comparison_scalar(LowerContext& ctx, std::string_view function, double scalar, DType compute) {
  const DType in = ctx.input(0).dtype;
  const kernels::BinaryKernel kernel = choose_binary(function, compute, DType::boolean, ctx.target());
  const ConvertedRows rows(kernel, {{in, compute}, compute, DType::boolean}, {true, false});
  const std::int64_t count = ctx.output(0).shape.elements();
  std::array<std::byte, 8> value{};
  kernels::select_cast(kernels::ElementType::float64, element_type(compute))(&scalar, value.data(), 1);
  Step step{.kernel = kernel_name("compare", function, kernel.variant, compute, kernel.target)};
  step.reason = "with a scalar, into booleans";
  step.flops = static_cast<double>(count);
  step.run = [=](const RunContext& run) {
    const auto* src = run.input<std::byte>(0);
    auto* dst = run.output<std::byte>(0);
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      rows.run({at(src, begin, rows.size(0)), value.data()}, at(dst, begin, 1), end - begin);
    });
  };
  return step;
}

}  // namespace mxinfer::ops

// lower_unary and lower_binary for bfloat16: blocks pass through float32.
#include "kernels/common/bfloat16.h"

#include <algorithm>

#include "kernels/elementwise/bfloat16.h"
#include "kernels/elementwise/binary.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

using kernels::BFloat16;

constexpr std::int64_t kBfloat16Block = 1024;

/// target: whose instructions the function uses.
Step named_step(LowerContext& ctx, std::string_view family, std::string_view function,
                kernels::Target target) {
  allow_overwriting(ctx, ctx.num_inputs());
  Step step{.kernel = kernel_name(family, function, "widened", DType::bfloat16, target)};
  step.reason = "blocks pass through float32";
  step.flops = static_cast<double>(ctx.output(0).shape.elements());
  return step;
}

}  // namespace

Step lower_unary_bf16(LowerContext& ctx, std::string_view function, kernels::UnaryParams params) {
  const auto kernel = kernels::select_unary(function, kernels::ElementType::float32, ctx.target());
  if (kernel.run == nullptr) fail(ErrorCode::unsupported, function, " of bfloat16 elements is not supported");
  Step step = named_step(ctx, "unary", function, kernel.target);
  step.run = [run = kernel.run, params, casts = kernels::select_bfloat16_casts(ctx.target()),
              activation = activation_stage(ctx.post_ops(), DType::float32, ctx.target()),
              count = ctx.output(0).shape.elements()](const RunContext& context) {
    const auto* src = context.input<BFloat16>(0);
    auto* dst = context.output<BFloat16>(0);
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      alignas(64) float block[kBfloat16Block];
      for (std::int64_t i = begin; i < end; i += kBfloat16Block) {
        const std::int64_t n = std::min(kBfloat16Block, end - i);
        casts.to_float32(src + i, block, n);
        run(block, block, n, params);
        if (activation.run != nullptr) activation.run(block, block, n, activation.params);
        casts.from_float32(block, dst + i, n);
      }
    });
  };
  return step;
}

Step lower_binary_bf16(LowerContext& ctx, std::string_view function) {
  const auto kernel = kernels::select_binary(function, kernels::ElementType::float32, ctx.target());
  if (kernel.rows == nullptr || !(ctx.input(0) == ctx.input(1)) || !(ctx.input(0) == ctx.output(0))) {
    fail(ErrorCode::unsupported, function, " of ", to_string(ctx.input(0)), " and ", to_string(ctx.input(1)),
         " is not supported: bfloat16 goes with bfloat16 of the same shape");
  }
  if (ctx.post_ops().residual) fail(ErrorCode::internal, "bfloat16 has no residual here");
  Step step = named_step(ctx, "binary", function, kernel.target);
  step.run = [rows = kernel.rows, casts = kernels::select_bfloat16_casts(ctx.target()),
              activation = activation_stage(ctx.post_ops(), DType::float32, ctx.target()),
              count = ctx.output(0).shape.elements()](const RunContext& context) {
    const auto* lhs = context.input<BFloat16>(0);
    const auto* rhs = context.input<BFloat16>(1);
    auto* dst = context.output<BFloat16>(0);
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      alignas(64) float block[kBfloat16Block], other[kBfloat16Block];
      for (std::int64_t i = begin; i < end; i += kBfloat16Block) {
        const std::int64_t n = std::min(kBfloat16Block, end - i);
        casts.to_float32(lhs + i, block, n);
        casts.to_float32(rhs + i, other, n);
        rows(block, other, block, n);
        if (activation.run != nullptr) activation.run(block, block, n, activation.params);
        casts.from_float32(block, dst + i, n);
      }
    });
  };
  return step;
}

}  // namespace mxinfer::ops

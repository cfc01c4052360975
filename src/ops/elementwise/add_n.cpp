// add_n: the sum of any number of tensors of one shape.
#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "base/threads/thread_arena.h"
#include "kernels/elementwise/binary.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_add_n(const InferContext& ctx) {
  for (std::size_t i = 1; i < ctx.count(); ++i) {
    if (!(ctx.inputs[i] == ctx.inputs[0])) {
      fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(ctx.inputs[i]), " and input 0 ",
           to_string(ctx.inputs[0]), ": expected the same");
    }
  }
  return {ctx.inputs[0]};
}

/// The inputs are added block by block into the output, which a block therefore enters the cache for once.
Step lower_add_n(LowerContext& ctx) {
  constexpr std::int64_t kBlock = 2048;
  const std::size_t inputs = ctx.num_inputs();
  const TensorType& out = ctx.output(0);
  if (inputs == 1 && ctx.post_ops().empty()) return lower_identity(ctx);
  const auto kernel = kernels::select_binary("add", element_type(out.dtype), ctx.target());
  if (kernel.rows == nullptr)
    fail(ErrorCode::unsupported, "add_n of ", to_string(out.dtype), " is not supported");
  const UnaryStage activation = activation_stage(ctx.post_ops(), out.dtype, ctx.target());
  // The first two only: a later input would be overwritten before it is read.
  for (std::size_t i = 0; i < std::min<std::size_t>(inputs, 2); ++i) ctx.may_overwrite(0, i);
  const std::int64_t count = out.shape.elements();
  const std::size_t size = size_of(out.dtype);

  Step step;
  step.kernel = kernel_name("add_n", "add", kernel.variant, out.dtype, kernel.target);
  step.reason = concat(inputs, " inputs, block by block");
  step.flops = static_cast<double>(count) * static_cast<double>(inputs - 1);
  step.run = [=](const RunContext& run) {
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; i += kBlock) {
        const std::int64_t n = std::min(kBlock, end - i);
        const std::size_t offset = static_cast<std::size_t>(i) * size;
        std::byte* dst = run.output<std::byte>(0) + offset;
        const std::byte* first = run.input<std::byte>(0) + offset;
        if (inputs == 1) std::memmove(dst, first, static_cast<std::size_t>(n) * size);
        for (std::size_t k = 1; k < inputs; ++k) {
          kernel.rows(k == 1 ? first : dst, run.input<std::byte>(k) + offset, dst, n);
        }
        if (activation.run != nullptr) activation.run(dst, dst, n, activation.params);
      }
    });
  };
  return step;
}

}  // namespace

std::vector<OpDef> add_n() {
  return {{
      .name = "add_n",
      .aliases = {"ElementWiseSum", "_sparse_ElementWiseSum", "_sparse_add_n"},
      .summary = "The element-wise sum of the inputs.",
      .attrs = {graph::integer_attr("num_args", 1).at_least(1)},
      .inputs =
          [](const Attrs&) {
            return PortNames{{}, false, "num_args"};
          },
      .traits = {.elementwise = Elementwise::same_shape},
      .fuses_activation = true,
      .infer = infer_add_n,
      .lower = lower_add_n,
      .unify = unify_equal,
  }};
}

}  // namespace mxinfer::ops

// where: an element of x or of y, as a condition says.
#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "base/threads/thread_arena.h"
#include "kernels/elementwise/select.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

/// One condition for each row of x, rather than for each element.
bool by_rows(const Shape& condition, const Shape& x) {
  return condition != x;
}

std::vector<TensorType> infer_where(const InferContext& ctx) {
  if (!(ctx.inputs[1] == ctx.inputs[2])) {
    fail(ErrorCode::invalid_argument, "x is ", to_string(ctx.inputs[1]), " and y ", to_string(ctx.inputs[2]),
         ": expected the same");
  }
  const Shape &condition = ctx.shape(0), &x = ctx.shape(1);
  if (condition != x && (condition.rank() != 1 || x.empty() || condition[0] != x[0])) {
    fail(ErrorCode::invalid_argument, "condition has the shape ", to_string(condition),
         ": expected that of x, ", to_string(x), ", or its first dimension alone");
  }
  return {ctx.inputs[1]};
}

// The condition is as large as x, or has its first size alone.
void unify_where(const Attrs& /*attrs*/, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShape &condition = inputs[0], &x = inputs[1], &y = inputs[2];
  unify(x, outputs[0]);
  unify(y, outputs[0]);
  unify(x, y);
  if (!condition || !x) return;
  if (condition->rank() == x->rank()) {
    unify(condition, x);
  } else if (condition->rank() == 1 && x->rank() > 0) {
    unify((*condition)[0], (*x)[0]);
  }
}

Step lower_where(LowerContext& ctx) {
  const TensorType& condition = ctx.input(0);
  const TensorType& out = ctx.output(0);
  const std::size_t size = size_of(out.dtype), condition_size = size_of(condition.dtype);
  const kernels::SelectFn select = kernels::select_where(element_type(condition.dtype), size);
  if (select == nullptr) {
    fail(ErrorCode::unsupported, "where with a condition of ", to_string(condition.dtype),
         " is not supported");
  }
  const kernels::SelectFn choose = kernels::select_where(element_type(condition.dtype), 1);
  const bool rows = by_rows(condition.shape, out.shape);
  const std::int64_t count = rows ? condition.shape.elements() : out.shape.elements();
  const std::size_t width =
      rows && count > 0 ? static_cast<std::size_t>(out.shape.elements() / count) * size : size;
  ctx.may_overwrite(0, 1);
  ctx.may_overwrite(0, 2);

  Step step;
  step.kernel = kernel_name("where", rows ? "rows" : "elements", "ref", out.dtype, kernels::Target::ref);
  step.reason = "one loop for every dtype";
  step.run = [=](const RunContext& run) {
    const auto* c = run.input<std::byte>(0);
    const auto* x = run.input<std::byte>(1);
    const auto* y = run.input<std::byte>(2);
    auto* dst = run.output<std::byte>(0);
    const auto grain =
        std::max<std::int64_t>(1, kElementGrain * static_cast<std::int64_t>(size) /
                                      std::max<std::int64_t>(1, static_cast<std::int64_t>(width)));
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
      if (!rows) {
        const std::size_t at = static_cast<std::size_t>(begin) * size;
        select(c + static_cast<std::size_t>(begin) * condition_size, x + at, y + at, dst + at, end - begin);
        return;
      }
      for (std::int64_t r = begin; r < end; ++r) {
        std::uint8_t chosen = 0;
        constexpr std::uint8_t kX = 1, kY = 0;
        choose(c + static_cast<std::size_t>(r) * condition_size, &kX, &kY, &chosen, 1);
        const std::size_t at = static_cast<std::size_t>(r) * width;
        std::memmove(dst + at, (chosen != 0 ? x : y) + at, width);
      }
    });
  };
  return step;
}

}  // namespace

std::vector<OpDef> where() {
  return {{
      .name = "where",
      .aliases = {"_sparse_where"},
      .summary = "x where condition is not 0, otherwise y; a one-dimensional condition chooses whole rows.",
      .inputs =
          [](const Attrs&) {
            return PortNames{{"condition", "x", "y"}};
          },
      .infer = infer_where,
      .lower = lower_where,
      .unify = unify_where,
  }};
}

}  // namespace mxinfer::ops

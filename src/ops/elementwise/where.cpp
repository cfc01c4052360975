// where: an element of x or of y, as a condition says. NumPy's forms broadcast; x or y may be a number.
#include "ops/elementwise/where.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/common/bfloat16.h"
#include "kernels/elementwise/cast.h"
#include "kernels/elementwise/select.h"
#include "ops/common/broadcast.h"
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

  Step step{
      .kernel = kernel_name("where", rows ? "rows" : "elements", "ref", out.dtype, kernels::Target::ref),
      .reason = "one loop for every dtype"};
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

/// Where a choice is while the loop runs.
struct ChoicePlace {
  bool is_number = false;
  std::size_t input = 0;
  std::array<std::byte, 8> number{};  ///< as an element of the output

  const std::byte* base(const RunContext& run) const {
    return is_number ? number.data() : run.input<std::byte>(input);
  }
};

ChoicePlace place_of(const WhereChoice& choice, DType dtype) {
  ChoicePlace place{choice.number.has_value(), choice.input};
  if (!choice.number) return place;
  if (dtype == DType::bfloat16) {
    const kernels::BFloat16 number(static_cast<float>(*choice.number));
    std::memcpy(place.number.data(), &number, sizeof(number));
    return place;
  }
  const auto cast = kernels::select_cast(kernels::ElementType::float64, element_type(dtype));
  if (cast == nullptr)
    fail(ErrorCode::unsupported, "where with a number and elements of ", to_string(dtype),
         " is not supported");
  cast(&*choice.number, place.number.data(), 1);
  return place;
}

Step lower_numpy_where(LowerContext& ctx) {
  const TensorType& out = ctx.output(0);
  const DType condition = ctx.input(0).dtype;
  const std::size_t size = size_of(out.dtype), condition_size = size_of(condition);
  const auto select = kernels::select_where(element_type(condition), size);
  const auto stepped = kernels::select_where_stepped(element_type(condition), size);
  if (select == nullptr) {
    fail(ErrorCode::unsupported, "where with a condition of ", to_string(condition), " and elements of ",
         to_string(out.dtype), " is not supported");
  }
  const WhereChoices choices = where_choices(ctx.node());
  const ChoicePlace x = place_of(choices.x, out.dtype), y = place_of(choices.y, out.dtype);
  const Shape one;
  const Broadcast<3> walk({&ctx.input(0).shape, x.is_number ? &one : &ctx.input(x.input).shape,
                           y.is_number ? &one : &ctx.input(y.input).shape},
                          out.shape);
  const std::array<std::int64_t, 3> steps{walk.advances(0), walk.advances(1), walk.advances(2)};
  allow_overwriting(ctx, ctx.num_inputs());

  Step step{.kernel = kernel_name("where", "broadcast", "ref", out.dtype, kernels::Target::ref)};
  step.reason = concat("rows of ", walk.row_length());
  step.flops = static_cast<double>(out.shape.elements());
  step.run = [=, count = out.shape.elements()](const RunContext& run) {
    const auto* c = run.input<std::byte>(0);
    const std::byte *from_x = x.base(run), *from_y = y.base(run);
    auto* dst = run.output<std::byte>(0);
    const auto piece = [&](const std::array<std::int64_t, 3>& at, std::int64_t to, std::int64_t n) {
      const std::byte* const a = c + static_cast<std::size_t>(at[0]) * condition_size;
      const std::byte* const b = from_x + static_cast<std::size_t>(at[1]) * size;
      const std::byte* const d = from_y + static_cast<std::size_t>(at[2]) * size;
      std::byte* const out_at = dst + static_cast<std::size_t>(to) * size;
      if (steps[0] + steps[1] + steps[2] == 3) {
        select(a, b, d, out_at, n);
      } else {
        stepped(a, b, d, out_at, n, steps[0], steps[1], steps[2]);
      }
    };
    parallel_for(count, kElementGrain,
                 [&](std::int64_t begin, std::int64_t end) { walk.rows(begin, end, piece); });
  };
  return step;
}

std::vector<TensorType> infer_numpy_where(const InferContext& ctx) {
  if (ctx.dtype(1) != ctx.dtype(2)) {
    fail(ErrorCode::invalid_argument, "x is ", to_string(ctx.dtype(1)), " and y ", to_string(ctx.dtype(2)),
         ": expected the same dtype");
  }
  const Shape both = broadcast_shape(ctx.shape(1), ctx.shape(2));
  return {{ctx.dtype(1), broadcast_shape(ctx.shape(0), both)}};
}

std::vector<TensorType> infer_where_scalar(const InferContext& ctx) {
  return {{ctx.dtype(1), broadcast_shape(ctx.shape(0), ctx.shape(1))}};
}

std::vector<TensorType> infer_where_scalars(const InferContext& ctx) {
  return {{DType::float32, ctx.shape(0)}};
}

// x and y together, then with the condition.
void unify_numpy_where(const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  PartialShapes values{inputs[1], inputs[2]}, both{std::nullopt};
  unify_broadcast(attrs, values, both);
  PartialShapes all{inputs[0], both[0]};
  unify_broadcast(attrs, all, outputs);
  inputs = {all[0], values[0], values[1]};
}

OpDef numpy_where(std::string name, std::string summary, std::vector<std::string> inputs) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .inputs = named_ports(std::move(inputs)),
          .lower = lower_numpy_where};
}

}  // namespace

WhereChoices where_choices(const graph::Node& node) {
  const std::string& op = node.op->name;
  const Attrs& attrs = node.attrs;
  if (op == "_npi_where_lscalar") return {{0, attrs.number("scalar")}, {1}};
  if (op == "_npi_where_rscalar") return {{1}, {0, attrs.number("scalar")}};
  if (op == "_npi_where_scalar2") return {{0, attrs.number("x")}, {0, attrs.number("y")}};
  return {{1}, {2}};
}

std::vector<OpDef> where_ops() {
  OpDef tensors = numpy_where("_npi_where", "x where condition is not 0, otherwise y, with broadcasting.",
                              {"condition", "x", "y"});
  tensors.infer = infer_numpy_where;
  tensors.unify = unify_numpy_where;
  OpDef left =
      numpy_where("_npi_where_lscalar", "scalar where condition is not 0, otherwise x, with broadcasting.",
                  {"condition", "x"});
  left.attrs = {number_attr("scalar", 0)};
  left.infer = infer_where_scalar;
  left.unify = unify_broadcast;
  OpDef right = left;
  right.name = "_npi_where_rscalar";
  right.summary = "y where condition is not 0, otherwise scalar, with broadcasting.";
  right.inputs = named_ports({"condition", "y"});
  OpDef numbers = numpy_where("_npi_where_scalar2", "x where condition is not 0, otherwise y, as float32.",
                              {"condition"});
  numbers.attrs = {number_attr("x", 0), number_attr("y", 0)};
  numbers.traits.keeps_shape = true;
  numbers.infer = infer_where_scalars;
  numbers.unify = unify_equal;
  return {
      {.name = "where",
       .aliases = {"_sparse_where"},
       .summary = "x where condition is not 0, otherwise y; a one-dimensional condition chooses whole rows.",
       .inputs = named_ports({"condition", "x", "y"}),
       .infer = infer_where,
       .lower = lower_where,
       .unify = unify_where},
      std::move(tensors),
      std::move(left),
      std::move(right),
      std::move(numbers),
  };
}

}  // namespace mxinfer::ops

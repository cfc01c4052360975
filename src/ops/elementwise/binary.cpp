// Functions of several tensors: the broadcast_ operators, and the older ones for equal shapes, an entry each.
// add_n: the sum of any number of tensors of one shape. where: an element of x or of y, as a condition says.
#include "kernels/elementwise/binary.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "kernels/elementwise/select.h"
#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

struct BinaryEntry {
  const char* name;
  std::initializer_list<const char*> aliases;
  const char* function;  ///< of kernels/elementwise/binary.h
  const char* formula;
};

/// Of equal shapes.
const BinaryEntry kEqualEntries[] = {
    {"elemwise_add", {"_Plus", "_add", "_plus", "_sparse_elemwise_add"}, "add", "lhs + rhs"},
    {"_grad_add", {}, "add", "lhs + rhs"},
    {"elemwise_sub", {"_Minus", "_minus", "_sparse_elemwise_sub", "_sub"}, "sub", "lhs - rhs"},
    {"elemwise_mul", {"_Mul", "_mul", "_sparse_elemwise_mul"}, "mul", "lhs * rhs"},
    {"elemwise_div", {"_Div", "_div", "_sparse_elemwise_div"}, "div", "lhs / rhs"},
    {"_scatter_elemwise_div", {}, "div", "lhs / rhs"},
    {"_mod", {"_Mod"}, "mod", "lhs mod rhs, with the sign of rhs; 0 for rhs = 0"},
    {"_power", {"_Power"}, "power", "lhs to the power rhs"},
    {"_maximum", {"_Maximum"}, "maximum", "max(lhs, rhs)"},
    {"_minimum", {"_Minimum"}, "minimum", "min(lhs, rhs)"},
    {"_hypot", {"_Hypot"}, "hypot", "sqrt(lhs^2 + rhs^2)"},
    {"_equal", {"_Equal"}, "equal", "1 where lhs = rhs, otherwise 0"},
    {"_not_equal", {"_Not_Equal"}, "not_equal", "0 where lhs = rhs, otherwise 1"},
    {"_greater", {"_Greater"}, "greater", "1 where lhs > rhs, otherwise 0"},
    {"_greater_equal", {"_Greater_Equal"}, "greater_equal", "1 where lhs >= rhs, otherwise 0"},
    {"_lesser", {"_Lesser"}, "lesser", "1 where lhs < rhs, otherwise 0"},
    {"_lesser_equal", {"_Lesser_Equal"}, "lesser_equal", "1 where lhs <= rhs, otherwise 0"},
    {"_logical_and", {"_Logical_And"}, "logical_and", "1 where neither is 0, otherwise 0"},
    {"_logical_or", {"_Logical_Or"}, "logical_or", "0 where both are 0, otherwise 1"},
    {"_logical_xor", {"_Logical_Xor"}, "logical_xor", "1 where exactly one is 0, otherwise 0"},
};

const BinaryEntry kBroadcastEntries[] = {
    {"broadcast_add",
     {"_sparse_broadcast_add", "_sparse_broadcast_plus", "broadcast_plus"},
     "add",
     "lhs + rhs"},
    {"broadcast_sub",
     {"_sparse_broadcast_minus", "_sparse_broadcast_sub", "broadcast_minus"},
     "sub",
     "lhs - rhs"},
    {"broadcast_mul", {"_sparse_broadcast_mul"}, "mul", "lhs * rhs"},
    {"broadcast_div", {"_sparse_broadcast_div"}, "div", "lhs / rhs"},
    {"broadcast_mod", {}, "mod", "lhs mod rhs, with the sign of rhs; 0 for rhs = 0"},
    {"broadcast_power", {}, "power", "lhs to the power rhs"},
    {"broadcast_maximum", {"_npi_maximum"}, "maximum", "max(lhs, rhs)"},
    {"broadcast_minimum", {"_npi_minimum"}, "minimum", "min(lhs, rhs)"},
    {"broadcast_hypot", {}, "hypot", "sqrt(lhs^2 + rhs^2)"},
    {"broadcast_equal", {}, "equal", "1 where lhs = rhs, otherwise 0"},
    {"broadcast_not_equal", {}, "not_equal", "0 where lhs = rhs, otherwise 1"},
    {"broadcast_greater", {}, "greater", "1 where lhs > rhs, otherwise 0"},
    {"broadcast_greater_equal", {}, "greater_equal", "1 where lhs >= rhs, otherwise 0"},
    {"broadcast_lesser", {}, "lesser", "1 where lhs < rhs, otherwise 0"},
    {"broadcast_lesser_equal", {}, "lesser_equal", "1 where lhs <= rhs, otherwise 0"},
    {"broadcast_logical_and", {}, "logical_and", "1 where neither is 0, otherwise 0"},
    {"broadcast_logical_or", {}, "logical_or", "0 where both are 0, otherwise 1"},
    {"broadcast_logical_xor", {}, "logical_xor", "1 where exactly one is 0, otherwise 0"},

    {"_npi_add", {}, "add", "lhs + rhs"},
    {"_npi_subtract", {}, "sub", "lhs - rhs"},
    {"_npi_multiply", {}, "mul", "lhs * rhs"},
    {"_npi_mod", {}, "mod", "lhs mod rhs, with the sign of rhs; 0 for rhs = 0"},
    {"_npi_power", {}, "power", "lhs to the power rhs"},
};

/// Operators of floating point alone, with NumPy's names.
const BinaryEntry kFloatEntries[] = {
    {"_npi_true_divide", {}, "div", "lhs / rhs"},
    {"_npi_hypot", {}, "hypot", "sqrt(x1^2 + x2^2)"},
    {"_npi_arctan2", {}, "arctan2", "the angle of the point (x2, x1)"},
};

/// NumPy's comparisons: their results are booleans.
const BinaryEntry kBinaryBooleanEntries[] = {
    {"_npi_equal", {}, "equal", "lhs = rhs"},     {"_npi_not_equal", {}, "not_equal", "lhs != rhs"},
    {"_npi_greater", {}, "greater", "lhs > rhs"}, {"_npi_greater_equal", {}, "greater_equal", "lhs >= rhs"},
    {"_npi_less", {}, "lesser", "lhs < rhs"},     {"_npi_less_equal", {}, "lesser_equal", "lhs <= rhs"},
};

void require_same_dtype(const InferContext& ctx) {
  if (ctx.dtype(0) != ctx.dtype(1)) {
    fail(ErrorCode::invalid_argument, "lhs is ", to_string(ctx.dtype(0)), " and rhs ",
         to_string(ctx.dtype(1)), ": expected the same dtype");
  }
}

/// A residual that a pass has fused has the shape of the output.
std::vector<TensorType> with_residual(const InferContext& ctx, TensorType out) {
  if (ctx.count() > 2 && !(ctx.inputs[2] == out)) {
    fail(ErrorCode::invalid_argument, "what is added is ", to_string(ctx.inputs[2]), "; ", to_string(out),
         " is expected");
  }
  return {out};
}

std::vector<TensorType> infer_equal(const InferContext& ctx) {
  require_same_dtype(ctx);
  if (ctx.shape(0) != ctx.shape(1)) {
    fail(ErrorCode::invalid_argument, "lhs has the shape ", to_string(ctx.shape(0)), " and rhs ",
         to_string(ctx.shape(1)), ": expected the same shape");
  }
  return with_residual(ctx, ctx.inputs[0]);
}

std::vector<TensorType> infer_broadcast(const InferContext& ctx) {
  require_same_dtype(ctx);
  return with_residual(ctx, {ctx.dtype(0), broadcast_shape(ctx.shape(0), ctx.shape(1))});
}

std::vector<TensorType> infer_float(const InferContext& ctx) {
  infer_same_float(ctx);
  return infer_broadcast(ctx);
}

std::vector<TensorType> infer_binary_boolean(const InferContext& ctx) {
  TensorType type = infer_broadcast(ctx)[0];
  type.dtype = DType::boolean;
  return {type};
}

void unify_inputs_that_broadcast(const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  unify_broadcast(attrs, inputs, outputs);
  if (inputs.size() > 2) unify(inputs[2], outputs[0]);
}

OpDef make_binary(const BinaryEntry& entry, bool equal = false) {
  OpDef op;
  op.name = entry.name;
  op.aliases.assign(entry.aliases.begin(), entry.aliases.end());
  op.summary = std::string(entry.formula) + (equal ? ", element-wise." : ", element-wise with broadcasting.");
  op.inputs = named_ports({"lhs", "rhs"});
  op.traits.elementwise = equal ? Elementwise::same_shape : Elementwise::broadcast;
  const bool adds_or_multiplies = op.name == "elemwise_add" || op.name == "elemwise_mul";
  op.traits.follows_bfloat16 = adds_or_multiplies ? always_follows : nullptr;
  op.fuses_activation = true;
  op.fuses_residual = std::string_view(entry.function) == "mul";
  op.infer = equal ? infer_equal : infer_broadcast;
  op.unify = equal ? unify_equal : unify_inputs_that_broadcast;
  op.lower = lower_element_function;
  return op;
}

void add_binary(const BinaryEntry& entry, ElementFunctions& functions) {
  functions[entry.name] = [name = entry.function](const Attrs&) {
    return ElementFunction{ElementFunction::Kind::binary, name};
  };
}

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

  Step step{.kernel = kernel_name("add_n", "add", kernel.variant, out.dtype, kernel.target)};
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

}  // namespace

// Not those whose results are booleans.
void add_binary_functions(ElementFunctions& functions) {
  for (const BinaryEntry& entry : kEqualEntries) add_binary(entry, functions);
  for (const BinaryEntry& entry : kBroadcastEntries) add_binary(entry, functions);
  for (const BinaryEntry& entry : kFloatEntries) add_binary(entry, functions);
}

std::vector<OpDef> binary_ops() {
  std::vector<OpDef> ops;
  for (const BinaryEntry& entry : kEqualEntries) ops.push_back(make_binary(entry, true));
  for (const BinaryEntry& entry : kBroadcastEntries) ops.push_back(make_binary(entry));
  for (const BinaryEntry& entry : kFloatEntries) {
    OpDef op = make_binary(entry);
    op.infer = infer_float;
    ops.push_back(std::move(op));
  }
  for (const BinaryEntry& entry : kBinaryBooleanEntries) {
    OpDef op = make_binary(entry);
    op.infer = infer_binary_boolean;
    op.fuses_activation = false;
    op.lower = [function = entry.function](LowerContext& ctx) { return lower_binary(ctx, function); };
    ops.push_back(std::move(op));
  }
  ops.push_back({.name = "add_n",
                 .aliases = {"ElementWiseSum", "_sparse_ElementWiseSum", "_sparse_add_n"},
                 .summary = "The element-wise sum of the inputs.",
                 .attrs = {integer_attr("num_args", 1).at_least(1)},
                 .inputs = counted_ports("num_args"),
                 .traits = {.elementwise = Elementwise::same_shape},
                 .fuses_activation = true,
                 .infer = infer_add_n,
                 .lower = lower_add_n,
                 .unify = unify_equal});
  ops.push_back(
      {.name = "where",
       .aliases = {"_sparse_where"},
       .summary = "x where condition is not 0, otherwise y; a one-dimensional condition chooses whole rows.",
       .inputs = named_ports({"condition", "x", "y"}),
       .infer = infer_where,
       .lower = lower_where,
       .unify = unify_where});
  return ops;
}

}  // namespace mxinfer::ops

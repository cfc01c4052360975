// Functions of several tensors: the broadcast_ operators, and the older ones for equal shapes, an entry each.
// add_n: the sum of any number of tensors of one shape.
#include "kernels/elementwise/binary.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/promotion.h"

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

    {"_npi_copysign", {}, "copysign", "|x1| with the sign of x2"},
    {"_npi_ldexp", {}, "ldexp", "x1 * 2^x2"},
};

/// Of integers, and of booleans if the kernel has them.
const BinaryEntry kBitEntries[] = {
    {"_npi_lcm", {}, "lcm", "the least common multiple of two integers"},
    {"_npi_bitwise_and", {}, "bitwise_and", "the bits that both have"},
    {"_npi_bitwise_or", {}, "bitwise_or", "the bits that one of them has"},
    {"_npi_bitwise_xor", {}, "bitwise_xor", "the bits that exactly one has"},
};

/// NumPy's arithmetic, whose inputs may have different dtypes (promotion.h).
const BinaryEntry kMixedEntries[] = {
    {"_npi_add", {}, "add", "lhs + rhs"},
    {"_npi_subtract", {}, "sub", "lhs - rhs"},
    {"_npi_multiply", {}, "mul", "lhs * rhs"},
    {"_npi_mod", {}, "mod", "lhs mod rhs, with the sign of rhs; 0 for rhs = 0"},
    {"_npi_power", {}, "power", "lhs to the power rhs"},
    {"_npi_true_divide", {}, "div", "lhs / rhs"},
};

/// Operators of floating point alone, with NumPy's names.
const BinaryEntry kFloatEntries[] = {
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

std::vector<TensorType> infer_bits(const InferContext& ctx) {
  infer_same_bits(ctx);
  return infer_broadcast(ctx);
}

std::vector<TensorType> infer_mixed(const InferContext& ctx, MixedDType dtype_of_result) {
  const auto dtype = dtype_of_result(ctx.dtype(0), ctx.dtype(1));
  if (!dtype) {
    fail(ErrorCode::invalid_argument, "lhs is ", to_string(ctx.dtype(0)), " and rhs ",
         to_string(ctx.dtype(1)), ": MXNet does not compute with these two dtypes");
  }
  return with_residual(ctx, {*dtype, broadcast_shape(ctx.shape(0), ctx.shape(1))});
}

std::vector<TensorType> infer_promoting(const InferContext& ctx) {
  return infer_mixed(ctx, promoted_dtype);
}
std::vector<TensorType> infer_quotient(const InferContext& ctx) {
  return infer_mixed(ctx, quotient_dtype);
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

OpDef inferred_by(InferFn infer, OpDef op) {
  op.infer = std::move(infer);
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

}  // namespace

// Not those whose results are booleans.
void add_binary_functions(ElementFunctions& functions) {
  for (const BinaryEntry& entry : kEqualEntries) add_binary(entry, functions);
  for (const BinaryEntry& entry : kBroadcastEntries) add_binary(entry, functions);
  for (const BinaryEntry& entry : kBitEntries) add_binary(entry, functions);
  for (const BinaryEntry& entry : kMixedEntries) add_binary(entry, functions);
  for (const BinaryEntry& entry : kFloatEntries) add_binary(entry, functions);
}

std::vector<OpDef> binary_ops() {
  std::vector<OpDef> ops;
  for (const BinaryEntry& entry : kEqualEntries) ops.push_back(make_binary(entry, true));
  for (const BinaryEntry& entry : kBroadcastEntries) ops.push_back(make_binary(entry));
  for (const BinaryEntry& entry : kMixedEntries) {
    const bool divides = std::string_view(entry.function) == "div";
    ops.push_back(inferred_by(divides ? infer_quotient : infer_promoting, make_binary(entry)));
  }
  for (const BinaryEntry& entry : kFloatEntries) ops.push_back(inferred_by(infer_float, make_binary(entry)));
  for (const BinaryEntry& entry : kBitEntries) ops.push_back(inferred_by(infer_bits, make_binary(entry)));
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
  return ops;
}

}  // namespace mxinfer::ops

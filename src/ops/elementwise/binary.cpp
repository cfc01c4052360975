// Functions of two tensors: the broadcast_ operators, and the older ones for equal shapes, an entry each.
#include <initializer_list>
#include <string_view>

#include "base/fail.h"
#include "ops/common/unify_sizes.h"
#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

enum class Shapes { equal, broadcast };

struct BinaryEntry {
  const char* name;
  std::initializer_list<const char*> aliases;
  Shapes shapes;
  const char* function;  ///< of kernels/elementwise/binary.h
  const char* formula;
};

const BinaryEntry kBinaryEntries[] = {
    {"elemwise_add", {"_Plus", "_add", "_plus", "_sparse_elemwise_add"}, Shapes::equal, "add", "lhs + rhs"},
    {"_grad_add", {}, Shapes::equal, "add", "lhs + rhs"},
    {"elemwise_sub", {"_Minus", "_minus", "_sparse_elemwise_sub", "_sub"}, Shapes::equal, "sub", "lhs - rhs"},
    {"elemwise_mul", {"_Mul", "_mul", "_sparse_elemwise_mul"}, Shapes::equal, "mul", "lhs * rhs"},
    {"elemwise_div", {"_Div", "_div", "_sparse_elemwise_div"}, Shapes::equal, "div", "lhs / rhs"},
    {"_scatter_elemwise_div", {}, Shapes::equal, "div", "lhs / rhs"},
    {"_mod", {"_Mod"}, Shapes::equal, "mod", "lhs mod rhs, with the sign of rhs; 0 for rhs = 0"},
    {"_power", {"_Power"}, Shapes::equal, "power", "lhs to the power rhs"},
    {"_maximum", {"_Maximum"}, Shapes::equal, "maximum", "max(lhs, rhs)"},
    {"_minimum", {"_Minimum"}, Shapes::equal, "minimum", "min(lhs, rhs)"},
    {"_hypot", {"_Hypot"}, Shapes::equal, "hypot", "sqrt(lhs^2 + rhs^2)"},
    {"_equal", {"_Equal"}, Shapes::equal, "equal", "1 where lhs = rhs, otherwise 0"},
    {"_not_equal", {"_Not_Equal"}, Shapes::equal, "not_equal", "0 where lhs = rhs, otherwise 1"},
    {"_greater", {"_Greater"}, Shapes::equal, "greater", "1 where lhs > rhs, otherwise 0"},
    {"_greater_equal", {"_Greater_Equal"}, Shapes::equal, "greater_equal", "1 where lhs >= rhs, otherwise 0"},
    {"_lesser", {"_Lesser"}, Shapes::equal, "lesser", "1 where lhs < rhs, otherwise 0"},
    {"_lesser_equal", {"_Lesser_Equal"}, Shapes::equal, "lesser_equal", "1 where lhs <= rhs, otherwise 0"},
    {"_logical_and", {"_Logical_And"}, Shapes::equal, "logical_and", "1 where neither is 0, otherwise 0"},
    {"_logical_or", {"_Logical_Or"}, Shapes::equal, "logical_or", "0 where both are 0, otherwise 1"},
    {"_logical_xor", {"_Logical_Xor"}, Shapes::equal, "logical_xor", "1 where exactly one is 0, otherwise 0"},

    {"broadcast_add",
     {"_sparse_broadcast_add", "_sparse_broadcast_plus", "broadcast_plus"},
     Shapes::broadcast,
     "add",
     "lhs + rhs"},
    {"broadcast_sub",
     {"_sparse_broadcast_minus", "_sparse_broadcast_sub", "broadcast_minus"},
     Shapes::broadcast,
     "sub",
     "lhs - rhs"},
    {"broadcast_mul", {"_sparse_broadcast_mul"}, Shapes::broadcast, "mul", "lhs * rhs"},
    {"broadcast_div", {"_sparse_broadcast_div"}, Shapes::broadcast, "div", "lhs / rhs"},
    {"broadcast_mod", {}, Shapes::broadcast, "mod", "lhs mod rhs, with the sign of rhs; 0 for rhs = 0"},
    {"broadcast_power", {}, Shapes::broadcast, "power", "lhs to the power rhs"},
    {"broadcast_maximum", {"_npi_maximum"}, Shapes::broadcast, "maximum", "max(lhs, rhs)"},
    {"broadcast_minimum", {"_npi_minimum"}, Shapes::broadcast, "minimum", "min(lhs, rhs)"},
    {"broadcast_hypot", {}, Shapes::broadcast, "hypot", "sqrt(lhs^2 + rhs^2)"},
    {"broadcast_equal", {}, Shapes::broadcast, "equal", "1 where lhs = rhs, otherwise 0"},
    {"broadcast_not_equal", {}, Shapes::broadcast, "not_equal", "0 where lhs = rhs, otherwise 1"},
    {"broadcast_greater", {}, Shapes::broadcast, "greater", "1 where lhs > rhs, otherwise 0"},
    {"broadcast_greater_equal", {}, Shapes::broadcast, "greater_equal", "1 where lhs >= rhs, otherwise 0"},
    {"broadcast_lesser", {}, Shapes::broadcast, "lesser", "1 where lhs < rhs, otherwise 0"},
    {"broadcast_lesser_equal", {}, Shapes::broadcast, "lesser_equal", "1 where lhs <= rhs, otherwise 0"},
    {"broadcast_logical_and", {}, Shapes::broadcast, "logical_and", "1 where neither is 0, otherwise 0"},
    {"broadcast_logical_or", {}, Shapes::broadcast, "logical_or", "0 where both are 0, otherwise 1"},
    {"broadcast_logical_xor", {}, Shapes::broadcast, "logical_xor", "1 where exactly one is 0, otherwise 0"},

    {"_npi_add", {}, Shapes::broadcast, "add", "lhs + rhs"},
    {"_npi_subtract", {}, Shapes::broadcast, "sub", "lhs - rhs"},
    {"_npi_multiply", {}, Shapes::broadcast, "mul", "lhs * rhs"},
    {"_npi_mod", {}, Shapes::broadcast, "mod", "lhs mod rhs, with the sign of rhs; 0 for rhs = 0"},
    {"_npi_power", {}, Shapes::broadcast, "power", "lhs to the power rhs"},
};

/// Operators of floating point alone, with NumPy's names.
const BinaryEntry kFloatEntries[] = {
    {"_npi_true_divide", {}, Shapes::broadcast, "div", "lhs / rhs"},
    {"_npi_hypot", {}, Shapes::broadcast, "hypot", "sqrt(x1^2 + x2^2)"},
    {"_npi_arctan2", {}, Shapes::broadcast, "arctan2", "the angle of the point (x2, x1)"},
};

/// NumPy's comparisons: their results are booleans.
const BinaryEntry kBinaryBooleanEntries[] = {
    {"_npi_equal", {}, Shapes::broadcast, "equal", "lhs = rhs"},
    {"_npi_not_equal", {}, Shapes::broadcast, "not_equal", "lhs != rhs"},
    {"_npi_greater", {}, Shapes::broadcast, "greater", "lhs > rhs"},
    {"_npi_greater_equal", {}, Shapes::broadcast, "greater_equal", "lhs >= rhs"},
    {"_npi_less", {}, Shapes::broadcast, "lesser", "lhs < rhs"},
    {"_npi_less_equal", {}, Shapes::broadcast, "lesser_equal", "lhs <= rhs"},
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

OpDef make_binary(const BinaryEntry& entry) {
  const bool equal = entry.shapes == Shapes::equal;
  OpDef op;
  op.name = entry.name;
  op.aliases.assign(entry.aliases.begin(), entry.aliases.end());
  op.summary = std::string(entry.formula) + (equal ? ", element-wise." : ", element-wise with broadcasting.");
  op.inputs = [](const Attrs&) { return PortNames{{"lhs", "rhs"}}; };
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

}  // namespace

// Not those whose results are booleans.
void add_binary_functions(ElementFunctions& functions) {
  for (const BinaryEntry& entry : kBinaryEntries) add_binary(entry, functions);
  for (const BinaryEntry& entry : kFloatEntries) add_binary(entry, functions);
}

std::vector<OpDef> binary_ops() {
  std::vector<OpDef> ops;
  for (const BinaryEntry& entry : kBinaryEntries) ops.push_back(make_binary(entry));
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
  return ops;
}

}  // namespace mxinfer::ops

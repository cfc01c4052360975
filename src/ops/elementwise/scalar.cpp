// Functions of a tensor and a number: an entry each.
#include <cmath>
#include <initializer_list>

#include "base/fail.h"
#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

struct ScalarEntry {
  const char* name;
  std::initializer_list<const char*> aliases;
  const char* function;  ///< of kernels/elementwise/binary.h
  bool reversed;         ///< the scalar is the left operand
  const char* formula;
};

const ScalarEntry kScalarEntries[] = {
    {"_plus_scalar", {"_PlusScalar"}, "add", false, "x + scalar"},
    {"_scatter_plus_scalar", {}, "add", false, "x + scalar"},
    {"_minus_scalar", {"_MinusScalar"}, "sub", false, "x - scalar"},
    {"_scatter_minus_scalar", {}, "sub", false, "x - scalar"},
    {"_rminus_scalar", {"_RMinusScalar"}, "sub", true, "scalar - x"},
    {"_mul_scalar", {"_MulScalar"}, "mul", false, "x * scalar"},
    {"_div_scalar", {"_DivScalar"}, "div", false, "x / scalar"},
    {"_rdiv_scalar", {"_RDivScalar"}, "div", true, "scalar / x"},
    {"_mod_scalar", {"_ModScalar"}, "mod", false, "x mod scalar, with the sign of scalar"},
    {"_rmod_scalar", {"_RModScalar"}, "mod", true, "scalar mod x, with the sign of x"},
    {"_power_scalar", {"_PowerScalar"}, "power", false, "x to the power scalar"},
    {"_rpower_scalar", {"_RPowerScalar"}, "power", true, "scalar to the power x"},
    {"_maximum_scalar", {"_MaximumScalar", "_npi_maximum_scalar"}, "maximum", false, "max(x, scalar)"},
    {"_minimum_scalar", {"_MinimumScalar", "_npi_minimum_scalar"}, "minimum", false, "min(x, scalar)"},
    {"_hypot_scalar", {"_HypotScalar", "_npi_hypot_scalar"}, "hypot", false, "sqrt(x^2 + scalar^2)"},
    {"_equal_scalar", {"_EqualScalar"}, "equal", false, "1 where x = scalar, otherwise 0"},
    {"_not_equal_scalar", {"_NotEqualScalar"}, "not_equal", false, "0 where x = scalar, otherwise 1"},
    {"_greater_scalar", {"_GreaterScalar"}, "greater", false, "1 where x > scalar, otherwise 0"},
    {"_greater_equal_scalar",
     {"_GreaterEqualScalar"},
     "greater_equal",
     false,
     "1 where x >= scalar, otherwise 0"},
    {"_lesser_scalar", {"_LesserScalar"}, "lesser", false, "1 where x < scalar, otherwise 0"},
    {"_lesser_equal_scalar",
     {"_LesserEqualScalar"},
     "lesser_equal",
     false,
     "1 where x <= scalar, otherwise 0"},
    {"_logical_and_scalar", {"_LogicalAndScalar"}, "logical_and", false, "1 where neither is 0, otherwise 0"},
    {"_logical_or_scalar", {"_LogicalOrScalar"}, "logical_or", false, "0 where both are 0, otherwise 1"},
    {"_logical_xor_scalar",
     {"_LogicalXorScalar"},
     "logical_xor",
     false,
     "1 where exactly one is 0, otherwise 0"},

    {"_npi_add_scalar", {}, "add", false, "x + scalar"},
    {"_npi_subtract_scalar", {}, "sub", false, "x - scalar"},
    {"_npi_rsubtract_scalar", {}, "sub", true, "scalar - x"},
    {"_npi_multiply_scalar", {}, "mul", false, "x * scalar"},
    {"_npi_mod_scalar", {}, "mod", false, "x mod scalar, with the sign of scalar"},
    {"_npi_rmod_scalar", {}, "mod", true, "scalar mod x, with the sign of x"},
    {"_npi_power_scalar", {}, "power", false, "x to the power scalar"},
    {"_npi_rpower_scalar", {}, "power", true, "scalar to the power x"},
    {"_npi_arctan2_scalar", {}, "arctan2", false, "the angle of the point (scalar, x)"},
    {"_npi_rarctan2_scalar", {}, "arctan2", true, "the angle of the point (x, scalar)"},
};

/// Integers are divided as float32.
const ScalarEntry kDivideEntries[] = {
    {"_npi_true_divide_scalar", {}, "div", false, "x / scalar"},
    {"_npi_rtrue_divide_scalar", {}, "div", true, "scalar / x"},
};

/// NumPy's comparisons: their results are booleans.
const ScalarEntry kScalarBooleanEntries[] = {
    {"_npi_equal_scalar", {}, "equal", false, "x = scalar"},
    {"_npi_not_equal_scalar", {}, "not_equal", false, "x != scalar"},
    {"_npi_greater_scalar", {}, "greater", false, "x > scalar"},
    {"_npi_greater_equal_scalar", {}, "greater_equal", false, "x >= scalar"},
    {"_npi_less_scalar", {}, "lesser", false, "x < scalar"},
    {"_npi_less_equal_scalar", {}, "lesser_equal", false, "x <= scalar"},
};

bool computes_integers(DType dtype) {
  return dtype == DType::uint8 || dtype == DType::int8 || dtype == DType::int32 || dtype == DType::int64;
}

/// Integers stay what they are and the scalar is truncated, unless the file says is_int=False; booleans
/// always widen.
std::vector<TensorType> infer_scalar(const InferContext& ctx) {
  const bool is_int = ctx.attrs.flag("is_int");
  TensorType out = ctx.inputs[0];
  if (out.dtype == DType::boolean) {
    out.dtype = is_int ? DType::int64 : DType::float64;
  } else if (computes_integers(out.dtype) && !is_int) {
    out.dtype = DType::float64;
  }
  return {out};
}

std::vector<TensorType> infer_divide(const InferContext& ctx) {
  TensorType out = ctx.inputs[0];
  if (computes_integers(out.dtype) || out.dtype == DType::boolean) out.dtype = DType::float32;
  return {out};
}

std::vector<TensorType> infer_scalar_boolean(const InferContext& ctx) {
  return {{DType::boolean, ctx.shape(0)}};
}

OpDef make_scalar(const ScalarEntry& entry) {
  OpDef op;
  op.name = entry.name;
  op.aliases.assign(entry.aliases.begin(), entry.aliases.end());
  op.summary = std::string(entry.formula) + ", element-wise.";
  op.attrs = {graph::number_attr("scalar", 1.0), graph::flag_attr("is_int", true)};
  op.traits.elementwise = Elementwise::same_shape;
  op.fuses_activation = true;
  op.infer = infer_scalar;
  op.unify = unify_equal;
  op.lower = lower_element_function;
  return op;
}

void add_scalar(const ScalarEntry& entry, ElementFunctions& functions) {
  using Kind = ElementFunction::Kind;
  functions[entry.name] = [kind = entry.reversed ? Kind::of_scalar : Kind::scalar,
                           name = entry.function](const Attrs& attrs) {
    return ElementFunction{kind, name, {}, attrs.number("scalar")};
  };
}

OpDef div_sqrt_dim() {
  OpDef op;
  op.name = "_contrib_div_sqrt_dim";
  op.summary = "x / sqrt(n), where n is the size of the last dimension; for integers, sqrt(n) is truncated.";
  op.fuses_activation = true;
  op.infer = [](const InferContext& ctx) {
    if (ctx.shape(0).empty()) fail(ErrorCode::invalid_argument, "data has no dimensions");
    return infer_same(ctx);
  };
  op.lower = [](LowerContext& ctx) {
    return lower_binary_scalar(ctx, "div", std::sqrt(static_cast<double>(ctx.input(0).shape.back())), false);
  };
  return op;
}

}  // namespace

// Not those whose results are booleans.
void add_scalar_functions(ElementFunctions& functions) {
  for (const ScalarEntry& entry : kScalarEntries) add_scalar(entry, functions);
  for (const ScalarEntry& entry : kDivideEntries) add_scalar(entry, functions);
}

std::vector<OpDef> scalar_ops() {
  std::vector<OpDef> ops;
  for (const ScalarEntry& entry : kScalarEntries) ops.push_back(make_scalar(entry));
  for (const ScalarEntry& entry : kDivideEntries) {
    OpDef op = make_scalar(entry);
    op.infer = infer_divide;
    ops.push_back(std::move(op));
  }
  for (const ScalarEntry& entry : kScalarBooleanEntries) {
    OpDef op = make_scalar(entry);
    op.infer = infer_scalar_boolean;
    op.fuses_activation = false;
    op.lower = [function = entry.function](LowerContext& ctx) {
      return lower_comparison_scalar(ctx, function, ctx.attrs().number("scalar"));
    };
    ops.push_back(std::move(op));
  }
  ops.push_back(div_sqrt_dim());
  return ops;
}

}  // namespace mxinfer::ops

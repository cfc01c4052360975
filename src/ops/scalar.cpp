// Functions of a tensor and a number: a row each.
#include <initializer_list>

#include "ops/elementwise.h"

namespace mxinfer::ops {
namespace {

struct Row {
  const char* name;
  std::initializer_list<const char*> aliases;
  const char* function;  ///< of kernels/elementwise/binary.h
  bool reversed;         ///< the scalar is the left operand
  const char* formula;
};

const Row kRows[] = {
    {"_plus_scalar", {"_PlusScalar"}, "add", false, "x + scalar"},
    {"_scatter_plus_scalar", {}, "add", false, "x + scalar"},
    {"_minus_scalar", {"_MinusScalar"}, "sub", false, "x - scalar"},
    {"_scatter_minus_scalar", {}, "sub", false, "x - scalar"},
    {"_rminus_scalar", {"_RMinusScalar"}, "sub", true, "scalar - x"},
    {"_mul_scalar", {"_MulScalar"}, "mul", false, "x scalar"},
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
};

bool is_integer(DType dtype) {
  return dtype == DType::uint8 || dtype == DType::int8 || dtype == DType::int32 || dtype == DType::int64;
}

/// Integers stay what they are and the scalar is truncated, unless the file says is_int=False; booleans
/// always widen.
std::vector<TensorType> infer_scalar(const InferContext& ctx) {
  const bool is_int = ctx.attrs.flag("is_int");
  TensorType out = ctx.inputs[0];
  if (out.dtype == DType::boolean) {
    out.dtype = is_int ? DType::int64 : DType::float64;
  } else if (is_integer(out.dtype) && !is_int) {
    out.dtype = DType::float64;
  }
  return {out};
}

OpDef make(const Row& row) {
  OpDef op;
  op.name = row.name;
  op.aliases.assign(row.aliases.begin(), row.aliases.end());
  op.summary = std::string(row.formula) + ", element by element.";
  op.attrs = {graph::number_attr("scalar", 1.0), graph::flag_attr("is_int", true)};
  op.fuses_activation = true;
  op.infer = infer_scalar;
  op.lower = [function = row.function, reversed = row.reversed](LowerContext& ctx) {
    return lower_binary_scalar(ctx, function, ctx.attrs().number("scalar"), reversed);
  };
  return op;
}

}  // namespace

std::vector<OpDef> scalar_ops() {
  std::vector<OpDef> ops;
  for (const Row& row : kRows) ops.push_back(make(row));
  return ops;
}

}  // namespace mxinfer::ops

// Functions of a tensor and a number: an entry each. _mxinfer_fill_nan: a number in place of NaN, as which
// columns of a table have their nulls. _contrib_quadratic: a polynomial of degree 2.
#include <cmath>
#include <initializer_list>

#include "kernels/elementwise/quadratic.h"
#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

struct ScalarEntry {
  const char* name;
  std::initializer_list<const char*> aliases;
  const char* function;  ///< of kernels/elementwise/binary.h
  const char* formula;
  bool reversed = false;  ///< the scalar is the left operand
};

const ScalarEntry kScalarEntries[] = {
    {"_plus_scalar", {"_PlusScalar", "_npi_add_scalar"}, "add", "x + scalar"},
    {"_scatter_plus_scalar", {}, "add", "x + scalar"},
    {"_minus_scalar", {"_MinusScalar", "_npi_subtract_scalar"}, "sub", "x - scalar"},
    {"_scatter_minus_scalar", {}, "sub", "x - scalar"},
    {"_rminus_scalar", {"_RMinusScalar", "_npi_rsubtract_scalar"}, "sub", "scalar - x", true},
    {"_mul_scalar", {"_MulScalar", "_npi_multiply_scalar"}, "mul", "x * scalar"},
    {"_div_scalar", {"_DivScalar"}, "div", "x / scalar"},
    {"_rdiv_scalar", {"_RDivScalar"}, "div", "scalar / x", true},
    {"_mod_scalar", {"_ModScalar", "_npi_mod_scalar"}, "mod", "x mod scalar, with the sign of scalar"},
    {"_rmod_scalar", {"_RModScalar", "_npi_rmod_scalar"}, "mod", "scalar mod x, with the sign of x", true},
    {"_power_scalar", {"_PowerScalar", "_npi_power_scalar"}, "power", "x to the power scalar"},
    {"_rpower_scalar", {"_RPowerScalar", "_npi_rpower_scalar"}, "power", "scalar to the power x", true},
    {"_maximum_scalar", {"_MaximumScalar", "_npi_maximum_scalar"}, "maximum", "max(x, scalar)"},
    {"_minimum_scalar", {"_MinimumScalar", "_npi_minimum_scalar"}, "minimum", "min(x, scalar)"},
    {"_hypot_scalar", {"_HypotScalar", "_npi_hypot_scalar"}, "hypot", "sqrt(x^2 + scalar^2)"},
    {"_equal_scalar", {"_EqualScalar"}, "equal", "1 where x = scalar, otherwise 0"},
    {"_not_equal_scalar", {"_NotEqualScalar"}, "not_equal", "0 where x = scalar, otherwise 1"},
    {"_greater_scalar", {"_GreaterScalar"}, "greater", "1 where x > scalar, otherwise 0"},
    {"_greater_equal_scalar", {"_GreaterEqualScalar"}, "greater_equal", "1 where x >= scalar, otherwise 0"},
    {"_lesser_scalar", {"_LesserScalar"}, "lesser", "1 where x < scalar, otherwise 0"},
    {"_lesser_equal_scalar", {"_LesserEqualScalar"}, "lesser_equal", "1 where x <= scalar, otherwise 0"},
    {"_logical_and_scalar", {"_LogicalAndScalar"}, "logical_and", "1 where neither is 0, otherwise 0"},
    {"_logical_or_scalar", {"_LogicalOrScalar"}, "logical_or", "0 where both are 0, otherwise 1"},
    {"_logical_xor_scalar", {"_LogicalXorScalar"}, "logical_xor", "1 where exactly one is 0, otherwise 0"},

    {"_npi_arctan2_scalar", {}, "arctan2", "the angle of the point (scalar, x)"},
    {"_npi_rarctan2_scalar", {}, "arctan2", "the angle of the point (x, scalar)", true},
    {"_npi_copysign_scalar", {}, "copysign", "|x| with the sign of scalar"},
    {"_npi_rcopysign_scalar", {}, "copysign", "|scalar| with the sign of x", true},
    {"_npi_ldexp_scalar", {}, "ldexp", "x * 2^scalar"},
    {"_npi_rldexp_scalar", {}, "ldexp", "scalar * 2^x", true},
    {"_npi_lcm_scalar", {}, "lcm", "the least common multiple of integers x and scalar"},
};

/// Integers are divided as float32.
const ScalarEntry kDivideEntries[] = {
    {"_npi_true_divide_scalar", {}, "div", "x / scalar"},
    {"_npi_rtrue_divide_scalar", {}, "div", "scalar / x", true},
};

/// Their results have the dtype of x; is_int has no effect.
const ScalarEntry kBitwiseEntries[] = {
    {"_npi_bitwise_and_scalar", {}, "bitwise_and", "the bits that both x and scalar have"},
    {"_npi_bitwise_or_scalar", {}, "bitwise_or", "the bits that x or scalar has"},
    {"_npi_bitwise_xor_scalar", {}, "bitwise_xor", "the bits that exactly one of x and scalar has"},
};

/// NumPy's comparisons: their results are booleans.
const ScalarEntry kScalarBooleanEntries[] = {
    {"_npi_equal_scalar", {}, "equal", "x = scalar"},
    {"_npi_not_equal_scalar", {}, "not_equal", "x != scalar"},
    {"_npi_greater_scalar", {}, "greater", "x > scalar"},
    {"_npi_greater_equal_scalar", {}, "greater_equal", "x >= scalar"},
    {"_npi_less_scalar", {}, "lesser", "x < scalar"},
    {"_npi_less_equal_scalar", {}, "lesser_equal", "x <= scalar"},
};

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
  op.attrs = {number_attr("scalar", 1.0), flag_attr("is_int", true)};
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

constexpr const char* kName = "_mxinfer_fill_nan";

std::optional<ElementFunction> function_of(const Attrs& attrs) {
  return unary_function("fill_nan", {attrs.number("value"), 0});
}

std::vector<TensorType> infer_quadratic(const InferContext& context) {
  if (kernels::quadratic_ref(element_type(context.dtype(0))) == nullptr) {
    fail(ErrorCode::unsupported, "data is ", to_string(context.dtype(0)), ": expected numbers");
  }
  return infer_same(context);
}

Step lower_quadratic(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const auto run = kernels::quadratic_ref(element_type(dtype));
  const Attrs& attrs = context.attrs();
  const kernels::Quadratic q{attrs.number32("a"), attrs.number32("b"), attrs.number32("c")};
  const std::int64_t count = context.input(0).shape.elements();
  const std::size_t size = size_of(dtype);
  context.may_overwrite(0, 0);
  Step step{.kernel = kernel_name("elementwise", "quadratic", "ref", dtype, kernels::Target::ref)};
  step.flops = 4.0 * static_cast<double>(count);
  step.run = [=](const RunContext& now) {
    parallel_for(count, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      const std::size_t offset = static_cast<std::size_t>(begin) * size;
      run(q, now.input<std::byte>(0) + offset, now.output<std::byte>(0) + offset, end - begin);
    });
  };
  return step;
}

}  // namespace

DType comparison_dtype(const Attrs& attrs, DType data) {
  return computes_integers(data) && !attrs.flag("is_int") ? DType::float64 : data;
}

// Not those whose results are booleans.
void add_scalar_functions(ElementFunctions& functions) {
  for (const ScalarEntry& entry : kScalarEntries) add_scalar(entry, functions);
  for (const ScalarEntry& entry : kDivideEntries) add_scalar(entry, functions);
  for (const ScalarEntry& entry : kBitwiseEntries) add_scalar(entry, functions);
}

std::vector<OpDef> scalar_ops() {
  std::vector<OpDef> ops;
  for (const ScalarEntry& entry : kScalarEntries) ops.push_back(make_scalar(entry));
  for (const ScalarEntry& entry : kDivideEntries) {
    OpDef op = make_scalar(entry);
    op.infer = infer_divide;
    ops.push_back(std::move(op));
  }
  for (const ScalarEntry& entry : kBitwiseEntries) {
    OpDef op = make_scalar(entry);
    op.infer = infer_same_bits;
    ops.push_back(std::move(op));
  }
  for (const ScalarEntry& entry : kScalarBooleanEntries) {
    OpDef op = make_scalar(entry);
    op.infer = infer_scalar_boolean;
    op.fuses_activation = false;
    op.lower = [function = entry.function](LowerContext& ctx) {
      return lower_comparison_scalar(ctx, function, ctx.attrs().number("scalar"),
                                     comparison_dtype(ctx.attrs(), ctx.input(0).dtype));
    };
    ops.push_back(std::move(op));
  }
  ops.push_back(div_sqrt_dim());
  ops.push_back({.name = kName,
                 .summary = "value where x is NaN, otherwise x, element-wise.",
                 .attrs = {number_attr("value")},
                 .traits = {.part = ModelPart::column_transforms, .elementwise = Elementwise::same_shape},
                 .fuses_activation = true,
                 .infer = infer_same_float,
                 .lower = lower_element_function,
                 .unify = unify_equal});
  ops.push_back({.name = "_contrib_quadratic",
                 .summary = "a * data^2 + b * data + c.",
                 .attrs = {number_attr("a", 0), number_attr("b", 0), number_attr("c", 0)},
                 .infer = infer_quadratic,
                 .lower = lower_quadratic});
  return ops;
}

void add_fill_nan_function(ElementFunctions& functions) {
  functions[kName] = function_of;
}

}  // namespace mxinfer::ops

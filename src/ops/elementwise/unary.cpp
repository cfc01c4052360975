// Element-wise operators of one tensor without attributes: an entry each.
#include <algorithm>
#include <initializer_list>
#include <limits>

#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

struct UnaryEntry {
  const char* name;
  std::initializer_list<const char*> aliases;
  const char* function;  ///< of kernels/elementwise/unary.h
  const char* formula;
  bool follows_bfloat16 = false;
};

const UnaryEntry kUnaryEntries[] = {
    {"abs", {"_npi_abs", "_npi_absolute", "_sparse_abs"}, "abs", "|x|"},
    {"sign", {"_sparse_sign"}, "sign", "-1, 0 or 1"},
    {"negative", {"_sparse_negative"}, "negative", "-x"},
    {"reciprocal", {}, "reciprocal", "1 / x"},
    {"square", {"_sparse_square"}, "square", "x^2"},
    {"sqrt", {"_sparse_sqrt"}, "sqrt", "sqrt(x)"},
    {"rsqrt", {"_sparse_rsqrt"}, "rsqrt", "1 / sqrt(x)"},
    {"cbrt", {"_sparse_cbrt"}, "cbrt", "the cube root of x"},
    {"rcbrt", {}, "rcbrt", "1 / the cube root of x"},
    {"logical_not", {}, "logical_not", "1 where x is 0, otherwise 0"},
    {"zeros_like", {"_sparse_zeros_like"}, "zeros_like", "0"},
    {"ones_like", {}, "ones_like", "1"},

    {"round", {"_sparse_round"}, "round", "x to the nearest integer, halves away from zero"},
    {"rint", {"_sparse_rint"}, "rint", "x to the nearest integer, halves downwards"},
    {"_contrib_round_ste",
     {"_sparse__contrib_round_ste"},
     "round",
     "x to the nearest integer, halves away from zero"},
    {"_contrib_sign_ste", {"_sparse__contrib_sign_ste"}, "sign", "-1, 0 or 1"},
    {"ceil", {"_sparse_ceil"}, "ceil", "the smallest integer not below x"},
    {"floor", {"_sparse_floor"}, "floor", "the largest integer not above x"},
    {"trunc", {"_sparse_trunc"}, "trunc", "x without its fraction"},
    {"fix", {"_sparse_fix"}, "trunc", "x without its fraction"},

    {"exp", {"_sparse_exp"}, "exp", "e^x"},
    {"expm1", {"_sparse_expm1"}, "expm1", "e^x - 1"},
    {"log", {"_sparse_log"}, "log", "ln x"},
    {"log10", {"_sparse_log10"}, "log10", "the logarithm of x to base 10"},
    {"log2", {"_sparse_log2"}, "log2", "the logarithm of x to base 2"},
    {"log1p", {"_sparse_log1p"}, "log1p", "ln(1 + x)"},

    {"sin", {"_sparse_sin"}, "sin", "sin x"},
    {"cos", {"_sparse_cos"}, "cos", "cos x"},
    {"tan", {"_sparse_tan"}, "tan", "tan x"},
    {"arcsin", {"_sparse_arcsin"}, "arcsin", "arcsin x"},
    {"arccos", {"_sparse_arccos"}, "arccos", "arccos x"},
    {"arctan", {"_sparse_arctan"}, "arctan", "arctan x"},
    {"sinh", {"_sparse_sinh"}, "sinh", "sinh x"},
    {"cosh", {"_sparse_cosh"}, "cosh", "cosh x"},
    {"tanh", {"_sparse_tanh"}, "tanh", "tanh x"},
    {"arcsinh", {"_sparse_arcsinh"}, "arcsinh", "arsinh x"},
    {"arccosh", {"_sparse_arccosh"}, "arccosh", "arcosh x"},
    {"arctanh", {"_sparse_arctanh"}, "arctanh", "artanh x"},
    {"degrees", {"_sparse_degrees"}, "degrees", "180 x / pi"},
    {"radians", {"_sparse_radians"}, "radians", "pi x / 180"},

    {"gamma", {"_npx_gamma", "_sparse_gamma"}, "gamma", "the gamma function of x"},
    {"gammaln", {"_npx_gammaln", "_sparse_gammaln"}, "gammaln", "ln |gamma(x)|"},
    {"erf", {"_npx_erf"}, "erf", "the error function of x"},
    {"erfinv", {"_npx_erfinv"}, "erfinv", "the inverse of the error function at x"},

    {"relu", {"_npx_relu", "_sparse_relu"}, "relu", "max(x, 0)", true},
    {"sigmoid", {"_npx_sigmoid", "_sparse_sigmoid"}, "sigmoid", "1 / (1 + exp(-x))", true},
    {"softsign", {}, "softsign", "x / (1 + |x|)"},
};

const UnaryEntry kBitwiseNot = {
    "_npi_bitwise_not", {}, "bitwise_not", "x with every bit turned, or whether a boolean is false"};

/// NumPy's questions: their results are booleans.
const UnaryEntry kPredicateEntries[] = {
    {"_npi_isnan", {}, "isnan", "whether x is NaN"},
    {"_npi_isinf", {}, "isinf", "whether x is infinite"},
    {"_npi_isposinf", {}, "isposinf", "whether x is infinity"},
    {"_npi_isneginf", {}, "isneginf", "whether x is -infinity"},
    {"_npi_isfinite", {}, "isfinite", "whether x is neither infinite nor NaN"},
    {"_npi_logical_not", {}, "logical_not", "whether x is 0"},
};

/// Those that NumPy's interface has under the same names, _npi_<name>.
constexpr std::string_view kNumpyNames[] = {
    "sign",  "negative", "reciprocal", "square",  "sqrt",    "cbrt",    "rint",   "ceil",
    "floor", "fix",      "trunc",      "exp",     "expm1",   "log",     "log10",  "log2",
    "log1p", "sin",      "cos",        "tan",     "arcsin",  "arccos",  "arctan", "sinh",
    "cosh",  "tanh",     "arcsinh",    "arccosh", "arctanh", "degrees", "radians"};

bool is_of_numpy(std::string_view name) {
  return std::find(std::begin(kNumpyNames), std::end(kNumpyNames), name) != std::end(kNumpyNames);
}

OpDef make_unary(const UnaryEntry& entry) {
  OpDef op;
  op.name = entry.name;
  op.aliases.assign(entry.aliases.begin(), entry.aliases.end());
  if (is_of_numpy(entry.name)) op.aliases.push_back(concat("_npi_", entry.name));
  op.summary = std::string(entry.formula) + ", element-wise.";
  op.traits.elementwise = Elementwise::same_shape;
  op.fuses_activation = true;
  op.traits.follows_bfloat16 = entry.follows_bfloat16 ? always_follows : nullptr;
  op.infer = infer_same;
  op.unify = unify_equal;
  op.lower = lower_element_function;
  return op;
}

void add_unary(const UnaryEntry& entry, ElementFunctions& functions) {
  functions[entry.name] = [name = entry.function](const Attrs&) { return unary_function(name); };
}

constexpr const char* kAround = "_npi_around";

std::optional<ElementFunction> around_function(const Attrs& attrs) {
  const std::int64_t decimals = attrs.integer("decimals");
  if (decimals == 0) return unary_function("round_even");
  return unary_function("around", {static_cast<double>(decimals), 0});
}

std::vector<TensorType> infer_predicate(const InferContext& ctx) {
  return {{DType::boolean, ctx.shape(0)}};
}

OpDef make_predicate(const UnaryEntry& entry) {
  OpDef op = make_unary(entry);
  op.inputs = named_ports({"x"});
  op.fuses_activation = false;
  op.infer = infer_predicate;
  op.lower = [function = entry.function](LowerContext& ctx) { return lower_predicate(ctx, function); };
  return op;
}

OpDef bitwise_not_op() {
  OpDef op = make_unary(kBitwiseNot);
  op.inputs = named_ports({"x"});
  op.infer = infer_same_bits;
  return op;
}

OpDef around_op() {
  OpDef op = make_unary({kAround, {}, "", "x to that many decimals, halves to even digits"});
  op.attrs = {integer_attr("decimals", 0)};
  op.inputs = named_ports({"x"});
  return op;
}

/// The largest finite number of a floating point dtype.
double largest_finite(DType dtype) {
  if (dtype == DType::float16) return 65504;
  return dtype == DType::float64 ? std::numeric_limits<double>::max()
                                 : static_cast<double>(std::numeric_limits<float>::max());
}

Step lower_nan_to_num(LowerContext& ctx) {
  const DType dtype = ctx.output(0).dtype;
  if (computes_integers(dtype) || dtype == DType::boolean) return lower_identity(ctx);
  return lower_unary(ctx, "nan_to_num", nan_to_num_params(ctx.attrs(), dtype));
}

OpDef nan_to_num_op() {
  OpDef op = make_unary({"_npi_nan_to_num",
                         {},
                         "",
                         "nan, posinf or neginf where x is NaN, infinity or -infinity, otherwise x"});
  op.summary += " By default these are 0 and the largest and smallest finite numbers.";
  op.attrs = {flag_attr("copy", true).without_effect(), number_attr("nan", 0),
              number_attr("posinf").optional_none(), number_attr("neginf").optional_none()};
  op.fuses_activation = false;
  op.lower = lower_nan_to_num;
  return op;
}

}  // namespace

kernels::UnaryParams nan_to_num_params(const Attrs& attrs, DType dtype) {
  const double largest = largest_finite(dtype);
  const auto number = [&](const char* name, double otherwise) {
    return attrs.has(name) ? attrs.number(name) : otherwise;
  };
  return {attrs.number("nan"), number("posinf", largest), number("neginf", -largest)};
}

void add_unary_functions(ElementFunctions& functions) {
  for (const UnaryEntry& entry : kUnaryEntries) add_unary(entry, functions);
  add_unary(kBitwiseNot, functions);
  functions[kAround] = around_function;
}

std::vector<OpDef> unary_ops() {
  std::vector<OpDef> ops;
  for (const UnaryEntry& entry : kUnaryEntries) ops.push_back(make_unary(entry));
  for (const UnaryEntry& entry : kPredicateEntries) ops.push_back(make_predicate(entry));
  ops.push_back(bitwise_not_op());
  ops.push_back(around_op());
  ops.push_back(nan_to_num_op());
  return ops;
}

}  // namespace mxinfer::ops

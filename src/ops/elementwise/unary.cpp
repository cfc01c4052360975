// Element-wise operators of one tensor without attributes: an entry each.
#include <algorithm>
#include <initializer_list>

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
    {"abs", {"_sparse_abs"}, "abs", "|x|"},
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

    {"relu", {"_sparse_relu"}, "relu", "max(x, 0)", true},
    {"_npx_relu", {}, "relu", "max(x, 0)"},
    {"sigmoid", {"_sparse_sigmoid"}, "sigmoid", "1 / (1 + exp(-x))", true},
    {"_npx_sigmoid", {}, "sigmoid", "1 / (1 + exp(-x))"},
    {"softsign", {}, "softsign", "x / (1 + |x|)"},
};

/// NumPy has functions of the same names, _npi_<name>, of the same meaning and dtype.
constexpr std::string_view kNumpyNames[] = {
    "sign",  "negative", "reciprocal", "square",  "sqrt",    "cbrt",    "rint",   "ceil",
    "floor", "fix",      "trunc",      "exp",     "expm1",   "log",     "log10",  "log2",
    "log1p", "sin",      "cos",        "tan",     "arcsin",  "arccos",  "arctan", "sinh",
    "cosh",  "tanh",     "arcsinh",    "arccosh", "arctanh", "degrees", "radians"};

const UnaryEntry kNumpyAbsolute = {"absolute", {"_npi_abs"}, "abs", "|x|"};

/// NumPy's entries: the names without their prefix.
std::vector<UnaryEntry> numpy_entries() {
  std::vector<UnaryEntry> entries{kNumpyAbsolute};
  for (const UnaryEntry& entry : kUnaryEntries) {
    const bool known =
        std::find(std::begin(kNumpyNames), std::end(kNumpyNames), entry.name) != std::end(kNumpyNames);
    if (known) entries.push_back({entry.name, {}, entry.function, entry.formula});
  }
  return entries;
}

OpDef make_unary(const UnaryEntry& entry) {
  OpDef op;
  op.name = entry.name;
  op.aliases.assign(entry.aliases.begin(), entry.aliases.end());
  op.summary = std::string(entry.formula) + ", element-wise.";
  op.traits.elementwise = Elementwise::same_shape;
  op.fuses_activation = true;
  op.traits.follows_bfloat16 = entry.follows_bfloat16 ? always_follows : nullptr;
  op.infer = infer_same;
  op.unify = unify_equal;
  op.lower = lower_element_function;
  return op;
}

void add_unary(const std::string& prefix, const UnaryEntry& entry, ElementFunctions& functions) {
  functions[prefix + entry.name] = [name = entry.function](const Attrs&) { return unary_function(name); };
}

}  // namespace

void add_unary_functions(ElementFunctions& functions) {
  for (const UnaryEntry& entry : kUnaryEntries) add_unary("", entry, functions);
  for (const UnaryEntry& entry : numpy_entries()) add_unary("_npi_", entry, functions);
}

std::vector<OpDef> unary_ops() {
  std::vector<OpDef> ops;
  for (const UnaryEntry& entry : kUnaryEntries) ops.push_back(make_unary(entry));
  for (const UnaryEntry& entry : numpy_entries()) {
    OpDef op = make_unary(entry);
    op.name = "_npi_" + op.name;
    op.inputs = named_ports({"x"});
    ops.push_back(std::move(op));
  }
  return ops;
}

}  // namespace mxinfer::ops

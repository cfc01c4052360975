// _mxinfer_fill_nan: a number in place of NaN, as which columns of a table have their nulls.
#include "base/fail.h"
#include "ops/elementwise/element_function.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

constexpr const char* kName = "_mxinfer_fill_nan";

std::optional<ElementFunction> function_of(const Attrs& attrs) {
  return unary_function("fill_nan", {attrs.number("value"), 0});
}

}  // namespace

void add_fill_nan_function(ElementFunctions& functions) {
  functions[kName] = function_of;
}

std::vector<OpDef> fill_nan_ops() {
  OpDef op;
  op.name = kName;
  op.summary = "value where x is NaN, otherwise x, element-wise.";
  op.attrs = {graph::number_attr("value")};
  op.traits.elementwise = Elementwise::same_shape;
  op.fuses_activation = true;
  op.infer = infer_same_float;
  op.unify = unify_equal;
  op.lower = lower_element_function;
  return {op};
}

}  // namespace mxinfer::ops

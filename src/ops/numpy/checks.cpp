// _npx_constraint_check: an error unless every element is true. _npi_share_memory: whether two values are
// one.
#include <algorithm>

#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_constraint_check(const InferContext& context) {
  if (context.dtype(0) != DType::boolean)
    fail(ErrorCode::invalid_argument, "input is ", to_string(context.dtype(0)), ": expected booleans");
  return {{DType::boolean, Shape{}}};
}

Step lower_constraint_check(LowerContext& context) {
  Step step{.kernel = ref_kernel("all_true", DType::boolean), .reason = "one pass over the input"};
  step.run = [count = context.input(0).shape.elements(),
              message = context.attrs().text("msg")](const RunContext& run) {
    const bool* input = run.input<bool>(0);
    if (!std::all_of(input, input + count, [](bool element) { return element; }))
      fail(ErrorCode::invalid_argument, message);
    *run.output<bool>(0) = true;
  };
  return step;
}

// What is computed from different values has memory of its own, unless one is the other under another shape.
Step lower_share_memory(LowerContext& context) {
  const bool any_empty = context.input(0).shape.elements() == 0 || context.input(1).shape.elements() == 0;
  Step step{.kernel = ref_kernel("same_memory", DType::boolean), .reason = "compares two addresses"};
  step.run = [any_empty](const RunContext& run) {
    *run.output<bool>(0) = !any_empty && run.inputs[0] == run.inputs[1];
  };
  return step;
}

}  // namespace

std::vector<OpDef> numpy_check_ops() {
  return {
      {.name = "_npx_constraint_check",
       .summary = "True if all elements of input are true; otherwise the run fails with `msg`.",
       .attrs = {text_attr("msg", "Constraint violated.")},
       .inputs = named_ports({"input"}),
       .infer = infer_constraint_check,
       .lower = lower_constraint_check},
      {.name = "_npi_share_memory",
       .summary = "Whether a and b are the same value of the network.",
       .inputs = named_ports({"a", "b"}),
       .infer = [](const InferContext&) -> std::vector<TensorType> {
         return {{DType::boolean, Shape{}}};
       },
       .lower = lower_share_memory},
  };
}

}  // namespace mxinfer::ops

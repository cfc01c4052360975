// _npi_polyval: a polynomial of each element.
#include "kernels/elementwise/polynomial.h"

#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_polyval(const InferContext& context) {
  const TensorType &p = context.inputs[0], &x = context.inputs[1];
  if (kernels::select_polynomial(element_type(p.dtype)) == nullptr)
    fail(ErrorCode::unsupported, "p is ", to_string(p.dtype), ": expected numbers");
  if (p.shape.rank() != 1)
    fail(ErrorCode::invalid_argument, "p has the shape ", to_string(p.shape), ": expected a vector");
  if (x.dtype != p.dtype)
    fail(ErrorCode::invalid_argument, "x is ", to_string(x.dtype), ": expected ", to_string(p.dtype),
         " as p is");
  return {x};
}

Step lower_polyval(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const std::int64_t count = context.input(0).shape.elements(), elements = context.output(0).shape.elements();
  const auto polynomial = kernels::select_polynomial(element_type(dtype));
  Step step{.kernel = ref_kernel("polynomial", dtype), .reason = "Horner's rule"};
  step.flops = 2.0 * static_cast<double>(count) * static_cast<double>(elements);
  step.run = [=](const RunContext& run) {
    parallel_for(elements, piece_grain(kElementGrain, count), [&](std::int64_t begin, std::int64_t end) {
      polynomial(run.inputs[0], count, run.inputs[1], run.outputs[0], begin, end);
    });
  };
  return step;
}

}  // namespace

std::vector<OpDef> numpy_polynomial_ops() {
  OpDef op{.name = "_npi_polyval",
           .summary = "The polynomial with the coefficients p, the constant last, at x."};
  op.inputs = named_ports({"p", "x"});
  op.infer = infer_polyval;
  op.lower = lower_polyval;
  return {op};
}

}  // namespace mxinfer::ops

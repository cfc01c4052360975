// _contrib_quadratic: a polynomial of degree 2.
#include "kernels/elementwise/quadratic.h"

#include "base/fail.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

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
  Step step;
  step.kernel = kernel_name("elementwise", "quadratic", "ref", dtype, kernels::Target::ref);
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

std::vector<OpDef> quadratic_ops() {
  OpDef op;
  op.name = "_contrib_quadratic";
  op.summary = "a * data^2 + b * data + c.";
  op.attrs = {graph::number_attr("a", 0), graph::number_attr("b", 0), graph::number_attr("c", 0)};
  op.infer = infer_quadratic;
  op.lower = lower_quadratic;
  return {op};
}

}  // namespace mxinfer::ops

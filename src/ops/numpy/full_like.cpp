// _npi_full_like: a number in the shape of a tensor.
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_full_like(const InferContext& context) {
  const DType dtype = context.attrs.has("dtype") ? dtype_of(context.attrs, "dtype") : context.dtype(0);
  return {{dtype, context.shape(0)}};
}

Step lower_full_like(LowerContext& context) {
  Tensor tensor(context.output(0).dtype, context.output(0).shape);
  fill_all(tensor, context.attrs().number("fill_value"));
  return constant_step(std::move(tensor));
}

}  // namespace

std::vector<OpDef> full_like_ops() {
  return {{.name = "_npi_full_like",
           .summary = "fill_value in the shape of a, and in its dtype unless dtype is given.",
           .attrs = {number_attr("fill_value"), text_attr("ctx", "").without_effect(),
                     dtype_attr("dtype").optional_none()},
           .inputs = named_ports({"a"}),
           .traits = {.elementwise = Elementwise::same_shape},
           .infer = infer_full_like,
           .lower = lower_full_like,
           .unify = unify_equal}};
}

}  // namespace mxinfer::ops

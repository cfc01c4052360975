// moments: mean and variance over axes.
#include "kernels/reduce/moments.h"

#include <algorithm>

#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"
#include "ops/tensor/moment_shape.h"

namespace mxinfer::ops {
namespace {

std::vector<bool> moment_axes(const Attrs& attrs, const Shape& shape) {
  if (!attrs.has("axes") || attrs.optional_tuple("axes").empty()) {
    fail(ErrorCode::malformed, "attribute axes lists nothing: for moments of all elements, list every axis");
  }
  std::vector<bool> reduced(shape.rank(), false);
  for (const std::int64_t axis : attrs.tuple("axes")) {
    const std::size_t index = resolve_axis("axes", axis, shape.rank());
    if (reduced[index]) fail(ErrorCode::invalid_argument, "attribute axes holds ", axis, " twice");
    reduced[index] = true;
  }
  return reduced;
}

std::vector<TensorType> infer_moments(const InferContext& context) {
  const Shape& shape = context.shape(0);
  const std::vector<bool> reduced = moment_axes(context.attrs, shape);
  if (kernels::moments_ref(element_type(context.dtype(0))) == nullptr) {
    fail(ErrorCode::unsupported, "data is ", to_string(context.dtype(0)), ": expected numbers");
  }
  Shape out;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    if (reduced[d] && shape[d] == 0) {
      fail(ErrorCode::invalid_argument, "data has shape ", to_string(shape), ": axis ", d,
           " has no elements");
    }
    if (!reduced[d]) {
      out.push_back(shape[d]);
    } else if (context.attrs.flag("keepdims")) {
      out.push_back(1);
    }
  }
  if (out.empty()) out.push_back(1);
  return {{context.dtype(0), out}, {context.dtype(0), out}};
}

Step lower_moments(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const auto run = kernels::moments_ref(element_type(context.input(0).dtype));
  const kernels::ReduceShape shape = moment_shape(context);
  const std::int64_t results = context.output(0).shape.elements();
  const std::int64_t grain = std::max<std::int64_t>(1, kElementGrain / shape.reduced.elements());
  Step step;
  step.kernel = kernel_name("moments", "mean_variance", "ref", context.input(0).dtype, kernels::Target::ref);
  step.reason = "two passes";
  step.flops = 4.0 * static_cast<double>(in.elements());
  step.run = [=](const RunContext& context_now) {
    parallel_for(results, grain, [&](std::int64_t begin, std::int64_t end) {
      run(shape, context_now.inputs[0], context_now.outputs[0], context_now.outputs[1], begin, end);
    });
  };
  return step;
}

}  // namespace

kernels::ReduceShape moment_shape(const OpProblem& node) {
  const Shape& shape = node.input(0).shape;
  const std::vector<bool> reduced = moment_axes(node.attrs(), shape);
  kernels::ReduceShape result;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    kernels::ReduceDims& dims = reduced[d] ? result.reduced : result.kept;
    dims.sizes[dims.rank] = shape[d];
    dims.strides[dims.rank++] = shape.elements(d + 1, shape.rank());
  }
  if (result.kept.rank == 0) result.kept.sizes[result.kept.rank++] = 1;
  return result;
}

std::vector<OpDef> moments_ops() {
  OpDef op;
  op.name = "moments";
  op.summary = "The mean and the variance over the listed axes.";
  op.attrs = {graph::tuple_attr("axes", "None"), graph::flag_attr("keepdims", false)};
  op.outputs = [](const Attrs&) { return PortNames{{"output0", "output1"}}; };
  op.infer = infer_moments;
  op.lower = lower_moments;
  return {op};
}

}  // namespace mxinfer::ops

// all_finite, multi_all_finite, multi_sum_sq, _contrib_allclose: one answer about whole arrays.
#include "kernels/check/check.h"

#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

DType common_dtype(const InferContext& context) {
  for (std::size_t i = 1; i < context.count(); ++i) {
    if (context.dtype(i) != context.dtype(0)) {
      fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.dtype(i)), ", input 0 ",
           to_string(context.dtype(0)), ": expected the same");
    }
  }
  return context.dtype(0);
}

DType common_float(const InferContext& context) {
  if (context.count() == 0) fail(ErrorCode::malformed, "it has no inputs");
  const DType dtype = common_dtype(context);
  if (kernels::select_all_finite(element_type(dtype)) == nullptr)
    fail(ErrorCode::unsupported, "inputs of ", to_string(dtype), ": expected floating point numbers");
  return dtype;
}

std::vector<std::int64_t> sizes_of(const LowerContext& context) {
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) sizes.push_back(context.input(i).shape.elements());
  return sizes;
}

Step named(const char* name, DType dtype) {
  Step step{.kernel = ref_kernel(name, dtype), .reason = "one pass over the inputs"};
  return step;
}

Step lower_all_finite(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const auto finite = kernels::select_all_finite(element_type(dtype));
  Step step = named("all_finite", dtype);
  step.run = [finite, sizes = sizes_of(context)](const RunContext& run) {
    bool all = true;
    for (std::size_t i = 0; i < sizes.size(); ++i) all = all && finite(run.inputs[i], sizes[i]);
    *run.output<float>(0) = all ? 1.0f : 0.0f;
  };
  return step;
}

std::vector<TensorType> infer_all_finite(const InferContext& context) {
  (void)common_float(context);
  return {{DType::float32, Shape{1}}};
}

OpDef all_finite_op() {
  return {.name = "all_finite",
          .summary = "1 where no element is infinite or NaN, otherwise 0.",
          .attrs = {flag_attr("init_output", true).without_effect()},
          .infer = infer_all_finite,
          .lower = lower_all_finite};
}

OpDef multi_all_finite_op() {
  OpDef op = all_finite_op();
  op.name = "multi_all_finite";
  op.summary = "1 where no element of any input is infinite or NaN, otherwise 0.";
  op.attrs.push_back(integer_attr("num_arrays", 1).at_least(1));
  op.inputs = counted_ports("num_arrays");
  return op;
}

std::vector<TensorType> infer_multi_sum_sq(const InferContext& context) {
  (void)common_float(context);
  return {{DType::float32, Shape{static_cast<std::int64_t>(context.count())}}};
}

Step lower_multi_sum_sq(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const auto sum = kernels::select_sum_of_squares(element_type(dtype));
  Step step = named("sum_of_squares", dtype);
  step.run = [sum, sizes = sizes_of(context)](const RunContext& run) {
    for (std::size_t i = 0; i < sizes.size(); ++i) run.output<float>(0)[i] = sum(run.inputs[i], sizes[i]);
  };
  return step;
}

Step lower_allclose(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const auto close = kernels::select_all_close(element_type(dtype));
  const kernels::Closeness closeness{context.attrs().number32("rtol"), context.attrs().number32("atol"),
                                     context.attrs().flag("equal_nan")};
  const std::int64_t elements = context.input(0).shape.elements();
  Step step = named("all_close", dtype);
  step.run = [=](const RunContext& run) {
    *run.output<std::uint8_t>(0) = close(closeness, run.inputs[0], run.inputs[1], elements) ? 1 : 0;
  };
  return step;
}

std::vector<TensorType> infer_allclose(const InferContext& context) {
  const DType dtype = common_dtype(context);
  if (kernels::select_all_close(element_type(dtype)) == nullptr)
    fail(ErrorCode::unsupported, "inputs of ", to_string(dtype), ": expected numbers");
  if (context.shape(0).elements() != context.shape(1).elements()) {
    fail(ErrorCode::invalid_argument, "a has the shape ", to_string(context.shape(0)), " and b ",
         to_string(context.shape(1)), ": expected the same number of elements");
  }
  return {{DType::uint8, Shape{}}};
}

}  // namespace

std::vector<OpDef> check_ops() {
  return {
      all_finite_op(),
      multi_all_finite_op(),
      {.name = "multi_sum_sq",
       .summary = "The sum of squares of each input.",
       .attrs = {integer_attr("num_arrays").at_least(1)},
       .inputs = counted_ports("num_arrays"),
       .infer = infer_multi_sum_sq,
       .lower = lower_multi_sum_sq},
      {.name = "_contrib_allclose",
       .summary = "1 where a = b or |a - b| <= atol + rtol * |b| for every element, otherwise 0, as uint8.",
       .attrs = {number_attr("rtol", 9.99999975e-06), number_attr("atol", 9.99999994e-09),
                 flag_attr("equal_nan", true)},
       .inputs = named_ports({"a", "b"}),
       .infer = infer_allclose,
       .lower = lower_allclose},
  };
}

}  // namespace mxinfer::ops

// _npi_percentile: percentiles over axes; quantile and median are written with it.
#include "kernels/sort/percentile.h"

#include <algorithm>

#include "kernels/elementwise/cast.h"
#include "ops/common/scratch_layout.h"
#include "ops/elementwise/elementwise.h"
#include "ops/numpy/statistics/numpy_axes.h"

namespace mxinfer::ops {
namespace {

bool has_scalar(const Attrs& attrs) {
  return attrs.has("q_scalar");
}

void expect_percent(double q) {
  if (q >= 0 && q <= 100) return;
  fail(ErrorCode::invalid_argument, "q holds ", q, ": expected percentages, 0 to 100");
}

kernels::Interpolation interpolation_of(const Attrs& attrs) {
  const std::string& name = attrs.choice("interpolation");
  if (name == "lower") return kernels::Interpolation::lower;
  if (name == "higher") return kernels::Interpolation::higher;
  if (name == "midpoint") return kernels::Interpolation::midpoint;
  if (name == "nearest") return kernels::Interpolation::nearest;
  return kernels::Interpolation::linear;
}

std::vector<TensorType> infer_percentile(const InferContext& context) {
  const DType dtype = context.dtype(0);
  if (kernels::select_percentile(element_type(dtype)) == nullptr)
    fail(ErrorCode::unsupported, "input of ", to_string(dtype), ": expected numbers");
  Shape shape;
  if (has_scalar(context.attrs)) {
    expect_percent(context.attrs.number("q_scalar"));
  } else {
    const TensorType& q = context.inputs[1];
    if (q.shape.rank() > 1 || kernels::select_percentile(element_type(q.dtype)) == nullptr)
      fail(ErrorCode::invalid_argument, "q is ", to_string(q), ": expected a number, or a vector of them");
    shape = q.shape;
  }
  const std::vector<bool> reduced = numpy_axes(context.attrs, context.shape(0));
  const Shape rest = without_axes(context.shape(0), reduced, context.attrs.flag("keepdims"));
  if (reduced_elements(context.shape(0), reduced) == 0 && rest.elements() != 0)
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(context.shape(0)),
         " was given: no elements have no percentile");
  for (std::int64_t size : rest) shape.push_back(size);
  return {{dtype == DType::float64 ? DType::float64 : DType::float32, shape}};
}

Step lower_percentile(LowerContext& context) {
  const TensorType& in = context.input(0);
  kernels::PercentileArgs args;
  args.shape = whole_dimensions(in.shape, numpy_axes(context.attrs(), in.shape));
  args.interpolation = interpolation_of(context.attrs());
  args.results = args.shape.kept.elements();
  const auto run = kernels::select_percentile(element_type(in.dtype));
  Step step{.kernel = ref_kernel("percentile", in.dtype), .reason = "elements are sorted"};
  const std::int64_t sorted = std::max<std::int64_t>(1, args.shape.reduced.elements());
  step.thread_scratch_bytes = static_cast<std::size_t>(sorted) * sizeof(double);
  const double scalar = has_scalar(context.attrs()) ? context.attrs().number("q_scalar") : 0;
  kernels::CastFn to_double = nullptr;
  args.count = 1;
  args.in_float = has_scalar(context.attrs()) || context.input(1).dtype != DType::float64;
  if (!has_scalar(context.attrs())) {
    to_double = kernels::select_cast(element_type(context.input(1).dtype), kernels::ElementType::float64);
    args.count = context.input(1).shape.elements();
  }
  ScratchLayout layout;
  const std::size_t percents = layout.take<double>(std::max<std::int64_t>(1, args.count));
  step.scratch_bytes = layout.bytes();
  step.run = [=](const RunContext& now) {
    auto* q = reinterpret_cast<double*>(now.scratch + percents);
    q[0] = scalar;
    if (to_double != nullptr) to_double(now.inputs[1], q, args.count);
    for (std::int64_t i = 0; i < args.count; ++i) expect_percent(q[i]);
    parallel_for(args.results, piece_grain(kElementGrain / 16, sorted),
                 [&](std::int64_t begin, std::int64_t end) {
                   kernels::PercentileArgs a = args;
                   a.q = q;
                   a.src = now.inputs[0];
                   a.dst = now.outputs[0];
                   a.work = reinterpret_cast<double*>(now.my_scratch());
                   run(a, begin, end);
                 });
  };
  return step;
}

}  // namespace

std::vector<OpDef> numpy_percentile_ops() {
  OpDef op{.name = "_npi_percentile"};
  op.summary =
      "The percentiles q of a over the listed axes (all by default); q comes first in the output's shape. "
      "float64 for float64, otherwise float32.";
  op.attrs = {tuple_attr("axis", "None"), flag_attr("keepdims", false),
              number_attr("q_scalar").optional_none(),
              choice_attr("interpolation", {"higher", "linear", "lower", "midpoint", "nearest"}, "linear")};
  op.inputs = [](const Attrs& attrs) { return has_scalar(attrs) ? PortNames{{"a"}} : PortNames{{"a", "q"}}; };
  op.infer = infer_percentile;
  op.lower = lower_percentile;
  return {op};
}

}  // namespace mxinfer::ops

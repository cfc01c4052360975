// NumPy's sum, prod, mean, max, min, any, all: computed in the result's dtype, to which the elements are
// converted first if theirs is another.
#include "ops/numpy/statistics/reductions.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "kernels/elementwise/cast.h"
#include "ops/elementwise/elementwise.h"
#include "ops/numpy/statistics/numpy_axes.h"

namespace mxinfer::ops {
namespace {

enum class ResultType : std::uint8_t {
  sum,   ///< the input's or dtype's; int64 of booleans
  mean,  ///< likewise; float32 of integers and booleans
  same,
  truth,
};

struct NumpyReduction {
  const char* name;
  const char* function;  ///< of kernels/reduce/reduce.h
  std::initializer_list<const char*> aliases;
  ResultType result;
  const char* summary;
};

const NumpyReduction kNumpyReductions[] = {
    {"_np_sum", "sum", {}, ResultType::sum, "The sum"},
    {"_np_prod", "prod", {"_np_product"}, ResultType::sum, "The product, 0 for no elements as in MXNet,"},
    {"_npi_mean", "mean", {}, ResultType::mean, "The mean, 0 for no elements as in MXNet,"},
    {"_np_max", "max", {"_np_amax"}, ResultType::same, "The largest element"},
    {"_np_min", "min", {"_np_amin"}, ResultType::same, "The smallest element"},
    {"_np_any", "max", {"_np_sometrue"}, ResultType::truth, "Whether any element is not 0,"},
    {"_np_all", "min", {}, ResultType::truth, "Whether no element is 0,"},
};

const NumpyReduction* find_reduction(std::string_view name) {
  const auto* const end = std::end(kNumpyReductions);
  const auto* const found = std::find_if(std::begin(kNumpyReductions), end,
                                         [&](const NumpyReduction& entry) { return name == entry.name; });
  return found == end ? nullptr : found;
}

bool takes_dtype(const NumpyReduction& entry) {
  return entry.result == ResultType::sum || entry.result == ResultType::mean;
}

bool is_float_type(DType dtype) {
  return dtype == DType::float16 || dtype == DType::float32 || dtype == DType::float64;
}

DType result_dtype(const NumpyReduction& entry, const Attrs& attrs, DType in) {
  if (entry.result == ResultType::truth) return DType::boolean;
  if (takes_dtype(entry) && attrs.has("dtype")) {
    const DType dtype = attrs.dtype("dtype");
    const bool of_booleans = entry.result == ResultType::sum && in == DType::boolean;
    if (of_booleans && (dtype == DType::float16 || dtype == DType::int8 || dtype == DType::boolean))
      fail(ErrorCode::unsupported, "attribute dtype=", to_string(dtype),
           ": MXNet has no such sums of booleans; expected int32, int64, float32 or float64");
    return dtype;
  }
  if (entry.result == ResultType::sum && in == DType::boolean) return DType::int64;
  if (entry.result == ResultType::mean && !is_float_type(in)) return DType::float32;
  return in;
}

std::vector<bool> axes_of(const NumpyReduction& entry, const Attrs& attrs, const Shape& shape) {
  return numpy_axes(attrs, shape, entry.result != ResultType::same);
}

std::vector<TensorType> infer_reduction(const NumpyReduction& entry, const InferContext& context) {
  const Attrs& attrs = context.attrs;
  if (entry.result != ResultType::truth && attrs.has("initial"))
    fail(ErrorCode::unsupported, "attribute initial: MXNet has none; expected None");
  const DType in = context.dtype(0), result = result_dtype(entry, attrs, in);
  if (kernels::select_cast(element_type(in), element_type(result)) == nullptr ||
      kernels::reduce_ref(entry.function, element_type(result)).variant == nullptr)
    fail(ErrorCode::unsupported, "input of ", to_string(in), ": expected numbers or booleans");
  const std::vector<bool> reduced = axes_of(entry, attrs, context.shape(0));
  if (entry.result == ResultType::same && reduced_elements(context.shape(0), reduced) == 0)
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(context.shape(0)),
         " was given: no elements have no ", entry.function);
  return {{result, without_axes(context.shape(0), reduced, attrs.flag("keepdims"))}};
}

Step fill_step(const LowerContext& context, bool with_truth) {
  Step step{.kernel = "reduce_nothing [ref]", .reason = "there are no elements"};
  const std::size_t bytes = bytes_of(context.output(0));
  step.run = [=](const RunContext& run) { std::memset(run.outputs[0], with_truth ? 1 : 0, bytes); };
  return step;
}

Step lower_numpy(LowerContext& context) {
  const NumpyReduction& entry = *find_reduction(context.node().op->name);
  const TensorType &in = context.input(0), &out = context.output(0);
  const std::vector<bool> reduced = axes_of(entry, context.attrs(), in.shape);
  if (reduced_elements(in.shape, reduced) == 0)
    return fill_step(context, std::string_view(entry.name) == "_np_all");
  const kernels::ReduceShape shape = reduce_shape(in.shape, reduced);
  // Sums of floats as integers are converted, the elements of truth values are.
  const bool to_integer = takes_dtype(entry) && is_float_type(in.dtype) && !is_float_type(out.dtype);
  const kernels::ElementType from_type = element_type(in.dtype), to_type = element_type(out.dtype);
  const kernels::ReduceFold fold =
      to_integer ? kernels::select_reduce_to_integer(entry.function, from_type, to_type, context.target())
                 : kernels::select_reduce(entry.function, to_type, context.target());
  const bool converts = in.dtype != out.dtype && !to_integer;
  const kernels::CastFn cast = converts ? kernels::select_cast(from_type, to_type) : nullptr;
  const std::int64_t elements = in.shape.elements(), outputs = out.shape.elements();
  const std::int64_t grain = piece_grain(kElementGrain, shape.reduced.elements());
  const std::size_t from = size_of(in.dtype), to = size_of(out.dtype);
  Step step{.kernel = kernel_name("reduce", entry.function, fold.variant, out.dtype, fold.target)};
  step.reason = concat(outputs, " results of ", shape.reduced.elements(), " elements each",
                       cast == nullptr ? "" : concat(", of ", to_string(in.dtype), " before"));
  step.flops = static_cast<double>(elements);
  if (cast != nullptr) step.scratch_bytes = static_cast<std::size_t>(elements) * to;
  step.run = [=](const RunContext& run) {
    const void* src = run.inputs[0];
    if (cast != nullptr) {
      parallel_for(elements, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
        const auto at = static_cast<std::size_t>(begin);
        cast(run.input<std::byte>(0) + at * from, run.scratch + at * to, end - begin);
      });
      src = run.scratch;
    }
    parallel_for(outputs, grain, [&](std::int64_t begin, std::int64_t end) {
      kernels::reduce(fold, shape, src, run.outputs[0], begin, end);
    });
  };
  return step;
}

OpDef reduction_def(const NumpyReduction& entry) {
  OpDef op{.name = entry.name};
  op.aliases.assign(entry.aliases.begin(), entry.aliases.end());
  op.summary = std::string(entry.summary) + " over the listed axes (all by default).";
  op.attrs = {tuple_attr("axis", "None"), flag_attr("keepdims", false)};
  op.inputs = named_ports({entry.result == ResultType::truth ? "data" : "a"});
  if (entry.result != ResultType::truth) op.attrs.push_back(number_attr("initial").optional_none());
  if (takes_dtype(entry)) op.attrs.push_back(dtype_attr("dtype").optional_none());
  op.infer = [&entry](const InferContext& context) { return infer_reduction(entry, context); };
  op.lower = lower_numpy;
  return op;
}

}  // namespace

Reduction numpy_reduction_of(const OpProblem& node) {
  const NumpyReduction& entry = *find_reduction(node.node().op->name);
  const Shape& shape = node.input(0).shape;
  return {entry.function, reduce_shape(shape, axes_of(entry, node.attrs(), shape))};
}

std::vector<std::string> numpy_reduction_names() {
  std::vector<std::string> names;
  for (const NumpyReduction& entry : kNumpyReductions) {
    if (entry.result != ResultType::truth) names.emplace_back(entry.name);
  }
  return names;
}

std::vector<OpDef> numpy_reduction_ops() {
  std::vector<OpDef> ops;
  for (const NumpyReduction& entry : kNumpyReductions) ops.push_back(reduction_def(entry));
  return ops;
}

}  // namespace mxinfer::ops

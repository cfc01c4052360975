// topk, sort, argsort: elements in order along an axis.
#include "ops/tensor/indexing/sort.h"

#include <algorithm>
#include <string>

#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

DType index_dtype(const Attrs& attrs) {
  return dtype_of(attrs, "dtype");
}

InferFn infer_sorted(SortedFn sorted_of) {
  return [=](const InferContext& context) {
    if (kernels::select_sort(element_type(context.dtype(0))) == nullptr) {
      fail(ErrorCode::unsupported, "an input of ", to_string(context.dtype(0)),
           " was given; expected numbers");
    }
    const Sorted sorted = sorted_of(context.attrs, context.shape(0));
    std::vector<TensorType> outputs;
    if (sorted.values) outputs.push_back({context.dtype(0), sorted.kept});
    if (sorted.indices) outputs.push_back({index_dtype(context.attrs), sorted.kept});
    if (sorted.mask) outputs.push_back(context.inputs[0]);
    return outputs;
  };
}

LowerFn lower_sorted(SortedFn sorted_of) {
  return [=](LowerContext& context) {
    const TensorType& input = context.input(0);
    const Sorted sorted = sorted_of(context.attrs(), input.shape);
    const kernels::SortArgs args = sorted.args;
    const kernels::SortFn run = kernels::select_sort(element_type(input.dtype));
    const std::int64_t count = args.length == 0 ? 0 : sorted.outer * args.inner;
    const std::int64_t grain = std::max<std::int64_t>(1, 2048 / std::max<std::int64_t>(1, args.length));
    Step step;
    step.kernel = concat("sort_ref_", to_string(input.dtype), " [ref]");
    step.reason = "one row at a time";
    step.thread_scratch_bytes = kernels::sort_scratch(args.length, size_of(input.dtype));
    step.run = [=](const RunContext& at_run) {
      const kernels::SortArgs now = with_operands(sorted, at_run);
      parallel_for(count, grain,
                   [&](std::int64_t begin, std::int64_t end) { run(now, at_run.my_scratch(), begin, end); });
    };
    return step;
  };
}

graph::AttrSpec axis_attr() {
  graph::AttrSpec axis = graph::integer_attr("axis", -1);
  axis.nullable = true;
  return axis;
}

graph::AttrSpec index_dtype_attr() {
  return graph::choice_attr("dtype", {"float16", "float32", "float64", "int32", "int64", "uint8"}, "float32");
}

// Without what is made of the order.
Sorted sorted_rows(const Attrs& attrs, const Shape& shape, std::int64_t k) {
  Sorted sorted;
  kernels::SortArgs& args = sorted.args;
  if (attrs.has("axis")) {
    const std::size_t axis = resolve_axis("axis", attrs.integer("axis"), shape.rank());
    sorted.outer = shape.elements(0, axis);
    args.length = shape[axis];
    args.inner = shape.elements(axis + 1, shape.rank());
    args.k = k < 1 ? args.length : k;
    sorted.kept = shape;
    sorted.kept[axis] = args.k;
  } else {  // the flattened input
    args.length = shape.elements();
    args.k = k < 1 ? args.length : k;
    sorted.kept = Shape{args.k};
  }
  if (args.k > args.length) {
    fail(ErrorCode::invalid_argument, "k=", k, " is more than the ", args.length, " elements along the axis");
  }
  args.ascending = attrs.flag("is_ascend");
  return sorted;
}

void ask_for_indices(const Attrs& attrs, Sorted& sorted) {
  sorted.indices = true;
  sorted.args.index_type = element_type(index_dtype(attrs));
}

}  // namespace

Sorted topk_of(const Attrs& attrs, const Shape& shape) {
  Sorted sorted = sorted_rows(attrs, shape, attrs.integer("k"));
  const std::string& type = attrs.choice("ret_typ");
  sorted.values = type == "value" || type == "both";
  sorted.mask = type == "mask";
  if (type == "indices" || type == "both") ask_for_indices(attrs, sorted);
  return sorted;
}

Sorted sort_of(const Attrs& attrs, const Shape& shape) {
  Sorted sorted = sorted_rows(attrs, shape, 0);
  sorted.values = true;
  return sorted;
}

Sorted argsort_of(const Attrs& attrs, const Shape& shape) {
  Sorted sorted = sorted_rows(attrs, shape, 0);
  ask_for_indices(attrs, sorted);
  return sorted;
}

kernels::SortArgs with_operands(const Sorted& sorted, const RunContext& run) {
  kernels::SortArgs args = sorted.args;
  std::size_t output = 0;
  args.src = run.inputs[0];
  if (sorted.values) args.values = run.outputs[output++];
  if (sorted.indices) args.indices = run.outputs[output++];
  if (sorted.mask) args.mask = run.outputs[output];
  return args;
}

std::vector<OpDef> sort_ops() {
  OpDef topk;
  topk.name = "topk";
  topk.aliases = {"_npx_topk"};
  topk.summary =
      "The k largest (or smallest) elements along axis, in order: their values, indices, both, or a mask. "
      "NaN "
      "comes last.";
  topk.attrs = {axis_attr(), graph::integer_attr("k", 1),
                graph::choice_attr("ret_typ", {"both", "indices", "mask", "value"}, "indices"),
                graph::flag_attr("is_ascend", false), index_dtype_attr()};
  topk.outputs = [](const Attrs& attrs) {
    return attrs.choice("ret_typ") == "both" ? PortNames{{"output0", "output1"}} : PortNames{{"output"}};
  };
  topk.infer = infer_sorted(topk_of);
  topk.lower = lower_sorted(topk_of);

  OpDef sort;
  sort.name = "sort";
  sort.aliases = {"_npi_sort"};
  sort.summary = "The elements along axis in order, NaN last.";
  sort.attrs = {axis_attr(), graph::flag_attr("is_ascend", true)};
  sort.infer = infer_sorted(sort_of);
  sort.lower = lower_sorted(sort_of);

  OpDef argsort;
  argsort.name = "argsort";
  argsort.aliases = {"_npi_argsort"};
  argsort.summary = "The indices that put the elements along axis in order, NaN last.";
  argsort.attrs = {axis_attr(), graph::flag_attr("is_ascend", true), index_dtype_attr()};
  argsort.infer = infer_sorted(argsort_of);
  argsort.lower = lower_sorted(argsort_of);

  return {topk, sort, argsort};
}

}  // namespace mxinfer::ops

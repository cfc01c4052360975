// topk, sort, argsort: elements in order along an axis.
#include "kernels/sort/sort.h"

#include <algorithm>
#include <string>

#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

/// Which outputs are made.
struct Wanted {
  bool values = false;
  bool indices = false;
  bool mask = false;
};

using WantedFn = Wanted (*)(const Attrs&);

Wanted topk_wanted(const Attrs& attrs) {
  const std::string& type = attrs.choice("ret_typ");
  return {type == "value" || type == "both", type == "indices" || type == "both", type == "mask"};
}

/// Rows [outer][length][inner], and how many of each are kept.
struct SortedRows {
  std::int64_t outer = 1;
  std::int64_t length = 1;
  std::int64_t inner = 1;
  std::int64_t k = 1;
  Shape kept;  ///< the input's shape with k elements along the axis
};

SortedRows rows_of(const Attrs& attrs, const Shape& shape, std::int64_t k) {
  SortedRows rows;
  if (attrs.has("axis")) {
    const std::size_t axis = resolve_axis("axis", attrs.integer("axis"), shape.rank());
    rows.outer = shape.elements(0, axis);
    rows.length = shape[axis];
    rows.inner = shape.elements(axis + 1, shape.rank());
    rows.kept = shape;
    rows.k = k < 1 ? rows.length : k;
    rows.kept[axis] = rows.k;
  } else {  // the flattened input
    rows.length = shape.elements();
    rows.k = k < 1 ? rows.length : k;
    rows.kept = Shape{rows.k};
  }
  if (rows.k > rows.length) {
    fail(ErrorCode::invalid_argument, "k=", k, " is more than the ", rows.length, " elements along the axis");
  }
  return rows;
}

DType index_dtype(const Attrs& attrs) {
  return dtype_of(attrs, "dtype");
}

InferFn infer_sorted(WantedFn wanted_of, bool has_k) {
  return [=](const InferContext& context) {
    if (kernels::select_sort(element_type(context.dtype(0))) == nullptr) {
      fail(ErrorCode::unsupported, "an input of ", to_string(context.dtype(0)),
           " was given; expected numbers");
    }
    const SortedRows rows = rows_of(context.attrs, context.shape(0), has_k ? context.attrs.integer("k") : 0);
    const Wanted wanted = wanted_of(context.attrs);
    std::vector<TensorType> outputs;
    if (wanted.values) outputs.push_back({context.dtype(0), rows.kept});
    if (wanted.indices) outputs.push_back({index_dtype(context.attrs), rows.kept});
    if (wanted.mask) outputs.push_back(context.inputs[0]);
    return outputs;
  };
}

LowerFn lower_sorted(WantedFn wanted_of, bool has_k) {
  return [=](LowerContext& context) {
    const TensorType& input = context.input(0);
    const SortedRows rows = rows_of(context.attrs(), input.shape, has_k ? context.attrs().integer("k") : 0);
    const Wanted wanted = wanted_of(context.attrs());
    const kernels::SortFn run = kernels::select_sort(element_type(input.dtype));
    kernels::SortArgs args;
    args.length = rows.length;
    args.inner = rows.inner;
    args.k = rows.k;
    args.ascending = context.attrs().flag("is_ascend");
    if (wanted.indices) args.index_type = element_type(index_dtype(context.attrs()));
    const std::int64_t count = rows.length == 0 ? 0 : rows.outer * rows.inner;
    const std::int64_t grain = std::max<std::int64_t>(1, 2048 / std::max<std::int64_t>(1, rows.length));
    Step step;
    step.kernel = concat("sort_ref_", to_string(input.dtype), " [ref]");
    step.reason = "one row at a time";
    step.thread_scratch_bytes = kernels::sort_scratch(rows.length, size_of(input.dtype));
    step.run = [=](const RunContext& at_run) {
      kernels::SortArgs now = args;
      std::size_t output = 0;
      now.src = at_run.inputs[0];
      if (wanted.values) now.values = at_run.outputs[output++];
      if (wanted.indices) now.indices = at_run.outputs[output++];
      if (wanted.mask) now.mask = at_run.outputs[output];
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

}  // namespace

std::vector<OpDef> sort_ops() {
  OpDef topk;
  topk.name = "topk";
  topk.aliases = {"_npx_topk"};
  topk.summary =
      "The k largest (or smallest) elements along axis, in order: their values, indices, both, or a mask.";
  topk.attrs = {axis_attr(), graph::integer_attr("k", 1),
                graph::choice_attr("ret_typ", {"both", "indices", "mask", "value"}, "indices"),
                graph::flag_attr("is_ascend", false), index_dtype_attr()};
  topk.outputs = [](const Attrs& attrs) {
    return attrs.choice("ret_typ") == "both" ? PortNames{{"output0", "output1"}} : PortNames{{"output"}};
  };
  topk.infer = infer_sorted(topk_wanted, true);
  topk.lower = lower_sorted(topk_wanted, true);

  OpDef sort;
  sort.name = "sort";
  sort.aliases = {"_npi_sort"};
  sort.summary = "The elements along axis in order.";
  sort.attrs = {axis_attr(), graph::flag_attr("is_ascend", true)};
  const WantedFn values = [](const Attrs&) { return Wanted{true, false, false}; };
  sort.infer = infer_sorted(values, false);
  sort.lower = lower_sorted(values, false);

  OpDef argsort;
  argsort.name = "argsort";
  argsort.aliases = {"_npi_argsort"};
  argsort.summary = "The indices that put the elements along axis in order.";
  argsort.attrs = {axis_attr(), graph::flag_attr("is_ascend", true), index_dtype_attr()};
  const WantedFn indices = [](const Attrs&) { return Wanted{false, true, false}; };
  argsort.infer = infer_sorted(indices, false);
  argsort.lower = lower_sorted(indices, false);

  return {topk, sort, argsort};
}

}  // namespace mxinfer::ops

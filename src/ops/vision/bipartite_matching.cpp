// bipartite_matching: rows and columns of a score matrix paired, best first.
#include "kernels/boxes/matching.h"
#include "ops/common/axes.h"
#include "ops/common/real_inputs.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_matching(const InferContext& context) {
  require_real_inputs(context);
  require_rank_at_least(context.shape(0), 2);
  Shape rows = context.shape(0), columns = context.shape(0);
  rows.erase(rows.rank() - 1);
  columns.erase(columns.rank() - 2);
  return {{context.dtype(0), rows}, {context.dtype(0), columns}};
}

Step lower_matching(LowerContext& context) {
  const Attrs& attrs = context.attrs();
  const DType dtype = context.input(0).dtype;
  const Shape& shape = context.input(0).shape;
  kernels::BipartiteMatchingArgs args;
  args.rows = shape[shape.rank() - 2];
  args.columns = shape.back();
  args.ascending = attrs.flag("is_ascend");
  args.threshold = attrs.number32("threshold");
  args.topk = attrs.integer("topk");
  const std::int64_t batches = shape.elements(0, shape.rank() - 2);
  const kernels::BipartiteMatchingFn run = kernels::select_bipartite_matching(element_type(dtype));
  Step step;
  step.kernel = concat("bipartite_matching_ref_", to_string(dtype), " [ref]");
  step.reason = "one matrix at a time";
  step.thread_scratch_bytes = kernels::bipartite_matching_scratch(args.rows, args.columns);
  step.run = [=](const RunContext& at_run) {
    kernels::BipartiteMatchingArgs now = args;
    now.scores = at_run.inputs[0];
    now.row_match = at_run.outputs[0];
    now.column_match = at_run.outputs[1];
    parallel_for(batches, 1,
                 [&](std::int64_t begin, std::int64_t end) { run(now, at_run.my_scratch(), begin, end); });
  };
  return step;
}

}  // namespace

std::vector<OpDef> bipartite_matching_ops() {
  OpDef op;
  op.name = "_contrib_bipartite_matching";
  op.summary =
      "Pairs rows with columns, best score first. Outputs: the column of each row and the row of each "
      "column, or -1. topk > 0 stops after topk + 1 pairs, as in MXNet.";
  op.attrs = {graph::flag_attr("is_ascend", false), graph::number_attr("threshold"),
              graph::integer_attr("topk", -1)};
  op.outputs = [](const Attrs&) { return PortNames{{"output0", "output1"}}; };
  op.infer = infer_matching;
  op.lower = lower_matching;
  return {op};
}

}  // namespace mxinfer::ops

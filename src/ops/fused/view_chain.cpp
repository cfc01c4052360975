// _mxinfer_view_chain: what the stage bind makes, for devices, of operators that only move elements and of
// element-wise operators between which no value leaves. Its subgraph holds them as they were. A device
// computes the output in one kernel (view_program.h); the CPU runs one operator after another.
// _mxinfer_output_part: one of several outputs that a device computes as one array, so that one copy brings
// all of them to the process. Devices have no implementation: it is a part of the copy.
#include "ops/common/copy_step.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

Step lower_one_by_one(LowerContext& ctx) {
  std::vector<TensorType> inputs;
  for (std::size_t i = 0; i < ctx.num_inputs(); ++i) inputs.push_back(ctx.input(i));
  const auto body = ctx.subplan(0, inputs);
  Step step{.kernel = "one operator after another", .reason = "one kernel for all is a GPU's"};
  step.scratch_bytes = body->workspace_bytes();
  step.thread_scratch_bytes = body->thread_scratch_bytes();
  step.flops = body->flops();
  step.run = [body](const RunContext& run) { body->run(run.inputs, run.outputs, run.scratch, run); };
  return step;
}

Shape part_shape(const Attrs& attrs) {
  Shape shape;
  for (const std::int64_t size : attrs.tuple("shape")) shape.push_back(size);
  return shape;
}

Step lower_part(LowerContext& ctx) {
  Walk walk(Shape{ctx.output(0).shape.elements()});
  walk.src_offset = ctx.attrs().integer("begin");
  return copy_step(ctx, {{0, 0, walk}});
}

OpDef output_part_op() {
  OpDef op{.name = "_mxinfer_output_part", .made_by_passes = true};
  op.summary = "Made by the plan for a GPU: the elements of a list from `begin` on, as an array of `shape`.";
  op.attrs = {integer_attr("begin", 0), tuple_attr("shape", "()")};
  op.infer = [](const InferContext& ctx) -> std::vector<TensorType> {
    return {{ctx.dtype(0), part_shape(ctx.attrs)}};
  };
  op.lower = lower_part;
  return op;
}

}  // namespace

std::vector<OpDef> view_chain_ops() {
  OpDef op{.name = "_mxinfer_view_chain", .made_by_passes = true};
  op.summary =
      "Made by the plan for a GPU: runs element-wise operators and operators that only move elements as one "
      "kernel.";
  op.inputs = any_ports();
  op.subgraphs = 1;
  op.infer = [](const InferContext& ctx) { return ctx.infer_subgraph(0, ctx.inputs); };
  op.lower = lower_one_by_one;
  return {std::move(op), output_part_op()};
}

}  // namespace mxinfer::ops

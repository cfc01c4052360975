// _mxinfer_by_sample: what the plan makes of a network's first operators, for a batch: its subgraph runs on
// one sample after another, each thread on a sample of its own, so that what passes from operator to operator
// stays in that thread's cache. Inputs and outputs hold their samples in front, (N, ...).
#include "base/fail.h"
#include "ops/common/scratch_layout.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> with_batch(std::vector<TensorType> types, std::int64_t batch) {
  for (TensorType& type : types) type.shape[0] = batch;
  return types;
}

std::vector<TensorType> infer_by_sample(const InferContext& context) {
  return with_batch(context.infer_subgraph(0, with_batch(context.inputs, 1)), context.shape(0)[0]);
}

// What a thread needs to run the subgraph on a sample.
struct SampleMemory {
  std::size_t workspace = 0, sources = 0, destinations = 0, bytes = 0;

  SampleMemory(const Subplan& body, std::size_t inputs) {
    ScratchLayout layout(body.thread_scratch_bytes());
    workspace = layout.take<std::byte>(static_cast<std::int64_t>(body.workspace_bytes()));
    sources = layout.take<const void*>(static_cast<std::int64_t>(inputs));
    destinations = layout.take<void*>(static_cast<std::int64_t>(body.outputs().size()));
    bytes = layout.bytes();
  }
};

Step lower_by_sample(LowerContext& context) {
  std::vector<TensorType> inputs;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) inputs.push_back(context.input(i));
  const std::int64_t batch = inputs.at(0).shape[0];
  const auto body = context.subplan(0, with_batch(inputs, 1));
  const SampleMemory memory(*body, inputs.size());
  std::vector<std::size_t> input_bytes, output_bytes;
  for (const TensorType& type : inputs)
    input_bytes.push_back(bytes_of(type) / static_cast<std::size_t>(batch));
  for (const TensorType& type : body->outputs()) output_bytes.push_back(bytes_of(type));

  Step step;
  step.kernel = concat("one sample after another, ", batch);
  step.reason = "what passes between these operators stays in a thread's cache";
  step.thread_scratch_bytes = memory.bytes;
  step.flops = body->flops() * static_cast<double>(batch);
  step.run = [=](const RunContext& run) {
    parallel_for(batch, 1, [&](std::int64_t sample, std::int64_t /*end*/) {
      const auto at = static_cast<std::size_t>(sample);
      std::byte* mine = run.my_scratch();
      auto** sources = reinterpret_cast<const void**>(mine + memory.sources);
      auto** destinations = reinterpret_cast<void**>(mine + memory.destinations);
      for (std::size_t i = 0; i < input_bytes.size(); ++i)
        sources[i] = run.input<std::byte>(i) + at * input_bytes[i];
      for (std::size_t o = 0; o < output_bytes.size(); ++o)
        destinations[o] = run.output<std::byte>(o) + at * output_bytes[o];
      // Threads without a sample help with loops of the others; those that wait for help take no second
      // sample, whose operands would overwrite these.
      isolate([&] { body->run(sources, destinations, mine + memory.workspace, run); });
    });
  };
  return step;
}

}  // namespace

std::vector<OpDef> by_sample_ops() {
  OpDef op;
  op.name = "_mxinfer_by_sample";
  op.made_by_passes = true;
  op.summary = "Made by the plan: runs its subgraph on each sample of a batch.";
  op.inputs = [](const Attrs&) { return PortNames{{}, false}; };
  op.subgraphs = 1;
  op.traits.runs_bodies_in_parallel = true;
  op.infer = infer_by_sample;
  op.lower = lower_by_sample;
  return {std::move(op)};
}

}  // namespace mxinfer::ops

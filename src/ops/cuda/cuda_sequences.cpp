// Operators on sequences, by their lengths. Without lengths they are copies.
#include "ops/cuda/cuda_index_input.h"
#include "ops/cuda/cuda_op.h"
#include "ops/nn/recurrent/sequence_args.h"

namespace mxinfer::ops {
namespace {

using kernels::cuda::IndexArray;

using SequenceLauncher = kernels::cuda::Status (*)(const kernels::SequenceArgs&, const IndexArray&,
                                                   const void*, void*, const kernels::cuda::Stream&);

Step sequence_on_device(LowerContext& context, const char* name, SequenceLauncher launcher) {
  const bool lengths = has_lengths(context.attrs());
  const auto type = lengths ? index_type(context, 1) : kernels::ElementType::int64;
  Step step;
  step.kernel = name;
  step.reason = "moves elements only";
  step.run = [=, args = sequence_args(context)](const RunContext& run) {
    const IndexArray index{lengths ? run.inputs[1] : nullptr, type};
    enqueue(run, launcher, args, index, run.inputs[0], run.outputs[0]);
  };
  return step;
}

Step last_on_device(LowerContext& context, const device::CudaDevice& device) {
  const kernels::PickArgs args = last_step_args(sequence_args(context));
  Step step;
  step.kernel = "sequence_last";
  step.reason = "moves elements only";
  step.run = [=, rows = context.input(1).shape.elements(), type = index_type(context, 1),
              pick = device.kernels().pick](const RunContext& run) {
    enqueue(run, pick, args, rows, true, IndexArray{run.inputs[1], type}, run.inputs[0], run.outputs[0]);
  };
  return step;
}

// `lower` is what it does with lengths that a GPU reads.
Implementations with_lengths(const OpProblem& node, const char* name, LowerFn lower) {
  if (!has_lengths(node.attrs())) return only("copy", node.node().op->lower);
  if (!has_index_type(node, 1)) return rejected(name, no_index_type(node, 1));
  return only(name, std::move(lower));
}

Implementations masked_sequence(const OpProblem& node, const device::CudaDevice& device) {
  return with_lengths(node, "sequence_mask", [&device](LowerContext& context) {
    context.may_overwrite(0, 0);
    return sequence_on_device(context, "sequence_mask", device.kernels().sequence_mask);
  });
}

Implementations last_of_sequence(const OpProblem& node, const device::CudaDevice& device) {
  return with_lengths(node, "sequence_last",
                      [&device](LowerContext& context) { return last_on_device(context, device); });
}

Implementations reversed_sequence(const OpProblem& node, const device::CudaDevice& device) {
  if (has_lengths(node.attrs()) && !has_index_type(node, 1))
    return rejected("sequence_reverse", no_index_type(node, 1));
  return only("sequence_reverse", [&device](LowerContext& context) {
    return sequence_on_device(context, "sequence_reverse", device.kernels().sequence_reverse);
  });
}

}  // namespace

std::vector<CudaOp> cuda_sequence_ops() {
  return {{"SequenceMask", masked_sequence},
          {"SequenceLast", last_of_sequence},
          {"SequenceReverse", reversed_sequence}};
}

}  // namespace mxinfer::ops

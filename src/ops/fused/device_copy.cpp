// Copies between the memory of the process and that of a device. The plan puts them where the producer of a
// value and its reader are not on the same device (plan/lower/device_placement.h).
#include "device/device.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_copy(const InferContext& context) {
  return {context.inputs[0]};
}

Step copy_to_device(LowerContext& context) {
  Step step;
  step.kernel = "copy_to_device";
  step.reason = "a step on the device reads it";
  step.run = [bytes = bytes_of(context.output(0))](const RunContext& run) {
    run.stream->copy_to_device(run.outputs[0], run.inputs[0], bytes);
  };
  return step;
}

Step copy_to_host(LowerContext& context) {
  Step step;
  step.kernel = "copy_to_host";
  step.reason = "a step on the CPU reads it, or the caller";
  step.run = [bytes = bytes_of(context.output(0))](const RunContext& run) {
    run.stream->copy_to_host(run.outputs[0], run.inputs[0], bytes);
  };
  return step;
}

OpDef copy_op(const char* name, const char* summary, LowerFn lower) {
  OpDef op;
  op.name = name;
  op.made_by_passes = true;
  op.summary = summary;
  op.traits.keeps_shape = true;
  op.infer = infer_copy;
  op.lower = std::move(lower);
  return op;
}

}  // namespace

std::vector<OpDef> device_copy_ops() {
  return {copy_op("_mxinfer_copy_to_device", "Made by the plan: copies values to the device's memory.",
                  copy_to_device),
          copy_op("_mxinfer_copy_to_host", "Made by the plan: copies values to the process's memory.",
                  copy_to_host)};
}

}  // namespace mxinfer::ops

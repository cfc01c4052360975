// Copies between the memory of the process and that of a device. The plan puts them where the producer of a
// value and its reader are not on the same device (plan/lower/device_placement.h).
//
// What passes put where a network of halves, computed in float32, begins and ends: the dtypes of its inputs
// are not known before a plan is made, which makes casts of them, or nothing (passes/bind/resolve_ends.cpp).
#include "device/device.h"
#include "ops/elementwise/elementwise.h"
#include "tensor/floating.h"

namespace mxinfer::ops {
namespace {

Step copy_to_device(LowerContext& context) {
  Step step{.kernel = "copy_to_device", .reason = "a step on the device reads it"};
  step.run = [bytes = bytes_of(context.output(0))](const RunContext& run) {
    run.stream->copy_to_device(run.outputs[0], run.inputs[0], bytes);
  };
  return step;
}

Step copy_to_host(LowerContext& context) {
  Step step{.kernel = "copy_to_host", .reason = "a step on the CPU reads it, or the caller"};
  step.run = [bytes = bytes_of(context.output(0))](const RunContext& run) {
    run.stream->copy_to_host(run.outputs[0], run.inputs[0], bytes);
  };
  return step;
}

OpDef copy_op(const char* name, const char* summary, LowerFn lower) {
  return {.name = name,
          .summary = summary,
          .traits = {.keeps_shape = true},
          .made_by_passes = true,
          .infer = infer_same,
          .lower = std::move(lower)};
}

OpDef end_op(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .traits = {.keeps_shape = true, .per_sample = always_per_sample},
          .made_by_passes = true};
}

}  // namespace

std::vector<OpDef> float32_ends() {
  OpDef to_float32 =
      end_op("_mxinfer_to_float32",
             "Made by a pass: casts the input to float32 if it is float16, bfloat16 or float64.");
  to_float32.infer = [](const InferContext& context) {
    const DType dtype = context.dtype(0);
    const bool casts = is_half(dtype) || dtype == DType::float64;
    return std::vector<TensorType>{{casts ? DType::float32 : dtype, context.shape(0)}};
  };
  to_float32.unify = unify_equal;

  OpDef cast_like = end_op("_mxinfer_cast_like",
                           "Made by a pass: casts the input to float16 or bfloat16 if `like`, an input of "
                           "the network, has that dtype.");
  cast_like.inputs = named_ports({"data", "like"});
  cast_like.infer = [](const InferContext& context) {
    const DType like = context.dtype(1);
    const bool casts = is_half(like) && context.dtype(0) == DType::float32;
    return std::vector<TensorType>{{casts ? like : context.dtype(0), context.shape(0)}};
  };
  return {std::move(to_float32), std::move(cast_like)};
}

std::vector<OpDef> device_copy_ops() {
  return {
      copy_op("_mxinfer_copy_to_device", "Made by the plan: copies values to the device's memory.",
              copy_to_device),
      copy_op("_mxinfer_copy_to_host", "Made by the plan: copies values to the process's memory.",
              copy_to_host),
  };
}

}  // namespace mxinfer::ops

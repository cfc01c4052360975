// What passes put where a network of halves, computed in float32, begins and ends: the dtypes of its inputs
// are not known before a plan is made, which makes casts of them, or nothing (passes/bind/resolve_ends.cpp).
#include "ops/op_def.h"
#include "tensor/floating.h"

namespace mxinfer::ops {
namespace {

OpDef end_op(std::string name, std::string summary) {
  OpDef op;
  op.name = std::move(name);
  op.summary = std::move(summary);
  op.made_by_passes = true;
  op.traits.keeps_shape = true;
  op.traits.per_sample = always_per_sample;
  return op;
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
  cast_like.inputs = [](const Attrs&) { return PortNames{{"data", "like"}}; };
  cast_like.infer = [](const InferContext& context) {
    const DType like = context.dtype(1);
    const bool casts = is_half(like) && context.dtype(0) == DType::float32;
    return std::vector<TensorType>{{casts ? like : context.dtype(0), context.shape(0)}};
  };
  return {std::move(to_float32), std::move(cast_like)};
}

}  // namespace mxinfer::ops

#include "ops/common/float_types.h"

#include <algorithm>

namespace mxinfer::ops {
namespace {

TensorType widened(TensorType type) {
  if (type.dtype == DType::float16) type.dtype = DType::float32;
  return type;
}

}  // namespace

OpDef through_float32(OpDef op, Float16 others) {
  op.traits.float16 = others;
  op.infer = [infer = op.infer, others](const InferContext& context) {
    const auto is_half = [](const TensorType& type) { return type.dtype == DType::float16; };
    if (std::none_of(context.inputs.begin(), context.inputs.end(), is_half)) return infer(context);
    std::vector<TensorType> wide;
    for (const TensorType& type : context.inputs) wide.push_back(widened(type));
    std::vector<TensorType> outputs = infer(InferContext{context.attrs, wide});
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const bool rounds = is_half(context.inputs[0]) && rounds_output(others, o);
      if (rounds && outputs[o].dtype == DType::float32) outputs[o].dtype = DType::float16;
    }
    return outputs;
  };
  return op;
}

}  // namespace mxinfer::ops

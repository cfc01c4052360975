// The weights of a convolution, packed as an implementation reads them.
//
//   args.weight = packed_conv_weight(context, 1, problem, impl);
#pragma once

#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Input i, a float32 parameter. Of the problem, filters, channels, groups and kernel matter. `impl` outlives
/// the plan.
inline const void* packed_conv_weight(LowerContext& context, std::size_t i,
                                      const kernels::ConvProblem& problem, const kernels::ConvImpl& impl) {
  if (!context.is_constant(i)) fail(ErrorCode::internal, "the weights are not a parameter");
  if (impl.packing == nullptr) return context.constant(i)->raw();
  const auto pack = [problem, &impl](const TensorView& weight, std::byte* dst) {
    impl.pack(problem, weight.data<float>(), dst);
  };
  return context.packed(i, concat(impl.packing, " groups=", problem.groups), impl.packed_bytes(problem),
                        pack);
}

}  // namespace mxinfer::ops

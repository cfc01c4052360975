// What the operators of fused MobileNet blocks share, _mxinfer_separable_nhwc and _mxinfer_separable_bf16:
// their inputs and sizes, and the arguments of their three convolutions.
#pragma once

#include "kernels/conv/separable/separable.h"
#include "kernels/elementwise/cast.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct SeparableInputs {
  struct Part {
    std::size_t weight, bias;
  };
  Part expand{}, depthwise{}, project{};
  explicit SeparableInputs(const Attrs& attrs);
};

std::vector<AttrSpec> separable_attrs();
PortNames separable_ports(const Attrs& attrs);
/// Data is (N, H, W, C).
kernels::SeparableShape separable_shape(const Attrs& attrs, const Shape& data);
/// Checks the shapes of data and weights; that of the output.
Shape infer_separable_shape(const InferContext& context);

/// Of all three.
double separable_flops(const kernels::SeparableShape& shape);

/// The implementations that weights are packed for.
struct SeparableImpls {
  const kernels::ConvImpl &expand, &depthwise, &project;
};
/// Weights, biases and post-ops.
kernels::SeparableArgs separable_args(LowerContext& context, const kernels::SeparableShape& shape,
                                      const SeparableImpls& impls);

/// One of the convolutions, or a cast between two, where one runs after another.
struct SeparableStage {
  const kernels::ConvImpl* impl = nullptr;  ///< or null: cast
  kernels::ConvArgs args{};
  kernels::CastFn cast = nullptr;
  std::int64_t elements = 0;                  ///< of its output
  std::size_t element_bytes = sizeof(float);  ///< likewise
};
SeparableStage convolution_stage(const kernels::ConvArgs& args, const kernels::ConvImpl& impl);
void set_task_hints(kernels::SeparableShape& shape, int threads);
/// Each reads what the one before it writes; the last one adds the node's residual.
Step separable_stages_step(LowerContext& context, std::vector<SeparableStage> stages);

}  // namespace mxinfer::ops

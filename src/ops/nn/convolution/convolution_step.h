// What the operators that convolve share: inputs, sizes, the choice of an implementation, and its step.
//
//   return conv_implementations(problem, target, [=](LowerContext& context, const kernels::ConvImpl& impl) {
//     return convolution_step(context, problem, impl);
//   });
#pragma once

#include "kernels/conv/conv.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {

/// Tasks to hand to a thread at once, of so many that are `flops` together: what it then computes is worth
/// the handing over, a few microseconds.
std::int64_t grain_of(std::int64_t tasks, double flops);

PortNames convolution_ports(const Attrs& attrs);

/// What Convolution and Deconvolution have in common.
OpDef convolution_op(std::string name, std::vector<AttrSpec> attrs, LayoutRule layout,
                     std::optional<Shape> (*input_shape)(const Attrs& attrs, const Shape& weight));

/// The sizes of the output's spatial dimensions; fails if the kernel is larger than the padded data.
kernels::Spatial conv_output(const ConvParams& p);

/// The problem of a convolution with these attributes of data (N, C, spatial...).
kernels::ConvProblem conv_problem(const Attrs& attrs, const Shape& data, int threads);

/// Checks the shapes of weight and bias; `data` is (N, C, spatial...).
void expect_conv_weights(const InferContext& context, const ConvParams& p, const Shape& data);

/// What only a convolution that a pass made has: which input holds ConvArgs::border, and fields of ConvArgs.
struct ConvExtras {
  std::optional<std::size_t> border{};
  std::int64_t src_stride = 0, dst_stride = 0;
  bool dst_is_float32 = false;
  bool adds_last = false;  ///< the residual behind the activation
};

/// The step of a chosen implementation; the caller completes step.reason. Weights that are parameters are
/// packed once for the model, others at every run.
Step convolution_step(LowerContext& context, const kernels::ConvProblem& problem,
                      const kernels::ConvImpl& impl, const ConvExtras& extras = {});

/// Those of kernels/conv/conv_list.cpp for a problem, the ones that reject it behind the others; `lower`
/// makes the step of one.
using ConvLower = std::function<Step(LowerContext& context, const kernels::ConvImpl& impl)>;
Implementations conv_implementations(const kernels::ConvProblem& problem, kernels::Target target,
                                     const ConvLower& lower);

/// "1 x 64 x 56 x 56, 64 filters 3 x 3, pad 0 x 1 x 1"; a depth of 1 is not told.
std::string describe(const kernels::ConvProblem& problem);

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

class LayoutRewriter;

/// LayoutRule. To channels-last: a convolution of float32 parameters becomes _mxinfer_convolution_nhwc.
/// Others have no channels-last kernel, or would be packed at every run. To channels-first: one whose
/// attribute layout says channels-last loses it, and its weights are reordered.
bool convolution_layout(LayoutRewriter& rewriter, std::size_t id);

/// LayoutRule: to channels-first alone, likewise.
bool deconvolution_layout(LayoutRewriter& rewriter, std::size_t id);

}  // namespace mxinfer::ops

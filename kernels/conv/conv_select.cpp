#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

const ConvKernel& select_conv(const ConvShape& shape, Target target, const char** reason) {
  if (target == Target::ref) {
    *reason = "the reference kernel was asked for";
    return conv_ref<float>();
  }
  if (is_depthwise(shape)) {
    *reason =
        "each group has one input channel, so there is no sum over channels to make a matrix product of";
    return conv_depthwise(target);
  }
  *reason = "runs every shape; patches are gathered block by block";
  return conv_gemm(target);
}

}  // namespace mxinfer::kernels

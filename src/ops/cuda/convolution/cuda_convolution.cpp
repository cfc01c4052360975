// Convolution, channels-first, its channels-last form that passes make, and Deconvolution, on a GPU.
#include "ops/cuda/convolution/cuda_conv_step.h"
#include "ops/fused/convolution_nhwc.h"
#include "ops/nn/convolution/convolution_step.h"
#include "ops/nn/convolution/deconvolution.h"

namespace mxinfer::ops {
namespace {

using kernels::Direction;
using kernels::SrcLayout;

Implementations on_cuda(const OpProblem& node, const device::CudaDevice& device,
                        const kernels::ConvProblem& problem, Direction direction, SrcLayout dst_layout,
                        const ConvExtras& extras = {}) {
  const std::optional<std::size_t> border = extras.border;
  const bool has_bias = !node.attrs().flag("no_bias");
  FloatRoles roles{.weights = {1}};
  if (has_bias) roles.vectors.push_back(2);
  if (border) roles.weights.push_back(*border);
  if (const auto slopes = conv_slopes(node)) roles.vectors.push_back(*slopes);
  const NodeFloats floats = node_floats(node, device, roles);
  if (!floats.rejects.empty()) return rejected("implicit_gemm", floats.rejects);
  if (const char* why = kernels::device_conv_rejects(problem)) return rejected("implicit_gemm", why);
  CudaConv conv{kernels::device_conv(problem, direction, dst_layout, floats.type)};
  conv.sizes.epilogue.post_ops = node.post_ops();
  conv.sizes.epilogue.adds_last = extras.adds_last;
  if (has_bias) conv.bias = 2;
  conv.border = border;
  conv.has_weights_of_model = node.is_constant(1);
  return cuda_convolution(conv, node.precision(), device);
}

Implementations convolution_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  kernels::ConvProblem problem = conv_problem(node.attrs(), node.input(0).shape, node.threads());
  problem.src_layout = SrcLayout::nchw;
  return on_cuda(node, device, problem, Direction::forward, SrcLayout::nchw);
}

Implementations convolution_nhwc_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  return on_cuda(node, device, conv_nhwc_problem(node), Direction::forward, SrcLayout::nhwc,
                 conv_nhwc_extras(node.attrs()));
}

Implementations deconvolution_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  kernels::ConvProblem problem = deconvolution_shape(node);
  problem.src_layout = SrcLayout::nchw;
  return on_cuda(node, device, problem, Direction::transposed, SrcLayout::nchw);
}

/// Whether the kernels count the elements of an image.
bool can_count(const Shape& shape, std::int64_t row_stride) {
  return shape.elements(1, shape.rank() - 1) * row_stride < kernels::kMostConvElements;
}

bool takes_strided_input(const graph::Node& node, const TensorType& type, std::int64_t row_stride) {
  return strided_input_as_on_cpu(node, type, row_stride) && can_count(type.shape, row_stride);
}
/// Residuals are dense.
bool takes_strided_output(const graph::Node& node, const TensorType& type, std::int64_t row_stride) {
  return !node.post_ops.residual && strided_output_as_on_cpu(node, type, row_stride) &&
         can_count(type.shape, row_stride);
}

}  // namespace

std::vector<CudaOp> cuda_convolution_ops() {
  return {
      {"Convolution", convolution_on_cuda},
      {"Convolution_v1", convolution_on_cuda},
      {"_mxinfer_convolution_nhwc", convolution_nhwc_on_cuda, takes_strided_input, takes_strided_output},
      {"Deconvolution", deconvolution_on_cuda},
  };
}

}  // namespace mxinfer::ops

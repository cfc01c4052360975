// Convolution, channels-first, its channels-last form that passes make, and Deconvolution, on a GPU.
// _contrib_DeformableConvolution and its modulated form on a GPU: a kernel gathers the patches of as many
// images as fit into some memory, and a GEMM multiplies them by the weights.
#include <algorithm>

#include "kernels/deformable/deformable_cuda.h"
#include "kernels/gemm/gemm_cuda.h"
#include "ops/common/scratch_layout.h"
#include "ops/cuda/convolution/cuda_conv_step.h"
#include "ops/cuda/cuda_gemm.h"
#include "ops/fused/convolution_nhwc.h"
#include "ops/nn/convolution/convolution_step.h"
#include "ops/nn/convolution/deconvolution.h"

namespace mxinfer::ops {
namespace {

using kernels::Direction;
using kernels::SrcLayout;

Implementations on_cuda(const OpProblem& node, const device::CudaDevice& device,
                        const kernels::ConvProblem& problem, Direction direction, SrcLayout dst_layout,
                        std::optional<std::size_t> border) {
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
  if (has_bias) conv.bias = 2;
  conv.border = border;
  conv.has_weights_of_model = node.is_constant(1);
  return cuda_convolution(conv, node.precision(), device);
}

Implementations convolution_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  kernels::ConvProblem problem = conv_problem(node.attrs(), node.input(0).shape, node.threads());
  problem.src_layout = SrcLayout::nchw;
  return on_cuda(node, device, problem, Direction::forward, SrcLayout::nchw, std::nullopt);
}

Implementations convolution_nhwc_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  return on_cuda(node, device, conv_nhwc_problem(node), Direction::forward, SrcLayout::nhwc,
                 conv_nhwc_extras(node.attrs()).border);
}

Implementations deconvolution_on_cuda(const OpProblem& node, const device::CudaDevice& device) {
  kernels::ConvProblem problem = deconvolution_shape(node);
  problem.src_layout = SrcLayout::nchw;
  return on_cuda(node, device, problem, Direction::transposed, SrcLayout::nchw, std::nullopt);
}

/// Whether the kernels count the elements of an image.
bool can_count(const Shape& shape, std::int64_t row_stride) {
  return shape.elements(1, shape.rank() - 1) * row_stride < kernels::kMostConvElements;
}

bool takes_strided_input(const graph::Node& node, const Shape& shape, std::int64_t row_stride) {
  return strided_input_as_on_cpu(node, shape, row_stride) && can_count(shape, row_stride);
}
/// Residuals are dense.
bool takes_strided_output(const graph::Node& node, const Shape& shape, std::int64_t row_stride) {
  return !node.post_ops.residual && strided_output_as_on_cpu(node, shape, row_stride) &&
         can_count(shape, row_stride);
}

namespace cuda = kernels::cuda;

/// Elements of the patches that are in memory at a time, unless those of one image are more: 64 MiB.
constexpr std::int64_t kManyColumns = std::int64_t{1} << 24;

struct DeformableOnCuda {
  DeformableParams params;
  std::int64_t batch = 1, images = 1;  ///< of all, and of those that are computed at a time
  std::size_t weight = 2;              ///< which input
  cuda::GemmArgs gemm;                 ///< of a group
  cuda::GemmPlan plan;
  std::size_t columns_at = 0, partial_at = 0;  ///< in scratch memory
  const cuda::Library* kernels = nullptr;

  std::int64_t image_columns() const {
    return params.shape.channels * params.shape.taps() * params.shape.pixels();
  }

  void gather(const RunContext& run, std::int64_t first, float* columns) const {
    const kernels::DeformableShape& s = params.shape;
    const std::int64_t taps = s.offset_groups * s.taps() * s.pixels();
    kernels::DeformableArgs<float> args;
    args.shape = s;
    args.src = run.input<float>(0) + first * s.channels * s.input[0] * s.input[1];
    args.offset = run.input<float>(1) + first * 2 * taps;
    if (weight == 3) args.mask = run.input<float>(2) + first * taps;
    enqueue(run, kernels->deformable_columns, args, images, columns);
  }

  void multiply(const RunContext& run, std::int64_t first, const float* columns) const {
    for (std::int64_t group = 0; group < params.conv.groups; ++group) {
      cuda::GemmArgs args = gemm;
      args.a.data = run.input<float>(weight) + group * args.rows * args.depth;
      args.b.data = columns + group * args.depth * args.columns;
      args.dst = run.output<float>(0) + first * args.dst_outer + group * args.rows * args.columns;
      if (params.conv.bias) args.bias = run.input<float>(weight + 1) + group * args.rows;
      enqueue(run, kernels->gemm, args, plan, reinterpret_cast<float*>(run.scratch + partial_at));
    }
  }

  void operator()(const RunContext& run) const {
    auto* columns = reinterpret_cast<float*>(run.scratch + columns_at);
    for (std::int64_t first = 0; first < batch; first += images) {
      gather(run, first, columns);
      multiply(run, first, columns);
    }
  }
};

/// The largest number of images that divides the batch and does not take too much memory.
std::int64_t images_at_a_time(std::int64_t batch, std::int64_t image_columns) {
  std::int64_t images = std::clamp<std::int64_t>(kManyColumns / image_columns, 1, batch);
  while (batch % images != 0) --images;
  return images;
}

cuda::GemmArgs product_of_group(const DeformableOnCuda& d) {
  const kernels::DeformableShape& s = d.params.shape;
  cuda::GemmArgs args;
  args.rows = d.params.conv.filters / d.params.conv.groups;
  args.columns = s.pixels();
  args.depth = s.channels / d.params.conv.groups * s.taps();
  args.outer = d.images;
  args.a.row = args.depth;
  args.b.row = 1;
  args.b.depth = args.columns;
  args.b.outer = d.image_columns();
  args.dst_row = args.columns;
  args.dst_outer = d.params.conv.filters * args.columns;
  args.bias_row = 1;
  args.bias_column = 0;
  return args;
}

Step deformable_on_device(const DeformableOnCuda& given) {
  DeformableOnCuda d = given;
  ScratchLayout scratch(0);
  d.columns_at = scratch.take<float>(d.images * d.image_columns());
  d.partial_at = scratch.take<std::byte>(static_cast<std::int64_t>(d.plan.scratch_bytes));
  Step step{.kernel = concat("deformable_", cuda::name_of(d.plan, d.gemm))};
  step.reason = concat("patches of ", d.images, d.images == 1 ? " image" : " images", ", then a GEMM");
  step.flops = 2.0 * static_cast<double>(d.batch * d.params.conv.filters) *
               static_cast<double>(d.gemm.columns) * static_cast<double>(d.gemm.depth);
  step.scratch_bytes = scratch.bytes();
  step.run = d;
  return step;
}

template <bool kModulated>
Implementations deformable_implementations(const OpProblem& node, const device::CudaDevice& device) {
  if (!all_of_type(node, DType::float32)) return rejected("deformable_gemm", not_all_of_type(DType::float32));
  DeformableOnCuda d;
  d.params = deformable_params(node.attrs(), node.input(0).shape, kModulated);
  const kernels::DeformableShape& s = d.params.shape;
  if (!checked_mul(s.channels, s.taps(), s.pixels(), std::int64_t{sizeof(float)}))
    return rejected("deformable_gemm", "its patches have more bytes than any memory");
  d.batch = node.input(0).shape[0];
  d.images = images_at_a_time(d.batch, d.image_columns());
  d.weight = kModulated ? 3 : 2;
  d.gemm = product_of_group(d);
  d.gemm.precision = node.precision();
  d.plan = cuda::plan_gemm(d.gemm, gemm_gpu(device));
  d.kernels = &device.kernels();
  return only("deformable_gemm", [d](LowerContext&) { return deformable_on_device(d); });
}

}  // namespace

std::vector<CudaOp> cuda_convolution_ops() {
  return {
      {"Convolution", convolution_on_cuda},
      {"Convolution_v1", convolution_on_cuda},
      {"_mxinfer_convolution_nhwc", convolution_nhwc_on_cuda, takes_strided_input, takes_strided_output},
      {"Deconvolution", deconvolution_on_cuda},
      {"_contrib_DeformableConvolution", deformable_implementations<false>},
      {"_contrib_ModulatedDeformableConvolution", deformable_implementations<true>},
  };
}

}  // namespace mxinfer::ops

// _contrib_DeformableConvolution and its modulated form on a GPU: a kernel gathers the patches of as many
// images as fit into some memory, and a GEMM multiplies them by the weights.
#include <algorithm>

#include "kernels/deformable/deformable_cuda.h"
#include "ops/common/scratch_layout.h"
#include "ops/cuda/cuda_gemm.h"
#include "ops/nn/convolution/deconvolution.h"

namespace mxinfer::ops {
namespace {

namespace cuda = kernels::cuda;

/// Elements of the patches that are in memory at a time, unless those of one image are more.
constexpr std::int64_t kManyColumns = std::int64_t{1} << 24;

/// Which input the weights are: behind data, offsets and, of the modulated form, the mask.
template <bool kModulated>
constexpr std::size_t kDeformableWeight = kModulated ? 3 : 2;

/// Offsets or masks: float32, or in 16 bits as a convolution has stored them.
struct FieldInput {
  FloatVector floats{};
  std::optional<std::size_t> stored{};
  kernels::FloatType type = kernels::FloatType::float32;

  /// From element `first` on.
  const void* data(const RunContext& run, std::int64_t first) const {
    return advanced(stored ? run.inputs[*stored] : floats.data(run), first, type);
  }
};

FieldInput field_input(LowerContext& context, std::size_t input) {
  const kernels::FloatType type = *float_type(context.input(input).dtype);
  if (type == kernels::FloatType::float32 || context.is_constant(input))
    return {float_vector(context, input)};
  return {{}, input, type};
}

/// Why kernels of values of `type` do not read it, or empty.
std::string no_field(const OpProblem& node, std::size_t input, kernels::FloatType type) {
  const auto given = float_type(node.input(input).dtype);
  if (given && (node.is_constant(input) || *given == kernels::FloatType::float32 || *given == type))
    return {};
  return concat("input ", input, " is ", to_string(node.input(input).dtype), ", not float32");
}

struct DeformableOnCuda {
  DeformableParams params;
  std::int64_t batch = 1, images = 1;  ///< of all, and of those that are computed at a time
  std::size_t weight_input = 2;
  cuda::GemmArgs gemm;  ///< of a group
  cuda::GemmPlan plan;
  StoredOperand weight{};
  FieldInput offset{}, mask{};
  FloatVector bias{};
  std::size_t columns_at = 0, partial_at = 0;  ///< in scratch memory
  const cuda::Library* kernels = nullptr;

  bool is_modulated() const { return weight_input == kDeformableWeight<true>; }
  /// Rows of columns begin at 16 bytes, which GEMMs then read at once.
  std::int64_t row() const { return round_up(params.shape.pixels(), 8); }
  std::int64_t image_columns() const { return params.shape.channels * params.shape.taps() * row(); }

  void gather(const RunContext& run, std::int64_t first, void* columns) const {
    const kernels::DeformableShape& s = params.shape;
    const std::int64_t taps = s.offset_groups * s.taps() * s.pixels();
    cuda::DeformableColumns args{.shape = s, .type = gemm.type, .images = images};
    args.src = advanced(run.inputs[0], first * s.channels * s.input[0] * s.input[1], gemm.type);
    args.offset = offset.data(run, first * 2 * taps);
    args.offset_type = offset.type;
    if (is_modulated()) args.mask = mask.data(run, first * taps);
    args.mask_type = mask.type;
    args.columns = columns;
    args.row = row();
    enqueue(run, kernels->deformable_columns, args);
  }

  void multiply(const RunContext& run, std::int64_t first, const void* columns) const {
    void* const dst = run.output<std::byte>(0);
    for (std::int64_t group = 0; group < params.conv.groups; ++group) {
      cuda::GemmArgs args = gemm;
      args.a.data = advanced(weight.data(run), group * args.rows * args.depth, args.type);
      args.b.data = advanced(columns, group * args.depth * row(), args.type);
      args.dst = advanced(dst, first * args.dst_outer + group * args.rows * args.columns, args.type);
      if (params.conv.bias) args.bias = bias.data(run) + group * args.rows;
      enqueue(run, kernels->gemm, args, plan, reinterpret_cast<float*>(run.scratch + partial_at));
    }
  }

  void operator()(const RunContext& run) const {
    void* const columns = run.scratch + columns_at;
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

cuda::GemmArgs product_of_group(const DeformableOnCuda& d, kernels::FloatType type) {
  const kernels::DeformableShape& s = d.params.shape;
  cuda::GemmArgs args;
  args.type = type;
  args.rows = d.params.conv.filters / d.params.conv.groups;
  args.columns = s.pixels();
  args.depth = s.channels / d.params.conv.groups * s.taps();
  args.outer = d.images;
  args.a.row = args.depth;
  args.b.row = 1;
  args.b.depth = d.row();
  args.b.outer = d.image_columns();
  args.dst_row = args.columns;
  args.dst_outer = d.params.conv.filters * args.columns;
  args.bias_row = 1;
  args.bias_column = 0;
  return args;
}

Step deformable_on_device(LowerContext& context, const DeformableOnCuda& given) {
  DeformableOnCuda d = given;
  d.weight = stored_operand(context, d.weight_input, d.gemm.type);
  d.offset = field_input(context, 1);
  if (d.is_modulated()) d.mask = field_input(context, 2);
  if (d.params.conv.bias) d.bias = float_vector(context, d.weight_input + 1);
  ScratchLayout scratch(0);
  d.columns_at = scratch.take<std::byte>(d.images * d.image_columns() *
                                         static_cast<std::int64_t>(kernels::bytes_of(d.gemm.type)));
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
  constexpr std::size_t kWeight = kDeformableWeight<kModulated>;
  FloatRoles roles{.weights = {kWeight}, .vectors = {kWeight + 1}};
  for (std::size_t i = 1; i < kWeight; ++i) roles.others.push_back(i);
  const NodeFloats floats = node_floats(node, device, roles);
  if (!floats.rejects.empty()) return rejected("deformable_gemm", floats.rejects);
  for (const std::size_t i : roles.others) {
    if (std::string why = no_field(node, i, floats.type); !why.empty())
      return rejected("deformable_gemm", why);
  }
  DeformableOnCuda d;
  d.params = deformable_params(node.attrs(), node.input(0).shape, kModulated);
  const kernels::DeformableShape& s = d.params.shape;
  if (!checked_mul(s.channels, s.taps(), d.row(), std::int64_t{sizeof(float)}))
    return rejected("deformable_gemm", "its patches have more bytes than any memory");
  d.batch = node.input(0).shape[0];
  d.images = images_at_a_time(d.batch, d.image_columns());
  d.weight_input = kWeight;
  d.gemm = product_of_group(d, floats.type);
  d.gemm.precision = node.precision();
  d.plan = cuda::plan_gemm(d.gemm, gemm_gpu(device));
  d.kernels = &device.kernels();
  return only("deformable_gemm", [d](LowerContext& context) { return deformable_on_device(context, d); });
}

/// Offsets and masks are not rounded for it: places between pixels need their digits.
template <bool kModulated>
bool reads_data_and_weight(const graph::Node&, std::size_t input) {
  return input == 0 || input == kDeformableWeight<kModulated>;
}
template <bool kModulated>
bool takes_fields(const graph::Node&, std::size_t input) {
  return input > 0 && input < kDeformableWeight<kModulated>;
}

template <bool kModulated>
CudaOp deformable_op(const char* name) {
  CudaOp op = with_halves({name, deformable_implementations<kModulated>}, HalfForm::product,
                          reads_data_and_weight<kModulated>);
  op.halves.takes = takes_fields<kModulated>;
  return op;
}

}  // namespace

std::vector<CudaOp> cuda_deformable_ops() {
  return {deformable_op<false>("_contrib_DeformableConvolution"),
          deformable_op<true>("_contrib_ModulatedDeformableConvolution")};
}

}  // namespace mxinfer::ops
